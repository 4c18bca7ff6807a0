import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

const report: Report = {
  async rows({ db, filter: { month, scheme, signature }, limit }) {
    let wanted = db
      .selectFrom('run_line as l')
      .innerJoin('run as r', 'r.case_id', 'l.case_id')
      .innerJoin('flow_case as c', 'c.id', 'l.case_id')
      .innerJoin('register_item as s', 's.id', 'r.scheme_id')
      .where('s.register', '=', 'bursary/scheme')
      .where('r.state', '<>', 'void')
      .where('l.state', 'in', ['included', 'held', 'returned'])
    if (month !== undefined)
      wanted = wanted.where('r.month', '=', (by) =>
        by.selectFrom('register_item as criterion').select('criterion.title').where('criterion.id', '=', String(month)),
      )
    if (scheme !== undefined) wanted = wanted.where('r.scheme_id', '=', String(scheme))
    if (signature !== undefined) wanted = wanted.where('l.signature', '=', String(signature))
    const rows = await wanted
      .orderBy('r.month', 'desc')
      .orderBy('l.signed_at', (by) => by.desc().nullsLast())
      .orderBy('l.code')
      .limit(limit)
      .select([
        'l.name as student',
        'l.code as regNo',
        's.title as scheme',
        'r.month',
        'c.id',
        'c.reference',
        'l.signature',
      ])
      .select(sql<number>`l.total::float8`.as('amount'))
      .select(sql<string | null>`to_char(l.signed_at at time zone 'Asia/Colombo', 'YYYY-MM-DD')`.as('signed'))
      .execute()
    return rows.map(({ id, reference, signature: state, ...row }) => ({
      ...row,
      installment: { id, text: reference },
      signature: `platform.run.signature.${state}`,
    }))
  },
}

export default report
