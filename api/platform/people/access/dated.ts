import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** State of a dated grant. */
export type GrantState = 'current' | 'future' | 'ended'

/** The job that settles what begins or ends at a moment; its payload is `{ at }`. */
export const SETTLE_ACCESS = 'settle-access'

// A grant that was revoked before it began has ended, even if its end is in the future.
export const grantState = sql<GrantState>`case when g.ends_at <= greatest(now(), g.starts_at) then 'ended'
  when g.starts_at > now() then 'future' else 'current' end`
export const lasting = sql<boolean>`(g.ends_at is null or g.ends_at > greatest(now(), g.starts_at))`

/** Schedules the job for each of these moments. */
export async function settleAt(db: Kysely<DB>, moments: readonly (Date | null)[]): Promise<void> {
  for (const at of new Set(moments.flatMap((moment) => (moment ? [moment.toISOString()] : []))))
    await sql`select graphile_worker.add_job(${SETTLE_ACCESS}, ${JSON.stringify({ at })}::json,
          run_at => ${at}::timestamptz, job_key => ${`access:${at}`})`.execute(db)
}
