import { type FieldSchema, type RegisterDefinition, textAt } from '../../model/definitions/register.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { csvOf } from '../../../../forms/platform/csv.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { byName, fold } from './csv.ts'
import { known } from '../../kernel/known.ts'

/** A field that fits into a cell. */
export interface Column {
  name: string
  schema: FieldSchema
  required: boolean
  /** The column of the entry that must hold this value too; the value itself is not stored. */
  confirms?: string
  /** The cell has the codes of several entries; each becomes a row of the list, in the field of this name. */
  rows?: string
  /** Only for readers of the file, such as a name beside a number. */
  ignored?: boolean
}

type Registers = Pick<Library, 'registers'>

/** The fields that fit into cells, in form order, and the status. */
export function columnsOf({ item, statuses, template }: RegisterDefinition, library: Registers): Column[] {
  const properties = item.properties ?? {}
  const order = item['x-order'] ?? Object.keys(properties)
  const wanted = demanded(item)
  const fields = order.flatMap((name): Column[] => {
    const whole = known(properties[name], 'a field in the order')
    const field = { name, ...cellOf(whole), required: wanted.includes(name) }
    const owner = `/${name}` === template ? ownerColumn(field, library) : []
    return [field, ...owner, ...confirmingColumn(field, library)]
  })
  const status = { type: 'string', title: 'platform.register-page.status', enum: statuses }
  return [...fields.filter(({ schema }) => isPlain(schema)), { name: 'status', schema: status, required: false }]
}

/** What a cell holds: of a list of entries the field that names them, under the title of the list. */
function cellOf(schema: FieldSchema): Pick<Column, 'schema' | 'rows'> {
  const [[rows, field] = []] = schema['x-codes'] ? Object.entries(schema.items?.properties ?? {}) : []
  return rows && field ? { schema: { ...field, title: schema.title ?? rows }, rows } : { schema }
}

/** Beside an entry that a second value confirms: that value. */
function confirmingColumn(field: Column, library: Registers): Column[] {
  const name = field.schema['x-import-with']
  if (name === undefined) return []
  const schema = known(namedBy(field, library)?.item.properties?.[name], 'the field of x-import-with')
  return [{ name, schema, required: field.required, confirms: field.name }]
}

/** Beside an entry in a template: the entry that it belongs to. */
function ownerColumn(field: Column, library: Registers): Column[] {
  const { belongsTo, item } = namedBy(field, library) ?? {}
  const schema = belongsTo === undefined ? undefined : item?.properties?.[belongsTo.slice(1)]
  return schema
    ? [{ name: 'owner', schema: { type: 'string', title: String(schema.title) }, required: false, ignored: true }]
    : []
}

/** The register whose entries a column names. */
function namedBy({ schema }: Pick<Column, 'schema'>, { registers }: Registers): RegisterDefinition | undefined {
  return registers.get(schema['x-register'] ?? '')
}

function isPlain(schema: FieldSchema): boolean {
  const plain = ['string', 'integer', 'number', 'boolean'].includes(schema.type ?? '')
  const written = schema['readOnly'] !== true && schema['x-maps'] === undefined
  return plain && written && schema['x-widget'] !== 'file' && schema['x-entry-of'] === undefined
}

/** Whether a register can be imported: all required fields fit into cells, and none is encrypted. */
export function importable({ item, sealed }: RegisterDefinition): boolean {
  return !sealed && demanded(item).every((name) => isPlain(cellOf(item.properties?.[name] ?? {}).schema))
}

function demanded(item: FieldSchema): readonly string[] {
  return item.required ?? []
}

/**
 * A file with the columns of an import, and a line for each of these entries, which `template` names: by their codes if
 * a second value confirms them, because an import then takes nothing else.
 */
export function templateOf(
  definition: RegisterDefinition,
  library: Registers,
  entries: readonly { title: string; owner?: string; data: JsonObject }[],
): string {
  const columns = columnsOf(definition, library)
  const lines = entries.map(({ title, owner = '', data }) =>
    columns.map((column) => {
      if (`/${column.name}` !== definition.template) return column.ignored ? owner : ''
      const code = column.schema['x-import-with'] && namedBy(column, library)?.codeField
      return code ? (textAt(data, code) ?? '') : title
    }),
  )
  return csvOf([columns.map(({ name }) => name), ...lines])
}

/** Columns by their names in a file: the field's name, its label in any language, or the label of the code it takes. */
export function namesOf(fields: readonly Column[], library: Pick<Library, 'registers' | 'text'>): Map<string, Column> {
  const labels = fields.flatMap((column) =>
    [column.schema, ...codeOf(column, library)].flatMap(({ title }) =>
      languages.map((language) => [fold(library.text(String(title), {}, language)), column] as const),
    ),
  )
  return new Map([...labels, ...byName(fields)])
}

/** The code by which alone a column names an entry that a second value confirms. */
function codeOf(column: Column, library: Registers): FieldSchema[] {
  const { codeField, item } = namedBy(column, library) ?? {}
  const code = codeField && column.schema['x-import-with'] ? item?.properties?.[codeField.slice(1)] : undefined
  return code ? [code] : []
}
