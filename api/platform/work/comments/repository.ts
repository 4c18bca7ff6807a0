import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

export type CommentKind = 'comment' | 'note' | 'opinion'

export interface NewComment {
  caseId: string
  taskId: string | null
  author: string
  kind: CommentKind
  body: string
  mentions: readonly string[]
  files: readonly string[]
}

/** A comment as stored, with its mentions and files. */
export interface CommentRow {
  id: string
  case_id: string
  author_id: string
  author: string
  kind: CommentKind
  body: string
  at: Date
  desk: string | null
  task: string | null
  mentions: { id: string; name: string }[]
  files: { id: string; name: string; contentType: string; size: number }[]
}

function readable(reader: string) {
  return sql<boolean>`c.deleted_at is null and (c.kind <> 'note' or c.author_id = ${reader})`
}

export async function insertComment(
  db: Kysely<DB>,
  { caseId, taskId, author, kind, body, mentions, files }: NewComment,
): Promise<string> {
  const id = uuid()
  await db
    .insertInto('case_comment')
    .values({ id, case_id: caseId, task_id: taskId, author_id: author, kind, body })
    .execute()
  if (mentions.length > 0)
    await db
      .insertInto('case_comment_mention')
      .values(mentions.map((account_id) => ({ comment_id: id, account_id })))
      .execute()
  if (files.length > 0)
    await db
      .insertInto('case_comment_file')
      .values(files.map((file_id) => ({ comment_id: id, file_id })))
      .execute()
  return id
}

/** The comments of a case that this reader can read, oldest first; or one of them. */
export async function listCommentRows(
  db: Kysely<DB>,
  caseId: string,
  reader: string,
  only: string | null = null,
): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select c.id, c.case_id, c.author_id, a.name as author, c.kind, c.body, c.at, t.desk, t.name as task,
      (select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name) order by m.name), '[]')
        from case_comment_mention k join account m on m.id = k.account_id where k.comment_id = c.id) as mentions,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'contentType', f.content_type,
          'size', f.size) order by f.created_at), '[]')
        from case_comment_file k join file f on f.id = k.file_id where k.comment_id = c.id) as files
    from case_comment c join account a on a.id = c.author_id left join task t on t.id = c.task_id
    where c.case_id = ${caseId} and ${readable(reader)} and (${only}::uuid is null or c.id = ${only}::uuid)
    order by c.at, c.id`.execute(db)
  return rows
}

export async function countComments(db: Kysely<DB>, caseId: string, reader: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from case_comment c where c.case_id = ${caseId} and ${readable(reader)}`.execute(db)
  return known(rows[0], 'the count').count
}

/** A comment that is not deleted. */
export async function findCommentRow(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('case_comment')
    .select(['id', 'case_id', 'task_id', 'author_id', 'kind'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function markCommentDeleted(db: Kysely<DB>, id: string): Promise<void> {
  await db
    .updateTable('case_comment')
    .set({ deleted_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Those of these files that a person uploaded. */
export async function listOwnFiles(db: Kysely<DB>, ids: readonly string[], owner: string): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where('id', 'in', [...ids])
    .where('owner_id', '=', owner)
    .execute()
  return rows.map((row) => row.id)
}

/** The cases with a comment that has this file and that this reader could read. */
export async function listCasesOfCommentFile(db: Kysely<DB>, fileId: string, reader: string): Promise<string[]> {
  const { rows } = await sql<{ case_id: string }>`
    select distinct c.case_id from case_comment_file k join case_comment c on c.id = k.comment_id
    where k.file_id = ${fileId} and ${readable(reader)}`.execute(db)
  return rows.map((row) => row.case_id)
}

/** Active staff by part of their name or post; without a search term, those who have worked on the case. */
export async function findStaffForCase(
  db: Kysely<DB>,
  caseId: string,
  { search, except, limit }: { search: string | null; except: string; limit: number },
): Promise<{ id: string; name: string; post: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string; post: string | null }>`
    with concerned as (
      select decided_by as id from task where case_id = ${caseId}
      union select assignee_id from task where case_id = ${caseId}
      union select author_id from case_comment where case_id = ${caseId} and kind <> 'note'
      union select g.account_id from task t join task_candidate k on k.task_id = t.id join role_grant g
          on k.principal in (g.role, g.role || '@' || g.scope_kind || ':' || g.scope_id)
          and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())
        where t.case_id = ${caseId}
    )
    select a.id, a.name, post_of(a.id, a.post) as post from account a
    where a.active and a.id <> ${except} and case when ${search}::text is null then a.id in (select id from concerned)
        else a.name ilike ${search} or post_of(a.id, a.post) ilike ${search} end
      and exists (select from role_grant g where g.account_id = a.id and g.role !~* 'student$'
        and g.role <> 'Temporary Employee' and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now()))
    order by a.id in (select id from concerned) desc, a.name, a.id limit ${limit}`.execute(db)
  return rows
}
