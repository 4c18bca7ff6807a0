import type { FormSchema } from '../client/types.ts'
import { fieldsOf } from '../record/fields.ts'
import type { Translate } from '../texts/texts.ts'

/**
 * What the summary calls a field: the row that it is in, and its group if another field of the form has the same label.
 * `Permanent address, City`; `Qualification 2, Institute`.
 */
export function fieldName(schema: FormSchema, pointer: string, t: Translate): string | undefined {
  const [top = '', at, inside] = pointer.split('/').slice(1)
  const fields = fieldsOf(schema)
  const field = fields.find(({ name }) => name === top)?.schema
  if (!field?.title) return undefined
  if (at !== undefined && field.items) return rowName(field.items, Number(at) + 1, inside, t) ?? t(field.title)
  const isAlone = fields.every(({ name, schema: { title } }) => name === top || title !== field.title)
  const group = isAlone ? undefined : schema['x-groups']?.find((one) => one.fields.includes(top))
  return [...(group ? [t(group.title)] : []), t(field.title)].join(', ')
}

/** A row, or the field of a row. */
function rowName({ title, properties }: FormSchema, row: number, inside: string | undefined, t: Translate) {
  const label = inside === undefined ? undefined : properties?.[inside]?.title
  if (title) return [`${t(title)} ${row}`, ...(label ? [t(label)] : [])].join(', ')
  return label && t('platform.form.cell', { label: t(label), row })
}
