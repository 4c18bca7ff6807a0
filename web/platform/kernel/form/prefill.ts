import type { FormSchema } from '../client/types.ts'
import { at, isBlank } from '../record/fields.ts'
import type { FormValue } from './conditions.ts'

/** The data that may fill a form. Of several submissions at a desk, the last one counts. */
interface Source {
  data: object
  facts: object
  subject: object
  submissions?: readonly { desk: string | null; data: object; effect: string }[]
}

/** The initial value of a form whose fields name a place in the case by `x-prefill`. */
export function prefilled(schema: FormSchema, from: Source): FormValue {
  const sent = (from.submissions ?? []).filter(({ desk, effect }) => desk !== null && effect !== 'void')
  const known = { ...from, answers: Object.fromEntries(sent.map(({ desk, data }) => [desk, data])) }
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const value = typeof field['x-prefill'] === 'string' ? at(known, field['x-prefill']) : undefined
      return isBlank(value) ? [] : [[name, value]]
    }),
  )
}
