import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  number: string
  name: string
  faculty: string | null
  written: string | null
}

/** Students on the roll, or about to be, who name no degree program, with what was written instead: their level, and so their role, is unknown. */
const report: Report = {
  async rows({ db, filter: { faculty = null }, limit }) {
    const { rows } = await sql<Row>`
      select s.data ->> 'reg_no' as number, s.title as name, f.title as faculty, s.data ->> 'programme_before' as written
      from register_item s left join register_item f on f.id = (s.data ->> 'faculty')::uuid
      where s.register = 'platform/student' and not s.data ? 'programme' and s.status in ('active', 'suspended', 'unregistered')
        and (${faculty}::text is null or s.data ->> 'faculty' = ${faculty})
      order by s.data ->> 'reg_no' limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row }))
  },
}

export default report
