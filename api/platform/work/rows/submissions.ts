import { randomBytes } from 'node:crypto'
import { type Kysely, type NotNull, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { sentHash } from '../../kernel/audit/format.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { utc } from '../../kernel/db/utc.ts'
import { bound } from '../../kernel/bound.ts'

export interface NewSubmission {
  caseId: string
  taskId?: string
  formKey: string
  formHash: string
  data: unknown
  by: string
  actedAs?: string | null
}

/** The sealed part of a submission. */
export interface SealedSubmission extends JsonObject {
  submissionId: string
  formHash: string
  /** Its `sentHash`. */
  sealed: string
  /** The sender's name at that time. */
  submitter: string | null
}

/** Attaches files that this person uploaded; returns the ids that are unknown or somebody else's. */
export async function addCaseFiles(
  db: Kysely<DB>,
  caseId: string,
  submissionId: string,
  owner: string,
  files: readonly { path: string; id: string }[],
): Promise<string[]> {
  const added: string[] = []
  for (const { path, id } of files) {
    const { rows } = await sql<{ file_id: string }>`
      insert into case_file (case_id, file_id, submission_id, path)
      select ${caseId}, id, ${submissionId}, ${path} from file where id::text = ${id} and owner_id = ${owner}
      on conflict (case_id, file_id) do update set path = excluded.path returning file_id`.execute(db)
    added.push(...rows.map((row) => row.file_id))
  }
  return files.filter(({ id }) => !added.includes(id)).map(({ path }) => path)
}

export async function listCaseFiles(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('case_file as cf')
    .innerJoin('file as f', 'f.id', 'cf.file_id')
    .select(['f.id', 'f.name', 'f.content_type', 'f.size', 'cf.path', 'cf.submission_id'])
    .where('cf.case_id', '=', caseId)
    .orderBy('f.created_at')
    .execute()
}

/** Adds a submission. Its audit entry contains all of `sealed`, so that later changes can be detected. */
export async function addSubmission(
  db: Kysely<DB>,
  given: NewSubmission,
): Promise<{ id: string; sealed: SealedSubmission }> {
  const id = uuid()
  const salt = randomBytes(16)
  const data = JSON.stringify(given.data)
  const { caseId, taskId = null, formKey, formHash, by, actedAs = null } = given
  const { at, name } = await db
    .insertInto('submission')
    .values({
      ...{ id, salt, data, case_id: caseId, task_id: taskId, form_key: formKey, form_hash: formHash },
      ...{ submitted_by: by, acted_as: actedAs },
    })
    .returning((eb) => [
      utc(sql.ref('at')).as('at'),
      eb.selectFrom('account').select('name').where('id', '=', by).$asScalar().as('name'),
    ])
    .executeTakeFirstOrThrow()
  const stored: unknown = JSON.parse(data)
  const sent = { id, caseId, taskId, formKey, formHash, data: stored, by, actedAs, at }
  return { id, sealed: { submissionId: id, formHash, sealed: sentHash(salt, sent), submitter: name } }
}

export async function listSubmissions(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('submission as s')
    .innerJoin('account as a', 'a.id', 's.submitted_by')
    .leftJoin('task as t', 't.id', 's.task_id')
    .leftJoin('account as f', (join) =>
      join
        .onRef('f.id', '=', 't.decided_for')
        .onRef('t.decided_by', '=', 's.submitted_by')
        .on('s.effect', '<>', 'void'),
    )
    .select([
      's.acted_as',
      's.at',
      's.case_id',
      's.data',
      's.effect',
      's.form_hash',
      's.form_key',
      's.id',
      's.salt',
      's.submitted_by',
      's.task_id',
      's.void_reason',
    ])
    .select(['a.name as submitter_name', 't.desk', 'f.id as stood_in_for', 'f.name as stood_in_for_name'])
    .where('s.case_id', '=', caseId)
    .orderBy('s.at')
    .execute()
}

/** When each voided submission of a case was voided, by submission. */
async function listVoidedSubmissions(db: Kysely<DB>, caseId: string): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('command')
    .select(['submission_id', 'done_at'])
    .where('case_id', '=', caseId)
    .where('submission_id', 'is not', null)
    .where('state', 'in', ['refused', 'cancelled'])
    .where('done_at', 'is not', null)
    .$narrowType<{ submission_id: NotNull; done_at: NotNull }>()
    .execute()
  return new Map(rows.map((row) => [row.submission_id, row.done_at]))
}

export async function endSubmission(
  db: Kysely<DB>,
  id: string,
  effect: 'done' | 'void',
  reason: string | null = null,
): Promise<void> {
  await db
    .updateTable('submission')
    .set({ effect, void_reason: reason })
    .where('id', '=', id)
    .where('effect', '=', 'pending')
    .execute()
}

/** Voids a pending submission of a task. */
export async function voidSubmissionOf(db: Kysely<DB>, taskId: string, reason: string): Promise<void> {
  await db
    .updateTable('submission')
    .set({ effect: 'void', void_reason: reason })
    .where('task_id', '=', taskId)
    .where('effect', '=', 'pending')
    .execute()
}

/** The submissions of cases, with their files. */
export function submissionRepository(db: Kysely<DB>) {
  return bound(db, {
    addFiles: addCaseFiles,
    listFiles: listCaseFiles,
    addSubmission,
    listSubmissions,
    listVoided: listVoidedSubmissions,
    endSubmission,
    voidSubmissionOf,
  })
}
