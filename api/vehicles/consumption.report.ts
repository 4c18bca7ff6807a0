import { sql } from 'kysely'
import type { Report } from '../platform/model/definitions/report.ts'

interface Row {
  day: string
  vehicle: string
  kilometres: number
  litres: number
  norm: number | null
}

/** By this part of the usual consumption it stands out. */
const STANDS_OUT = 0.2

/** Each filling with the kilometres since the one before; the newest first. */
const report: Report = {
  async rows({ db, filter: { vehicle }, limit }) {
    const { rows } = await sql<Row>`
      select day, vehicle, kilometres, litres, norm from (
        select f.id, f.data ->> 'filled_on' as day, v.title as vehicle, (f.data ->> 'litres')::double precision as litres,
          (v.data ->> 'norm')::double precision as norm, (f.data ->> 'meter')::integer
            - lag((f.data ->> 'meter')::integer) over (partition by v.id order by (f.data ->> 'meter')::integer) as kilometres
        from register_item f join register_item v on v.id = (f.data ->> 'vehicle')::uuid
        where f.register = 'vehicles/fueling' and f.status = 'Entered'
          and (${vehicle ?? null}::uuid is null or v.id = ${vehicle ?? null}::uuid)
      ) as filled where kilometres > 0
      order by day desc, vehicle, id limit ${limit}`.execute(db)
    return rows.map(({ day, vehicle: title, kilometres, litres, norm }) => {
      const perLitre = kilometres / litres
      return {
        ...{ day, vehicle: title, kilometres, litres },
        perLitre: perLitre.toFixed(1),
        usual: norm === null ? null : norm.toFixed(1),
        finding: norm === null ? null : `vehicles.report.${findingOf(perLitre / norm)}`,
      }
    })
  },
}

export default report

function findingOf(ratio: number): 'more' | 'less' | 'as-usual' {
  if (ratio < 1 - STANDS_OUT) return 'more'
  return ratio > 1 + STANDS_OUT ? 'less' : 'as-usual'
}
