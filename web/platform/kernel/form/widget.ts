import type { FormSchema } from '../client/types.ts'

/** What every widget is given. It shows one value and says when the person has changed it; undefined is blank. */
export interface WidgetProps {
  /** Of the element that takes the focus. */
  id: string
  /** Where the field stands in the form's value. */
  pointer: string
  schema: FormSchema
  value: unknown
  onChange(value: unknown): void
  wrong: boolean
  required: boolean
  /** Ids of help and error, for screen readers. */
  describedBy: string | undefined
}

/** How a widget tells screen readers what stands around it. */
export const described = ({ wrong, required, describedBy }: WidgetProps) => ({
  'aria-invalid': wrong || undefined,
  'aria-required': required || undefined,
  'aria-describedby': describedBy,
})

export interface Option {
  value: unknown
  /** Text key, or the value's own words. */
  title: string
}

/** The choices of a field, if it is one of choice. */
export function optionsOf(schema: FormSchema): Option[] | undefined {
  if (schema.oneOf?.every((each) => 'const' in each))
    return schema.oneOf.map((each) => ({ value: each.const, title: each.title ?? String(each.const) }))
  return schema.enum?.map((value) => ({ value, title: String(value) }))
}

export type Kind =
  | 'text'
  | 'textarea'
  | 'password'
  | 'number'
  | 'money'
  | 'date'
  | 'moment'
  | 'radio'
  | 'select'
  | 'boolean'
  | 'register'
  | 'file'
  | 'list'
  | 'table'
  | 'week'
  | 'group'
  | 'desk'
  | 'entry'

/** More choices than this are a list to open; fewer are seen at once. */
const seenAtOnce = 5

/** Which widget a field gets, by its type, format and hints. */
export function kindOf(schema: FormSchema): Kind {
  const options = optionsOf(schema)
  if (options) return options.length > seenAtOnce || schema['x-widget'] === 'select' ? 'select' : 'radio'
  if (schema['x-register']) return 'register'
  if (schema['x-entry-of']) return 'entry'
  if (schema['x-desk']) return 'desk'
  if (schema['x-widget'] === 'file' || (schema.type === 'array' && schema.items?.['x-widget'] === 'file')) return 'file'
  if (schema.type === 'array') {
    const widget = schema['x-widget']
    return widget === 'table' || widget === 'week' ? widget : 'list'
  }
  if (schema.type === 'object') return 'group'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number')
    return schema['x-unit'] === 'LKR cents' ? 'money' : 'number'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'moment'
  const widget = schema['x-widget']
  return widget === 'textarea' || widget === 'password' ? widget : 'text'
}

/** Whether the widget is several elements under one heading, so that it needs a fieldset and not a label. */
export const isGroup = (kind: Kind): boolean =>
  ['radio', 'boolean', 'moment', 'list', 'table', 'week', 'group', 'file', 'desk'].includes(kind)
