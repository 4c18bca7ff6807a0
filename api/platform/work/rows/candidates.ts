import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Person } from '../../people/persons/person.ts'

/** A principal that a task is offered to; `standsInFor` names the vacant principal that it replaces. */
export interface Candidate {
  task: string
  principal: string
  standsInFor?: string
}

/** Pass each only once. */
export async function addCandidates(db: Kysely<DB>, added: readonly Candidate[]): Promise<void> {
  if (added.length === 0) return
  await sql`
    insert into task_candidate (task_id, principal, stands_in_for)
    select task, principal, "standsInFor"
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as added(task text, principal text, "standsInFor" text)
    where not exists (select from task where id = added.task and state in ('done', 'void'))
    on conflict (task_id, principal) do update set stands_in_for = case
      when task_candidate.stands_in_for is null then null else excluded.stands_in_for end`.execute(db)
}

export async function listCandidates(
  db: Kysely<DB>,
  ids: readonly string[],
): Promise<{ task_id: string; principal: string; stands_in_for: string | null }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('task_candidate')
    .select(['task_id', 'principal', 'stands_in_for'])
    .where('task_id', 'in', [...ids])
    .orderBy('principal')
    .execute()
}

/**
 * Those of these tasks that are or were offered to a person or to people they substitute for, or that were claimed or
 * decided by or for them.
 */
export async function listVisibleTasks(
  db: Kysely<DB>,
  ids: readonly string[],
  person: Pick<Person, 'id' | 'principals' | 'standsIn'>,
): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select t.id from task t join flow_case f on f.id = t.case_id where t.id = any(${[...ids]})
      and (${isTheirs(person)} or exists (select from task_candidate c where c.task_id = t.id and ${reaches(person)}))`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/**
 * The task may not exist yet; if it is over, nothing is added. `standsInFor` names the vacant principal, and does not
 * overwrite what the diagram offers.
 */
export function addCandidate(db: Kysely<DB>, task: string, principal: string, standsInFor?: string) {
  return addCandidates(db, [{ task, principal, ...(standsInFor !== undefined && { standsInFor }) }])
}

export async function removeCandidates(db: Kysely<DB>, removed: readonly Candidate[]): Promise<void> {
  if (removed.length === 0) return
  await sql`
    delete from task_candidate k
    using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as removed(task text, principal text)
    where k.task_id = removed.task and k.principal = removed.principal`.execute(db)
}

/** Whether a task `t` is or was a person's: claimed or decided by them, or in their stead. */
export function isTheirs({ id }: Pick<Person, 'id'>): RawBuilder<boolean> {
  return sql<boolean>`${id}::uuid in (t.assignee_id, t.decided_by, t.held_for, t.decided_for)`
}

/**
 * Whether a candidate `c` of a task in the case `f` is a principal of the person, or of somebody they substitute for.
 */
export function reaches({ principals, standsIn }: Pick<Person, 'principals' | 'standsIn'>): RawBuilder<boolean> {
  const own = sql<boolean>`c.principal = any(${[...principals]}::text[])`
  const through = standsIn.map(
    (stead) => sql<boolean>`(c.principal = any(${stead.principals}::text[])
      and (${stead.flows}::text[] is null or f.flow = any(${stead.flows}::text[]))
      and (${stead.amountLimit}::bigint is null or f.amount <= ${stead.amountLimit}::bigint))`,
  )
  return sql<boolean>`(${sql.join([own, ...through], sql` or `)})`
}
