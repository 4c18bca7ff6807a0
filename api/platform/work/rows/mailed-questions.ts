import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { newMailedToken } from '../../kernel/mailed-token.ts'

/** The question of that name; the first call asks it. */
export async function askQuestion(
  db: Kysely<DB>,
  { caseId, name, closesAt }: { caseId: string; name: string; closesAt: Date },
): Promise<{ id: string; answered_at: Date | null }> {
  await db
    .insertInto('mailed_question')
    .values({ id: uuid(), case_id: caseId, name, closes_at: closesAt })
    .onConflict((conflict) => conflict.columns(['case_id', 'name']).doNothing())
    .execute()
  return db
    .selectFrom('mailed_question')
    .select(['id', 'answered_at'])
    .where('case_id', '=', caseId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
}

/** Makes one more link to a question and returns its token, which is stored nowhere. */
export async function addQuestionLink(db: Kysely<DB>, question: string, address: string): Promise<string> {
  const { id, token, hash } = newMailedToken(address)
  await db.insertInto('mailed_question_link').values({ id, question_id: question, token_hash: hash }).execute()
  return token
}

/** The question of a link. */
export async function findQuestionOfLink(db: Kysely<DB>, link: string) {
  return db
    .selectFrom('mailed_question_link as l')
    .innerJoin('mailed_question as q', 'q.id', 'l.question_id')
    .select(['q.id', 'q.case_id', 'q.name', 'q.closes_at', 'q.outcome', 'q.answered_at', 'q.void_at', 'l.token_hash'])
    .select(sql<boolean>`q.closes_at <= clock_timestamp()`.as('closed'))
    .where('l.id', '=', sql<string>`${link}::uuid`)
    .executeTakeFirst()
}

/** Writes the answer; false if there is one. Throws a constraint's error if it is too late. */
export async function answerQuestion(
  db: Kysely<DB>,
  id: string,
  { outcome, data }: { outcome: string; data: JsonObject },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mailed_question')
    .set({ outcome, data: JSON.stringify(data), answered_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether a case to which nothing could tell an answer may still wait for it, until the question closes. */
export async function willAwaitAnswer(db: Kysely<DB>, caseId: string, names: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('mailed_question as q')
    .innerJoin('flow_case as c', 'c.id', 'q.case_id')
    .select('q.id')
    .where('q.case_id', '=', caseId)
    .where('q.name', 'in', [...names])
    .where('q.closes_at', '>', sql<Date>`clock_timestamp()`)
    .where('c.withdrawn_at', 'is', null)
    .where('c.ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The engine refused the answer: it does not count. */
export async function voidAnswers(db: Kysely<DB>, caseId: string, names: readonly string[]): Promise<void> {
  await db
    .updateTable('mailed_question')
    .set({ void_at: sql`clock_timestamp()` })
    .where('case_id', '=', caseId)
    .where('name', 'in', [...names])
    .where('answered_at', 'is not', null)
    .where('void_at', 'is', null)
    .execute()
}

/** The questions of a case, oldest first. */
export async function listQuestions(db: Kysely<DB>, caseId: string) {
  return db
    .selectFrom('mailed_question')
    .select(['id', 'name', 'asked_at', 'closes_at', 'outcome', 'answered_at', 'void_at'])
    .select((eb) => eb.ref('data').$castTo<JsonObject | null>().as('data'))
    .where('case_id', '=', caseId)
    .orderBy('asked_at')
    .execute()
}
