import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { Id, Nullable, Query, refusals } from '../platform/http/schemas.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import { component } from '../platform/kernel/components.ts'
import { STAYS } from './stays.ts'

const Plan = component(
  'OccupancyPlan',
  Type.Object({
    on: Type.String({ format: 'date' }),
    rooms: Type.Array(
      Type.Object({
        id: Id,
        number: Type.String(),
        hostel: Type.String(),
        floor: Type.Integer(),
        accessible: Type.Boolean(),
        year: Nullable(Type.Integer({ description: 'The only year of study that it is for' })),
        isOpen: Type.Boolean({ description: 'It takes students' }),
        beds: Type.Array(
          Type.Object({
            bed: Type.Integer(),
            stay: Nullable(Id),
            student: Nullable(Type.String()),
            livesThere: Type.Boolean({ description: 'The student has moved in' }),
            until: Nullable(Type.String({ format: 'date' })),
          }),
        ),
      }),
    ),
  }),
)

/**
 * Who has each bed on a day. On a day that is over: who had moved in and not left, in the bed that they then had, and who
 * had been given one that they had not moved into.
 */
function hasOn(on: string) {
  const today = dayInColombo(Date.now())
  if (on >= today)
    return sql`
      select s.id, s.data ->> 'room' as room, (s.data ->> 'bed')::int as bed, s.data ->> 'student' as student,
        s.data ->> 'until' as until, s.data ? 'registered_on' as lives
      from register_item s
      where s.register = ${STAYS} and s.status in ('Taken', 'Moving')
        and (s.data ->> 'from' <= ${on} or s.data ? 'registered_on')
        -- Who has not left by the end of the stay is still there today.
        and (s.data ->> 'until' >= ${on} or ${on} = ${today})`
  return sql`
    select distinct on (1, 2) v.data ->> 'room' as room, (v.data ->> 'bed')::int as bed, s.id, s.data ->> 'student' as student,
      coalesce(s.data ->> 'vacated_on', v.data ->> 'until') as until, s.lives
    from (select *, coalesce(data ->> 'registered_on' <= ${on}, false) as lives from register_item) s
      -- As it was at the end of the day, or as it was entered if that was later.
      cross join lateral (select v.data, v.status, d.known from register_item_version v
        cross join lateral (select (v.at at time zone 'Asia/Colombo')::date <= ${on}::date as known) d
        where v.item_id = s.id
        order by d.known desc, case when d.known then -v.version else v.version end limit 1) v
    where s.register = ${STAYS} and case when s.lives
      then s.status <> 'Released' and coalesce(s.data ->> 'vacated_on' > ${on}, true)
      else v.known and v.status in ('Taken', 'Moving') and ${on} between v.data ->> 'from' and v.data ->> 'until' end
    order by 1, 2, s.lives desc`
}

/** The plan of the hostels. */
const routes: AreaRoutes = (app, { db }) => {
  app.get(
    '/api/hostel/plan',
    {
      config: { rule: { groups: ['WelfareView'] } },
      schema: {
        operationId: 'getOccupancyPlan',
        tags: ['hostel'],
        summary: 'Every room with its beds, and who has each on a day',
        querystring: Query({ on: Type.Optional(Type.String({ format: 'date', description: 'Today by default' })) }),
        response: { 200: Plan, ...refusals(401, 403) },
      },
    },
    async (request) => {
      const on = request.query.on ?? dayInColombo(Date.now())
      const { rows } = await sql<Static<typeof Plan>['rooms'][number]>`
        with has as (${hasOn(on)})
        select r.id, r.title as number, h.data ->> 'name_en' as hostel, (r.data ->> 'floor')::int as floor,
          (r.data ->> 'accessible')::boolean as accessible, (r.data ->> 'year')::int as year,
          r.status = 'Active' and h.status = 'Active' as "isOpen",
          jsonb_agg(jsonb_build_object('bed', b.bed, 'stay', s.id, 'student', p.title,
            'livesThere', coalesce(s.lives, false), 'until', s.until) order by b.bed) as beds
        from register_item r join register_item h on h.id::text = r.data ->> 'hostel'
          -- Rooms may have had more beds.
          cross join lateral (select generate_series(1, (r.data ->> 'capacity')::int) as bed
            union select bed from has where room = r.id::text) b
          left join has s on s.room = r.id::text and s.bed = b.bed
          left join register_item p on p.id::text = s.student
        where r.register = 'hostel/room'
        group by h.id, r.id
        having (r.status = 'Active' and h.status = 'Active') or count(s.id) > 0
        order by h.data ->> 'name_en', (r.data ->> 'floor')::int, r.title`.execute(db)
      return { on, rooms: rows }
    },
  )
}

export default routes
