import { type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'

/** The register of the bands. */
const BANDS = 'scholarships/points'

/** What the welfare office gives points for. */
export const criteria = ['income', 'results', 'distance', 'siblings'] as const

export type Criterion = (typeof criteria)[number]

/** The family income of what an application says in whole rupees a year; its form has cents. */
const familyIncome = (says: RawBuilder<unknown>): RawBuilder<number> =>
  sql`floor(coalesce((${says} ->> 'income')::numeric, 0) / 100)`

/** The points of what an application says, by criterion: those of the highest band in use that it reaches, if any. */
export const pointsIn = (application: RawBuilder<unknown>): RawBuilder<Partial<Record<Criterion, number>>> => sql`(
  select coalesce(jsonb_object_agg(reached.criterion, reached.points), '{}') from (
    select distinct on (b.data ->> 'criterion') b.data ->> 'criterion' as criterion, (b.data ->> 'points')::int as points
    from register_item b cross join (select ${application} as says) a
    where b.register = ${BANDS} and b.status = 'Active'
      and (b.data ->> 'at_least')::numeric <= case b.data ->> 'criterion'
        when 'income' then ${familyIncome(sql`a.says`)}
        else coalesce((a.says ->> (b.data ->> 'criterion'))::numeric, 0) end
    order by b.data ->> 'criterion', (b.data ->> 'at_least')::numeric desc) reached)`

/** The points of an application by criterion, and the income that they are for. */
export async function readIncomeAndPoints(
  trx: Transaction<DB>,
  application: JsonObject,
): Promise<{ income: number; points: Record<Criterion, number> }> {
  const says = sql`${JSON.stringify(application)}::jsonb`
  const { rows } = await sql<{ income: number; points: Partial<Record<Criterion, number>> }>`
    select ${familyIncome(says)}::float8 as income, ${pointsIn(says)} as points`.execute(trx)
  const [found] = rows
  const of = (criterion: Criterion) => found?.points[criterion] ?? 0
  const points = { income: of('income'), results: of('results'), distance: of('distance'), siblings: of('siblings') }
  return { income: found?.income ?? 0, points }
}
