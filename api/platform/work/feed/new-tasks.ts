import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** The name of the job that mails about a new task; its payload is `{ task }`. */
export const MAIL_NEW_TASK = 'mail-new-task'

/** Queues mails, after the commit, to people who asked for one per new task. Does nothing if nobody did. */
export async function mailNewTasksLater(trx: Transaction<DB>, tasks: readonly string[]): Promise<void> {
  if (tasks.length === 0) return
  await sql`
    select graphile_worker.add_job(${MAIL_NEW_TASK}, json_build_object('task', id), max_attempts => 8)
    from unnest(${[...tasks]}::text[]) id
    where exists (select from account where mail_new_tasks and active)`.execute(trx)
}
