import { type Kysely, type NotNull, sql } from 'kysely'
import type { DB } from '../../../kernel/db/database.generated.ts'
import type { Content, Table } from './flow.ts'

/** Lifetime of a lock after its holder's last request, in seconds. */
const LOCK_SECONDS = 300

/** The open draft of a flow, with who saved it last and who is editing. */
export type DraftRow = NonNullable<Awaited<ReturnType<typeof findDraft>>>

function draftRows(db: Kysely<DB>) {
  return db
    .selectFrom('studio_draft as s')
    .innerJoin('account as a', 'a.id', 's.saved_by')
    .innerJoin('process_definition as d', 'd.id', 's.base_id')
    .leftJoin('account as l', (join) =>
      join.onRef('l.id', '=', 's.lock_holder').on('s.lock_until', '>', sql<Date>`clock_timestamp()`),
    )
    .select(['s.process', 's.revision', 's.base_id', 'd.version as base_version', 's.saved_at', 'a.name as saver'])
    .select((eb) => [
      'l.id as holder',
      'l.name as holder_name',
      eb.case().when('l.id', 'is not', null).then(eb.ref('s.lock_until')).end().as('lock_until'),
    ])
}

/** The open draft of a flow. */
export async function findDraft(db: Kysely<DB>, process: string) {
  return draftRows(db).where('s.process', '=', process).executeTakeFirst()
}

/** The open drafts of some flows. */
export async function listDrafts(db: Kysely<DB>, processes: readonly string[]) {
  return draftRows(db)
    .where('s.process', 'in', [...processes])
    .execute()
}

/** Locks the draft until the end of the transaction. */
export async function lockDraftRow(db: Kysely<DB>, process: string): Promise<void> {
  await db.selectFrom('studio_draft').select('process').where('process', '=', process).forUpdate().execute()
}

/** Diagram and tables of a draft. */
export async function contentOfDraft(db: Kysely<DB>, process: string): Promise<Content> {
  const row = await db
    .selectFrom('studio_draft')
    .select('bpmn')
    .select((eb) => eb.ref('dmn').$castTo<Table[]>().as('dmn'))
    .where('process', '=', process)
    .executeTakeFirstOrThrow()
  return { bpmn: row.bpmn, dmn: row.dmn }
}

/** False if there is one already. */
export async function insertDraft(
  db: Kysely<DB>,
  process: string,
  base: string,
  { bpmn, dmn }: Content,
  by: string,
): Promise<boolean> {
  const made = await db
    .insertInto('studio_draft')
    .values({ process, base_id: base, bpmn, dmn: JSON.stringify(dmn), saved_by: by })
    .onConflict((oc) => oc.doNothing())
    .returning('process')
    .executeTakeFirst()
  return made !== undefined
}

/** Saves the given parts as the next revision. */
export async function updateDraft(db: Kysely<DB>, process: string, { bpmn, dmn }: Partial<Content>, by: string) {
  return db
    .updateTable('studio_draft')
    .set((eb) => ({
      ...(bpmn !== undefined && { bpmn }),
      ...(dmn !== undefined && { dmn: JSON.stringify(dmn) }),
      revision: eb('revision', '+', 1),
      saved_at: sql`clock_timestamp()`,
      saved_by: by,
    }))
    .where('process', '=', process)
    .returning(['revision', 'saved_at'])
    .executeTakeFirstOrThrow()
}

export async function deleteDraft(db: Kysely<DB>, process: string): Promise<void> {
  await db.deleteFrom('studio_draft').where('process', '=', process).execute()
}

/** Takes or renews the lock; returns when it expires. */
export async function setDraftLock(db: Kysely<DB>, process: string, holder: string): Promise<Date> {
  const row = await db
    .updateTable('studio_draft')
    .set({
      lock_holder: holder,
      lock_until: sql`clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})`,
    })
    .where('process', '=', process)
    .returning('lock_until')
    .$narrowType<{ lock_until: NotNull }>()
    .executeTakeFirstOrThrow()
  return row.lock_until
}

/** Releases the lock if this person holds it. */
export async function clearDraftLock(db: Kysely<DB>, process: string, holder: string): Promise<void> {
  await db
    .updateTable('studio_draft')
    .set({ lock_holder: null, lock_until: null })
    .where('process', '=', process)
    .where('lock_holder', '=', holder)
    .execute()
}
