import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { checkForm } from '../../model/forms/check.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'

/** A step of somebody's own record, as stored. */
export interface OwnStepRow {
  step: string
  /** As last saved as complete; null until then. */
  data: JsonObject | null
  /** What was typed since. */
  draft: JsonObject | null
  version: number
  saved_at: Date
}

/** Names one step of somebody's own record, `<area>/<record>`. */
export interface OwnStep {
  accountId: string
  record: string
  step: string
}

type Saved = Pick<OwnStepRow, 'version' | 'saved_at'>

/** The steps of somebody's own record that have been begun. */
export function listOwnSteps(
  db: Kysely<DB>,
  { accountId, record }: Pick<OwnStep, 'accountId' | 'record'>,
): Promise<OwnStepRow[]> {
  return db
    .selectFrom('own_record')
    .select(['step', 'data', 'draft', 'version', 'saved_at'])
    .where('account_id', '=', accountId)
    .where('record', '=', record)
    .$narrowType<Pick<OwnStepRow, 'data' | 'draft'>>()
    .execute()
}

/**
 * Saves a step on top of the given version; undefined if there is another one. `complete` replaces what counts,
 * otherwise it is only a draft.
 */
export async function saveOwnStep(
  db: Kysely<DB>,
  { accountId, record, step }: OwnStep,
  { data, version, complete }: { data: JsonObject; version: number | undefined; complete: boolean },
): Promise<Saved | undefined> {
  const written = complete ? { data: JSON.stringify(data), draft: null } : { draft: JSON.stringify(data) }
  if (version === undefined)
    return db
      .insertInto('own_record')
      .values({ account_id: accountId, record, step, ...written })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['version', 'saved_at'])
      .executeTakeFirst()
  return db
    .updateTable('own_record')
    .set((eb) => ({ ...written, version: eb('version', '+', 1), saved_at: sql<Date>`clock_timestamp()` }))
    .where((eb) => eb.and({ account_id: accountId, record, step, version }))
    .returning(['version', 'saved_at'])
    .executeTakeFirst()
}

/** Drops what was typed and not saved as complete; false if there is no such step. */
export async function dropOwnDraft(db: Kysely<DB>, of: OwnStep): Promise<boolean> {
  const at = { account_id: of.accountId, record: of.record, step: of.step }
  const { numDeletedRows } = await db
    .deleteFrom('own_record')
    .where((eb) => eb.and(at))
    .where('data', 'is', null)
    .executeTakeFirst()
  if (numDeletedRows > 0n) return true
  const { numUpdatedRows } = await db
    .updateTable('own_record')
    .set((eb) => ({ draft: null, version: eb('version', '+', 1) }))
    .where((eb) => eb.and(at))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Attaches the files of a step to it; returns the paths of those that are not the person's own, and the files that it
 * had before and has no more.
 */
export async function setOwnStepFiles(
  trx: Transaction<DB>,
  { accountId, record, step }: OwnStep,
  files: readonly { path: string; id: string }[],
): Promise<{ foreign: string[]; replaced: string[] }> {
  const ids = files.map(({ id }) => id)
  const before = await trx
    .deleteFrom('own_record_file')
    .where((eb) => eb.and({ account_id: accountId, record, step }))
    .returning('file_id')
    .execute()
  const { rows } = await sql<{ id: string }>`
    insert into own_record_file (account_id, record, step, file_id)
    select ${accountId}, ${record}, ${step}, id from file
    where id::text = any (${ids}::text[]) and owner_id = ${accountId}
    returning file_id::text as id`.execute(trx)
  const own = new Set(rows.map(({ id }) => id))
  return {
    foreign: files.filter(({ id }) => !own.has(id)).map(({ path }) => path),
    replaced: before.map((row) => row.file_id).filter((id) => !own.has(id)),
  }
}

/**
 * The data of a start form with the sender's own record in each field `x-record`, as it is now; what was sent for it does
 * not count. Throws if a step is not complete.
 */
export async function withOwnRecords(
  db: Kysely<DB>,
  accountId: string,
  schema: FieldSchema,
  data: unknown,
): Promise<JsonObject> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the routes take a JSON object
  const filled = { ...(data as JsonObject) }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const record = field['x-record']
    if (record === undefined) continue
    const rows = await listOwnSteps(db, { accountId, record })
    const saved = rows.flatMap(({ step, data: one }) => (one === null ? [] : [[step, one] as const]))
    const whole: JsonObject = Object.fromEntries(saved.filter(([step]) => field.properties?.[step]))
    if (checkForm(field, whole).length > 0) {
      const error = { field: `/${name}`, code: 'platform.record-incomplete' }
      throw new BusinessError('platform.form-invalid', {}, [error])
    }
    filled[name] = whole
  }
  return filled
}
