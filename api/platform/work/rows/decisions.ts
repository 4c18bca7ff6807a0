import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Who decided at a desk of a case, and in whose stead. */
export interface Decision {
  case_id: string
  desk: string
  decided_by: string
  decided_for: string | null
}

/**
 * Every decision in these cases that took effect or is pending. A decision also counts for the desk that its own became
 * when the case moved.
 */
export async function listDecisions(db: Kysely<DB>, caseIds: readonly string[]): Promise<Decision[]> {
  const { rows } = await sql<Decision>`
    with decided as (
      select case_id, desk, decided_by, decided_for from task
      where case_id = any(${[...caseIds]}::uuid[]) and state in ('accepted', 'done') and decided_by is not null
    )
    select * from decided
    union all
    select d.case_id, b.target, d.decided_by, d.decided_for
    from decided d join case_desk b on b.case_id = d.case_id and b.source = d.desk`.execute(db)
  return rows
}

/** Who decided at these desks of a case, and in whose stead; effective and pending decisions. */
export async function listDeciders(db: Kysely<DB>, caseId: string, desks: readonly string[]): Promise<string[]> {
  if (desks.length === 0) return []
  return decidersAt(await listDecisions(db, [caseId]), caseId, desks)
}

/**
 * The desks that had decided when the case first reached a desk, each with its last decision by then. Decisions before
 * the last correction of the start form do not count.
 */
export async function listEarlierDesks(db: Kysely<DB>, caseId: string, desk: string, startForm: string) {
  const { rows } = await sql<{ desk: string; name: string; decider_id: string; decider: string }>`
    with round as (
      select coalesce(max(ended_at), '-infinity') as began from task
      where case_id = ${caseId} and form_key = ${startForm} and state = 'done'
    ), reached as (
      select min(t.created_at) as at from task t, round
      where t.case_id = ${caseId} and t.desk = ${desk} and t.created_at >= round.began
    )
    select distinct on (t.desk) t.desk, t.name, a.id as decider_id, a.name as decider
    from round, reached, task t join account a on a.id = t.decided_by
    where t.case_id = ${caseId} and t.desk <> ${desk} and t.form_key is distinct from ${startForm} and t.state = 'done'
      and t.created_at >= round.began and t.decided_at <= reached.at
    order by t.desk, t.decided_at desc`.execute(db)
  return rows
}

/** Who decided at some desks of a case, and in whose stead. */
export function decidersAt(decisions: readonly Decision[], caseId: string, desks: readonly string[]): string[] {
  return decisions
    .filter((one) => one.case_id === caseId && desks.includes(one.desk))
    .flatMap((one) => [one.decided_by, ...(one.decided_for === null ? [] : [one.decided_for])])
}
