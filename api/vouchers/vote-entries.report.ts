import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { accountOf } from './votes/accounts.ts'
import { known } from '../platform/kernel/known.ts'

const report: Report = {
  async rows({ db, filter: { vote }, limit }) {
    if (typeof vote !== 'string') return []
    const sumOf = (account: Parameters<typeof accountOf>[1]) =>
      sql<number>`coalesce(sum(l.amount) filter (where l.account_id = ${accountOf(vote, account)}), 0)::float8`
    const rows = await db
      .selectFrom('ledger_line as l')
      .innerJoin('ledger_entry as e', 'e.id', 'l.entry_id')
      .leftJoin('flow_case as c', 'c.id', 'e.case_id')
      .where(
        'l.account_id',
        'in',
        (['available', 'committed', 'spent', 'lapsed'] as const).map((account) => accountOf(vote, account)),
      )
      .groupBy(['e.id', 'e.at', 'e.kind', 'c.id', 'c.reference'])
      .orderBy('e.at', 'desc')
      .orderBy('e.id', 'desc')
      .limit(limit)
      .select(['e.at', 'e.kind', 'c.id as caseId', 'c.reference'])
      .select([sumOf('available').as('available'), sumOf('committed').as('committed'), sumOf('spent').as('spent')])
      .execute()
    return rows.map(({ at, kind, caseId, reference, ...amounts }) => ({
      at: at.toISOString(),
      kind: `vouchers.entry.${kind}`,
      voucher: caseId === null ? null : { id: caseId, text: known(reference, 'the number of a case') },
      ...amounts,
    }))
  },
}

export default report
