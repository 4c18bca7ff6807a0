import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'

export type QuestionRow = Awaited<ReturnType<ReturnType<typeof questionRepository>['listOfCase']>>[number]

/** Questions to requesters; a task has at most one unanswered question. */
export function questionRepository(db: Kysely<DB> | Transaction<DB>) {
  const questions = () =>
    db
      .selectFrom('task_question as q')
      .innerJoin('task as t', 't.id', 'q.task_id')
      .innerJoin('account as a', 'a.id', 'q.asked_by')
      .leftJoin('account as b', 'b.id', 'q.answered_by')
      .select(['q.id', 'q.case_id', 'q.task_id', 'q.question', 'q.asked_by', 'q.asked_at', 'q.answer'])
      .select(['q.answered_by', 'q.answered_at', 'a.name as asker', 'b.name as answerer'])
      .select(['t.desk', 't.name as task', 't.assignee_id'])
      // A question is no longer open once its task is decided.
      .select((eb) => eb.and([eb('q.answered_at', 'is', null), eb('t.state', 'in', ['open', 'held'])]).as('open'))
      .where('q.withdrawn_at', 'is', null)
      .orderBy('q.asked_at')
      .orderBy('q.id')
  const waiting = (taskId: string) =>
    db
      .updateTable('task_question')
      .where('task_id', '=', taskId)
      .where('answered_at', 'is', null)
      .where('withdrawn_at', 'is', null)

  return {
    /** The questions of a case that were answered or are still open, oldest first. */
    async listOfCase(caseId: string) {
      const rows = await questions().where('q.case_id', '=', caseId).execute()
      return rows.filter(({ open, answered_at }) => open || answered_at !== null)
    },

    /** The open question of a task. */
    async findOpen(taskId: string) {
      return questions().where('q.task_id', '=', taskId).where('q.answered_at', 'is', null).executeTakeFirst()
    },

    async find(id: string) {
      return questions().where('q.id', '=', id).executeTakeFirst()
    },

    /** False if one is open already. */
    async ask({ taskId, ...more }: { taskId: string; caseId: string; by: string; question: string }): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('task_question')
        .values({ id: uuid(), task_id: taskId, case_id: more.caseId, asked_by: more.by, question: more.question })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    /** False if it is no longer open. */
    async answer(id: string, by: string, answer: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task_question')
        .set({ answer, answered_by: by, answered_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('answered_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** False if none is open. */
    async withdraw(taskId: string): Promise<boolean> {
      const { numUpdatedRows } = await waiting(taskId)
        .set({ withdrawn_at: sql`clock_timestamp()` })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
