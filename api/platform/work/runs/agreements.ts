import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'

/** A desk whose last answer agreed to a run. */
export interface RunAgreement {
  desk: string
  /** Name of the task in the diagram. */
  name: string
  /** Account and name of who agreed. */
  by: string
  person: string
  at: Date
}

/** The desks whose last answer agreed to the run of a case, in order of agreement. */
export async function agreementsTo(
  db: Kysely<DB>,
  { agreement }: Pick<Manifest, 'agreement'>,
  caseId: string,
): Promise<RunAgreement[]> {
  if (!agreement) return []
  const { rows } = await sql<RunAgreement & { outcome: string | null }>`
    select distinct on (t.desk) t.desk, t.name, s.submitted_by as by, a.name as person, s.at, s.data ->> 'outcome' as outcome
    from submission s join task t on t.id = s.task_id join account a on a.id = s.submitted_by
    where s.case_id = ${caseId}::uuid and s.effect <> 'void' and t.desk = any(${Object.keys(agreement.by)}::text[])
    order by t.desk, s.at desc`.execute(db)
  return rows
    .filter(({ desk, outcome }) => outcome === agreement.by[desk])
    .toSorted((a, b) => Number(a.at) - Number(b.at))
}

/** Whether a line has changed since a desk agreed to it. */
export function changedSinceAgreed(changedAt: Date | null, { at }: Pick<RunAgreement, 'at'>): boolean {
  return changedAt !== null && changedAt > at
}
