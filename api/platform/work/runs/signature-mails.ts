import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** The name of the job that asks the students of a run to sign; its payload is `{ case }`. */
export const MAIL_SIGNATURES = 'mail-signatures'

/** Queues the mails to students who have not signed; `at`: when the decision takes effect that lets them sign. */
export async function askForSignaturesLater(trx: Transaction<DB>, caseId: string, at: Date | undefined): Promise<void> {
  await sql`
    select graphile_worker.add_job(${MAIL_SIGNATURES}, json_build_object('case', ${caseId}::text),
      run_at => coalesce(${at ?? null}::timestamptz, now()), max_attempts => 8, job_key => ${`signatures:${caseId}`})`.execute(
    trx,
  )
}
