import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'
import { STAYS } from './stays.ts'

interface Row {
  hostel: string
  floor: number
  room: string
  accessible: boolean
  capacity: number
  residents: number
  reserved: number
  free: number
  students: string | null
}

/**
 * Every room with its beds: those of residents, those given to students who have not moved in yet, and free ones. A
 * room out of use, or of a hostel out of use, is shown while it has students, without free beds.
 */
const report: Report = {
  async rows({ db, filter: { hostel, sex }, limit }) {
    const { rows } = await sql<Row>`
      select h.data ->> 'name_en' as hostel, (r.data ->> 'floor')::int as floor, r.title as room,
        (r.data ->> 'accessible')::boolean as accessible, (r.data ->> 'capacity')::int as capacity,
        (count(s.id) filter (where s.data ? 'registered_on'))::int as residents,
        (count(s.id) filter (where not s.data ? 'registered_on'))::int as reserved,
        case when r.status = 'Active' and h.status = 'Active' then ((r.data ->> 'capacity')::int - count(s.id))::int else 0 end as free,
        string_agg(p.title, ', ' order by (s.data ->> 'bed')::int) as students
      from register_item r join register_item h on h.id::text = r.data ->> 'hostel'
        left join register_item s on s.register = ${STAYS} and s.status = 'Taken' and s.data ->> 'room' = r.id::text
        left join register_item p on p.id::text = s.data ->> 'student'
      where r.register = 'hostel/room'
        and (${hostel ?? null}::text is null or h.id::text = ${hostel ?? null})
        and (${sex ?? null}::text is null or h.data ->> 'sex' = ${sex ?? null})
      group by h.id, r.id having (r.status = 'Active' and h.status = 'Active') or count(s.id) > 0
      order by h.data ->> 'name_en', (r.data ->> 'floor')::int, r.title limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row, accessible: row.accessible ? 'platform.yes' : 'platform.no' }))
  },
}

export default report
