import { type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { type RegisterDefinition, agreesIn, inUse } from '../../model/definitions/register.ts'
import { takeSpans } from './apart.ts'
import { type RegistersContext, selectionOf } from './context.ts'
import type { By, ItemRow } from './item.ts'
import type { ItemError } from './refusals.ts'
import { filesIn, references, uniqueValues } from './values.ts'

/** Rows that were just written, their author, and what the audit trail gets of each. */
interface Written {
  register: string
  /** The definitions of all registers. */
  library: RegistersContext['library']
  definition: RegisterDefinition
  rows: readonly ItemRow[]
  by: By
  told: (row: ItemRow) => { action: string; payload: object }
  /** The earlier data of a changed entry. */
  before?: JsonObject
  /** What is wrong with the entry since before its rules: the database does not enforce these yet. */
  earlier?: readonly FieldError[]
}

/**
 * Writes what belongs to changed rows: versions, unique values, references, files and audit entries. Returns unique
 * values that were taken concurrently; the caller must then roll back.
 */
export async function recordWritten(trx: Transaction<DB>, written: Written): Promise<ItemError[]> {
  const { register, rows, by, told } = written
  await addVersions(trx, written)
  const lost = await takeUniqueValues(trx, written)
  if (lost.length > 0) return lost
  const late = await keepDays(trx, written)
  if (late.length > 0) return late
  await replaceReferences(trx, written)
  for (const row of rows) await publishFiles(trx, written, row)
  await replaceFiles(trx, written)
  const actor = by ?? 'system:registers'
  await audit(trx).recordAll(rows.map((row) => ({ actor, object: `${register}:${row.id}`, ...told(row) })))
  return []
}

async function addVersions(trx: Transaction<DB>, { rows, by }: Written): Promise<void> {
  await sql`
    insert into register_item_version (item_id, version, status, data, changed_by)
    select id, version, status, data, ${by}::uuid from register_item where id = any(${idsOf(rows)}::uuid[])`.execute(
    trx,
  )
}

/** Returns the values that another entry took concurrently. */
async function takeUniqueValues(trx: Transaction<DB>, { register, definition, rows }: Written): Promise<ItemError[]> {
  const values = rows.flatMap((row, index) =>
    uniqueValues(definition, row).map((one) => ({ index, ...one, id: row.id })),
  )
  await trx.deleteFrom('register_unique').where('item_id', 'in', idsOf(rows)).execute()
  const kept = await sql<{ item_id: string; field: string }>`
    insert into register_unique (register, field, value, item_id)
    select ${register}, path, value, id
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(path text, value text, id uuid)
    order by path, value
    on conflict do nothing
    returning item_id, field`.execute(trx)
  const mine = new Set(kept.rows.map(({ item_id, field }) => `${item_id}${field}`))
  const lost = values.filter(({ id, path }) => !mine.has(`${id}${path}`))
  return lost.map(({ index, path, code }) => ({ index, field: path, code }))
}

/** Days that overlap since before the rule are kept apart once they change. */
async function keepDays(
  trx: Transaction<DB>,
  { register, definition, rows, earlier = [] }: Written,
): Promise<ItemError[]> {
  const lost = await takeSpans(trx, definition, { register, items: rows.map((row, index) => ({ ...row, index })) })
  return lost.filter(({ field }) => !earlier.some((older) => older.field === field))
}

async function replaceReferences(
  trx: Transaction<DB>,
  { library, definition, rows, earlier = [] }: Written,
): Promise<void> {
  const isWrong = (...fields: string[]) => earlier.some(({ field }) => fields.includes(field))
  await trx.deleteFrom('register_reference').where('item_id', 'in', idsOf(rows)).execute()
  const targets = rows.flatMap((row) =>
    references(definition, row.data).map(({ path, target, freezes, agrees, ends, rules, ...named }) => {
      const isBound = agreesIn(definition, row.status)
      // Of a reference that is wrong, only one error is told.
      const isOlder = isWrong(path, ...Object.keys(agrees ?? {}).map((name) => `/${name}`))
      return {
        ...{ id: row.id, path, target, freezes, ends },
        rules: isBound && earlier.length === 0 ? rules : null,
        agrees: isBound && !isOlder ? agrees : null,
        selection: row.status === inUse(definition) && !isOlder ? selectionOf({ library }, named) : null,
      }
    }),
  )
  await sql`
    insert into register_reference (item_id, path, target_id, freezes, ends, agrees, selection, rules)
    select id, path, target, freezes, ends, nullif(agrees, 'null'), nullif(selection, 'null'), nullif(rules, 'null')
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      as t(id uuid, path text, target uuid, freezes text[], ends boolean, agrees jsonb, selection jsonb, rules jsonb)`.execute(
    trx,
  )
}

/** Makes files in public fields public; people can only use their own files there, and those that the entry ever had. */
async function publishFiles(
  trx: Transaction<DB>,
  { definition, before = {}, by }: Written,
  { id, version, data }: ItemRow,
): Promise<void> {
  const present = new Set(filesIn(definition, before).map((leaf) => leaf.value))
  const added = filesIn(definition, data).filter((leaf) => !present.has(leaf.value))
  if (added.length === 0) return
  const former = await formerFiles(trx, definition, { id, version })
  for (const { path, value } of added) {
    const shown = definition.public?.fields.some((field) => path === field || path.startsWith(`${field}/`)) ?? false
    let own = trx.updateTable('file').where('id', '=', String(value))
    if (by !== null && !former.has(value)) own = own.where('owner_id', '=', by)
    const { numUpdatedRows } = await own
      .set({ public: sql<boolean>`public or ${shown}`, attached_at: sql`coalesce(attached_at, now())` })
      .executeTakeFirst()
    if (numUpdatedRows !== 1n)
      throw new BusinessError('platform.form-invalid', {}, [{ field: path, code: 'platform.file-unknown' }])
  }
}

/** The files in the file fields of the entry's earlier versions. */
async function formerFiles(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  { id, version }: Pick<ItemRow, 'id' | 'version'>,
): Promise<ReadonlySet<unknown>> {
  const versions = await trx
    .selectFrom('register_item_version')
    .select('data')
    .where('item_id', '=', id)
    .where('version', '<', version)
    .execute()
  return new Set(versions.flatMap((earlier) => filesIn(definition, earlier.data).map((leaf) => leaf.value)))
}

async function replaceFiles(trx: Transaction<DB>, { definition, rows }: Written): Promise<void> {
  await trx.deleteFrom('register_file').where('item_id', 'in', idsOf(rows)).execute()
  const named = rows.flatMap((row) => filesIn(definition, row.data).map(({ value }) => ({ id: row.id, file: value })))
  if (named.length === 0) return
  await sql`
    insert into register_file (item_id, file_id)
    select distinct id, file from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as t(id uuid, file uuid)`.execute(
    trx,
  )
}

function idsOf(rows: readonly ItemRow[]): string[] {
  return rows.map(({ id }) => id)
}
