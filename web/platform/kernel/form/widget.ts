import type { FormSchema } from '../client/types.ts'
import type { Around } from './form-context.ts'

/** The props of every widget. It shows one value and reports changes; undefined is blank. */
export interface WidgetProps {
  /** Id of the focusable element. */
  id: string
  /** Pointer to the field in the form's value. */
  pointer: string
  schema: FormSchema
  value: unknown
  onChange(value: unknown): void
  wrong: boolean
  required: boolean
  /** Ids of help and error, for screen readers. */
  describedBy: string | undefined
}

/** ARIA attributes of a widget. */
export const described = ({ wrong, required, describedBy }: WidgetProps) => ({
  'aria-invalid': wrong || undefined,
  'aria-required': required || undefined,
  'aria-describedby': describedBy,
})

export interface Option {
  value: unknown
  /** Text key, or the value's own text. */
  title: string
}

/** The options of a choice field, else undefined. */
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
  | 'month'
  | 'moment'
  | 'radio'
  | 'select'
  | 'boolean'
  | 'checkbox'
  | 'register'
  | 'record'
  | 'nic'
  | 'scan'
  | 'age'
  | 'file'
  | 'list'
  | 'table'
  | 'asked'
  | 'week'
  | 'group'
  | 'desk'
  | 'entry'

/** More options than this become a drop-down; fewer are all visible. */
const seenAtOnce = 5

/** The widget of a field, by type, format and hints. */
export function kindOf(schema: FormSchema): Kind {
  const options = optionsOf(schema)
  if (options) return options.length > seenAtOnce || schema['x-widget'] === 'select' ? 'select' : 'radio'
  if (schema['x-register']) return 'register'
  if (schema['x-record']) return 'record'
  if (schema['x-nic']) return 'nic'
  if (schema['x-scan']) return 'scan'
  if (schema['x-age-of']) return 'age'
  if (schema['x-entry-of']) return 'entry'
  if (schema['x-desk']) return 'desk'
  if (schema['x-widget'] === 'file' || (schema.type === 'array' && schema.items?.['x-widget'] === 'file')) return 'file'
  if (schema.type === 'array') return listKindOf(schema)
  if (schema.type === 'object') return 'group'
  // What can only be agreed to is ticked.
  if (schema.type === 'boolean') return schema.const === true ? 'checkbox' : 'boolean'
  if (schema.type === 'integer' || schema.type === 'number')
    return schema['x-unit'] === 'LKR cents' ? 'money' : 'number'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'moment'
  const widget = schema['x-widget']
  return widget === 'textarea' || widget === 'password' || widget === 'month' ? widget : 'text'
}

function listKindOf({ 'x-widget': widget, 'x-asked': asked }: FormSchema): Kind {
  if (asked?.rows) return 'asked'
  return widget === 'table' || widget === 'week' ? widget : 'list'
}

/** Whether the widget is several elements, so that it needs a fieldset instead of a label. */
export const isGroup = (kind: Kind): boolean =>
  ['radio', 'boolean', 'moment', 'list', 'table', 'asked', 'week', 'group', 'file', 'desk', 'record'].includes(kind)

/** Whether the value is only shown: it is given, follows from others, or `x-same` makes it that of another field. */
export function isFixed(field: FormSchema, { schema, value }: Around['whole'], pointer: string): boolean {
  if (field.readOnly || field['x-sum'] || field['x-plus'] || field['x-maps'] || field['x-words']) return true
  return Object.entries(schema.properties ?? {}).some(
    ([name, { 'x-same': same }]) => same !== undefined && value[name] === true && pointer.slice(1) in same,
  )
}
