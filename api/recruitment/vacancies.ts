import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

export const VACANCIES = 'recruitment/vacancy'
export const APPLICATIONS = 'recruitment/job-application'

/** Results that take one of the posts of a vacancy. */
const TAKING_A_POST = ['Selected', 'Demoted']

/** How many posts of a vacancy are given. */
export async function postsGiven(trx: Transaction<DB>, vacancy: string): Promise<number> {
  const { count } = await trx
    .selectFrom('flow_case')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('flow', '=', APPLICATIONS)
    .where(sql`data ->> 'vacancy'`, '=', vacancy)
    .where(sql`facts ->> 'result'`, 'in', TAKING_A_POST)
    .executeTakeFirstOrThrow()
  return Number(count)
}
