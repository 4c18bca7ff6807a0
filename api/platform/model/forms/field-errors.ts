import type { FieldError } from '../../kernel/errors.ts'

/** The part of a validator's error that the mapping needs. */
export interface SchemaError {
  instancePath: string
  schemaPath: string
  keyword: string
  params: Record<string, unknown>
}

type Schema = { [key: string]: any }

/**
 * Converts a validator's errors to messages by field: the form's own `x-messages` if there is one, else the platform's
 * text for the rule. The browser uses it too, see `mappingSource`.
 */
export function fieldErrors(errors: readonly SchemaError[], root: object): FieldError[] {
  const found = new Map<string, FieldError>()
  // A choice made of branches reports every branch that did not fit; only the choice itself says something to people.
  const choices = errors.filter((error) => error.keyword === 'oneOf' || error.keyword === 'anyOf')
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (choices.some((choice) => error !== choice && error.schemaPath.startsWith(`${choice.schemaPath}/`))) continue
    const missing = error.params['missingProperty'] ?? error.params['additionalProperty']
    const field = missing === undefined ? error.instancePath : `${error.instancePath}/${escape(String(missing))}`
    const empty = error.keyword === 'minLength' && error.params['limit'] === 1
    const named = error.keyword === 'format' && error.params['format'] === 'name'
    const rule = empty || error.keyword === 'dependentRequired' ? 'required' : named ? 'name' : error.keyword
    if (found.has(field) && rule !== 'required') continue
    const own = messagesOf(error, field, root)
    found.set(field, {
      field,
      code:
        own[error.keyword] ?? own[rule] ?? (rule === 'required' ? 'platform.field-required' : `platform.check-${rule}`),
      ...values(error.params),
    })
  }
  return [...found.values()]
}

function messagesOf(error: SchemaError, field: string, root: object): Record<string, string> {
  // The rule may stand elsewhere than the field: in a branch, or, when the field is missing, at the object around it.
  const ruled = schemaOf(root, error.schemaPath)
  const last = unescape(field.slice(field.lastIndexOf('/') + 1))
  const named = field === error.instancePath ? ruled : ruled?.['properties']?.[last]
  return { ...schemaAt(root, field)?.['x-messages'], ...named?.['x-messages'] }
}

/** The schema that contains a rule: its path without the rule itself. */
function schemaOf(root: Schema, schemaPath: string): Schema | undefined {
  let schema: Schema | undefined = root
  for (const part of schemaPath.split('/').slice(1, -1)) schema = schema?.[unescape(decodeURIComponent(part))]
  return schema
}

/** The schema of a field, by its path through properties and items. */
function schemaAt(root: Schema, pointer: string): Schema | undefined {
  let schema: Schema | undefined = root
  for (const part of pointer.split('/').slice(1)) schema = schema?.['properties']?.[unescape(part)] ?? schema?.['items']
  return schema
}

function values(params: Record<string, unknown>): Pick<FieldError, 'values'> {
  const limit = params['limit'] ?? params['multipleOf']
  return typeof limit === 'number' || typeof limit === 'string' ? { values: { limit } } : {}
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescape(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The same functions as source text for the browser; they must not use anything from outside. */
export const mappingSource = [fieldErrors, messagesOf, schemaOf, schemaAt, values, escape, unescape]
  .map(String)
  .join('\n')
