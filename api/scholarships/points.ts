import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'

/** The register of the bands. */
export const BANDS = 'scholarships/points'

/** What the welfare office gives points for. */
export const criteria = ['income', 'results', 'distance', 'siblings'] as const

export type Criterion = (typeof criteria)[number]

/** The family income of an application in whole rupees a year; its form has cents. */
export function familyIncomeOf(application: JsonObject): number {
  return Math.floor(Number(application['income'] ?? 0) / 100)
}

/** The points of an application by criterion: those of the highest band in use that it reaches. */
export async function pointsOf(trx: Transaction<DB>, application: JsonObject): Promise<Record<Criterion, number>> {
  const rows = await trx
    .selectFrom('register_item')
    .select([
      sql<string>`data ->> 'criterion'`.as('criterion'),
      sql<number>`(data ->> 'at_least')::float8`.as('atLeast'),
      sql<number>`(data ->> 'points')::int`.as('points'),
    ])
    .where('register', '=', BANDS)
    .where('status', '=', 'Active')
    .orderBy(sql`(data ->> 'at_least')::float8`, 'desc')
    .execute()
  const of = (criterion: Criterion) => {
    const value = criterion === 'income' ? familyIncomeOf(application) : Number(application[criterion] ?? 0)
    return rows.find((band) => band.criterion === criterion && band.atLeast <= value)?.points ?? 0
  }
  return { income: of('income'), results: of('results'), distance: of('distance'), siblings: of('siblings') }
}
