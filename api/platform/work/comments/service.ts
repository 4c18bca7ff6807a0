import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { type CaseRow, findCaseRow } from '../rows/cases.ts'
import { taskPath } from '../../model/library/paths.ts'
import type { Cases } from '../cases/service.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { invalid } from '../../people/access/refusals.ts'
import { BusinessError, wrongField } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { containing } from '../../kernel/like.ts'
import { mail } from '../../records/mail/mail.ts'
import { type InsiderDependencies, isInside, isInsideOf } from '../cases/insiders.ts'
import {
  type CommentKind,
  type CommentRow,
  findCommentRow,
  findStaffForCase,
  insertComment,
  listCasesOfCommentFile,
  listCommentRows,
  listOwnFiles,
  markCommentDeleted,
} from './repository.ts'
import { findTask, listOpenTasks } from '../rows/task-reads.ts'
import { known } from '../../kernel/known.ts'

/**
 * Comments are for people who handle the case; the requester reads none. People who are mentioned must handle the case
 * too, and are notified.
 */
export interface CommentsDependencies extends InsiderDependencies {
  cases: Pick<Cases, 'check'>
  publicUrl: string
}

/** A comment as its reader sees it. */
export interface CommentView {
  id: string
  author: { id: string; name: string }
  kind: CommentKind
  body: string
  at: string
  mentions: { id: string; name: string }[]
  files: { id: string; name: string; contentType: string; size: number }[]
  mine: boolean
  /** Name of the desk that it was written at. */
  task: string | null
}

/** A new comment. */
export interface Said {
  body: string
  /** A note that only its writer reads. */
  private?: boolean
  mentions?: string[]
  files?: string[]
  taskId?: string
}

/** Maximum number of suggested people. */
const MAX_SUGGESTIONS = 10

/** The case, for people who handle it; throws 404 if the person may not see it. */
async function findCaseInside(context: CommentsDependencies, person: Person, caseId: string): Promise<CaseRow> {
  const { db, cases } = context
  await cases.check(person, caseId)
  const row = await findCaseRow(db, caseId)
  if (!row || !(await isInsideOf(context, person, row))) throw new BusinessError('platform.not-allowed')
  return row
}

function viewOf(
  { library }: CommentsDependencies,
  row: CommentRow,
  { flow }: CaseRow,
  person: Person,
  language?: Language,
): CommentView {
  const { id, author_id, author, kind, body, at, mentions, files, desk, task } = row
  return {
    ...{ id, kind, body, mentions, files },
    author: { id: author_id, name: author },
    at: new Date(at).toISOString(),
    mine: author_id === person.id,
    task: desk === null ? null : wordsOf(library, language).element(flow, desk, task),
  }
}

/** Throws the names of mentioned people who may not read the comment. */
async function refuseStrangers(
  context: CommentsDependencies,
  row: CaseRow,
  mentions: readonly string[],
): Promise<void> {
  const { db } = context
  const strangers: string[] = []
  for (const id of mentions) {
    const person = await findPerson(db, id)
    if (!person) throw invalid([{ field: '/mentions', code: 'platform.person-unknown' }])
    if (!(await isInsideOf(context, person, row))) strangers.push(person.name)
  }
  if (strangers.length > 0)
    throw wrongField('/mentions', 'platform.mention-cannot-see', { names: strangers.join(', ') })
}

async function refuseForeignFiles({ db }: CommentsDependencies, ids: readonly string[], owner: string): Promise<void> {
  const own = await listOwnFiles(db, ids, owner)
  const foreign = ids.findIndex((id) => !own.includes(id))
  if (foreign >= 0) throw invalid([{ field: `/files/${foreign}`, code: 'platform.file-unknown' }])
}

/** Writes a comment or a note, and notifies the people it mentions. */
export async function addComment(
  context: CommentsDependencies,
  person: Person,
  caseId: string,
  said: Said,
  language?: Language,
): Promise<CommentView> {
  const { db, library, publicUrl } = context
  const { body, private: note = false, mentions = [], files = [], taskId = null } = said
  const row = await findCaseInside(context, person, caseId)
  if (note && mentions.length > 0) throw wrongField('/mentions', 'platform.note-is-private')
  const task = taskId === null ? undefined : await findTask(db, taskId)
  if (taskId !== null && task?.case_id !== caseId) throw new BusinessError('platform.not-found')
  await refuseStrangers(context, row, mentions)
  await refuseForeignFiles(context, files, person.id)
  const kind = note ? 'note' : 'comment'
  const id = await db.transaction().execute(async (trx) => {
    const added = { caseId, taskId, author: person.id, kind, body, mentions, files } as const
    const written = await insertComment(trx, added)
    await noteComment(trx, person, { id: written, caseId, action: 'comment.written', more: { kind, mentions, files } })
    const page = taskId === null ? undefined : taskPath(library, taskId)
    for (const to of mentions.filter((one) => one !== person.id))
      await mail(trx, { library, publicUrl }).send({
        to,
        template: 'platform.mail.mentioned',
        caseId,
        values: { by: person.name, words: body },
        ...(page !== undefined && { page }),
      })
    return written
  })
  if (!note) await tellReaders(context, caseId, mentions)
  const [written] = await listCommentRows(db, caseId, person.id, id)
  return viewOf(context, known(written, 'the written comment'), row, person, language)
}

async function noteComment(
  trx: Transaction<DB>,
  person: Person,
  { id, caseId, action, more = {} }: { id: string; caseId: string; action: string; more?: object },
): Promise<void> {
  await audit(trx).record({ actor: person.id, action, caseId, object: `comment:${id}`, payload: more })
}

/** Makes the browsers of people who have the case or one of its tasks open reload it. */
async function tellReaders({ db }: CommentsDependencies, caseId: string, people: readonly string[]): Promise<void> {
  const open = await listOpenTasks(db, caseId)
  const principals = people.map((id) => `user:${id}`)
  await announce(db, { principals, cases: [caseId], tasks: open.map((task) => task.id) })
}

/** The comments of a case that this person can read, oldest first. */
export async function listComments(
  context: CommentsDependencies,
  person: Person,
  caseId: string,
  language?: Language,
): Promise<CommentView[]> {
  const { db } = context
  const row = await findCaseInside(context, person, caseId)
  const rows = await listCommentRows(db, caseId, person.id)
  return rows.map((one) => viewOf(context, one, row, person, language))
}

/** Deletes an own comment. An opinion stays, because it is part of how the case was decided. */
export async function deleteComment(context: CommentsDependencies, person: Person, id: string): Promise<void> {
  const { db } = context
  const found = await findCommentRow(db, id)
  if (found?.author_id !== person.id) throw new BusinessError('platform.not-found')
  if (found.kind === 'opinion') throw new BusinessError('platform.opinion-stays')
  await db.transaction().execute(async (trx) => {
    await markCommentDeleted(trx, id)
    await noteComment(trx, person, { id, caseId: found.case_id, action: 'comment.deleted' })
  })
  if (found.kind !== 'note') await tellReaders(context, found.case_id, [])
}

/** The people who can be mentioned. */
export async function listPeopleToMention(
  context: CommentsDependencies,
  person: Person,
  caseId: string,
  search?: string,
) {
  const { db } = context
  const row = await findCaseInside(context, person, caseId)
  const wanted = { search: search ? containing(search) : null, except: person.id, limit: 2 * MAX_SUGGESTIONS }
  const found = await findStaffForCase(db, caseId, wanted)
  const inside = await Promise.all(
    found.map(async (one) => {
      const colleague = await findPerson(db, one.id)
      return colleague && (await isInsideOf(context, colleague, row)) ? [one] : []
    }),
  )
  return inside.flat().slice(0, MAX_SUGGESTIONS)
}

/** Whether a person may read a file because it belongs to a comment that they can read. */
export async function mayReadInComments(
  dependencies: InsiderDependencies,
  person: Person,
  fileId: string,
): Promise<boolean> {
  const found = await listCasesOfCommentFile(dependencies.db, fileId, person.id)
  for (const caseId of found) if (await isInside(dependencies, person, caseId)) return true
  return false
}
