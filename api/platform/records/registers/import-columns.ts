import type { FieldSchema, RegisterDefinition } from '../../model/definitions/register.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { byName, fold } from './csv.ts'
import { known } from '../../kernel/known.ts'

/** A field that fits into a cell. */
export interface Column {
  name: string
  schema: FieldSchema
  required: boolean
}

/** The fields that fit into cells, in form order, and the status. */
export function columnsOf({ item, statuses }: RegisterDefinition): Column[] {
  const properties = item.properties ?? {}
  const order = item['x-order'] ?? Object.keys(properties)
  const wanted = demanded(item)
  const fields = order.map((name) => ({
    name,
    schema: known(properties[name], 'a field in the order'),
    required: wanted.includes(name),
  }))
  const status = { type: 'string', title: 'platform.register-page.status', enum: statuses }
  return [...fields.filter(({ schema }) => isPlain(schema)), { name: 'status', schema: status, required: false }]
}

function isPlain(schema: FieldSchema): boolean {
  const plain = ['string', 'integer', 'number', 'boolean'].includes(schema.type ?? '')
  return plain && schema['x-widget'] !== 'file' && schema['x-entry-of'] === undefined
}

/** Whether a register can be imported: all required fields fit into cells. */
export function importable({ item }: RegisterDefinition): boolean {
  return demanded(item).every((name) => isPlain(item.properties?.[name] ?? {}))
}

function demanded(item: FieldSchema): readonly string[] {
  return item.required ?? []
}

/** An empty file with the columns of an import; the byte order mark makes spreadsheets read it as UTF-8. */
export function templateOf(definition: RegisterDefinition): string {
  return `\uFEFF${columnsOf(definition)
    .map(({ name }) => name)
    .join(',')}\r\n`
}

/** Columns by their names in a file: the field's name, or its label in any language. */
export function namesOf(fields: readonly Column[], library: Pick<Library, 'text'>): Map<string, Column> {
  const labels = fields.flatMap((column) =>
    languages.map((language) => [fold(library.text(String(column.schema['title']), {}, language)), column] as const),
  )
  return new Map([...labels, ...byName(fields)])
}
