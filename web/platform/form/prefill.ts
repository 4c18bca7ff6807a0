import type { FormSchema } from '../api/types.ts'
import { at, isBlank } from '../record/fields.ts'
import type { FormValue } from './conditions.ts'

/** What a form begins with where its fields name a place in the case by `x-prefill`. */
export function prefilled(schema: FormSchema, from: { data: object; facts: object; subject: object }): FormValue {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const value = typeof field['x-prefill'] === 'string' ? at(from, field['x-prefill']) : undefined
      return isBlank(value) ? [] : [[name, value]]
    }),
  )
}
