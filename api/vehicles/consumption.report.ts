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

/**
 * The kilometres from one full tank to the next, and the litres that were filled since; the newest first. An entry that
 * does not say whether the tank was full is from before that was asked, and counts as full.
 */
const report: Report = {
  async rows({ db, filter: { vehicle }, limit }) {
    const { rows } = await sql<Row>`
      with filled as (
        select f.id, v.id as of, f.data ->> 'filled_on' as day, v.title as vehicle, v.data ->> 'norm' as norm,
          (f.data ->> 'litres')::numeric as litres, (f.data ->> 'meter')::integer as meter,
          coalesce(f.data ->> 'full', 'yes') = 'yes' as "full"
        from register_item f join register_item v on v.id = (f.data ->> 'vehicle')::uuid
        where f.register = 'vehicles/fueling' and f.status = 'Entered'
          and (${vehicle ?? null}::uuid is null or v.id = ${vehicle ?? null}::uuid)
      ), tanks as (
        select *, count(*) filter (where "full") over (
          partition by of order by meter rows between unbounded preceding and 1 preceding) as tank from filled
      ), summed as (
        select *, sum(litres) over (partition by of, tank) as used from tanks
      ), ended as (
        select *, meter - lag(meter) over (partition by of order by meter) as kilometres from summed where "full"
      )
      select day, vehicle, kilometres, used::double precision as litres, norm::double precision as norm
      from ended where kilometres > 0
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
