import { sql } from 'kysely'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { LICENCES } from './trips.ts'

/** A vehicle has one licence and one insurance in force at a time: one that began before ends as the next begins. */
const rules: Rules = {
  answers: {
    'vehicles/licence-check': {
      async check({ trx, data, current }) {
        if (data['outcome'] !== 'valid') return []
        const { vehicle, kind, from, until } = current
        const { rows } = await sql<{ number: string; until: string }>`
          select data ->> 'number' as number, data ->> 'until' as until from register_item
          where register = ${LICENCES} and status = 'Active' and data ->> 'vehicle' = ${String(vehicle)}
            and data ->> 'kind' = ${String(kind)} and data ->> 'from' between ${String(from)} and ${String(until)}
          order by data ->> 'from' limit 1`.execute(trx)
        return rows.map((values) => ({ field: '/outcome', code: 'vehicles.licence-overlaps', values }))
      },
    },
  },
}

export default rules
