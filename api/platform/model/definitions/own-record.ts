import type { FieldSchema } from './register.ts'

/** `forms/<area>/<name>.record.json`: what people tell of themselves over many sittings, for several applications. */
export interface OwnRecordDefinition {
  /** Text key. */
  title: string
  /** Who may have one. */
  of: string[]
  /** In this order. */
  steps: OwnRecordStep[]
}

export interface OwnRecordStep {
  name: string
  /** Text key. */
  title: string
  /** `<area>/<form>`. */
  form: string
  /** It may stay empty. */
  optional?: boolean
}

/** The schema of a whole record: each step is a field. */
export function schemaOfRecord(
  { steps }: OwnRecordDefinition,
  formOf: (key: string) => FieldSchema,
): Pick<FieldSchema, 'type' | 'properties' | 'required' | 'x-order'> & { additionalProperties: false } {
  const properties = steps.map(({ name, title, form }) => {
    const { $schema: _, 'x-public': _public, ...schema } = formOf(form)
    return [name, { ...schema, title }]
  })
  return {
    type: 'object',
    additionalProperties: false,
    required: steps.filter(({ optional }) => !optional).map(({ name }) => name),
    'x-order': steps.map(({ name }) => name),
    properties: Object.fromEntries(properties),
  }
}
