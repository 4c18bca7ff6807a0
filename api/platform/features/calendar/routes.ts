import { Type } from 'typebox'
import { daysBetween, readCalendar } from '../../records/calendar/working-days.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { Nullable, Query, refusals } from '../../http/schemas.ts'

const Year = Type.Integer({ minimum: 2000, maximum: 2100 })
const Time = Type.String({ pattern: '^[0-9]{2}:[0-9]{2}$' })

/** The working days that due dates and reminders count. */
export function calendarRoutes(app: App, { db }: { db: Kysely<DB> }): void {
  app.get(
    '/api/calendar',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCalendar',
        tags: ['calendar'],
        summary: 'List the days of a year as set by the weekly pattern and the special days',
        querystring: Query({ year: Year }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                date: Type.String({ format: 'date' }),
                hours: Nullable(Type.Object({ from: Time, until: Time })),
                special: Type.Array(Type.Object({ name: Type.String(), kind: Type.String() })),
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async ({ query: { year } }) => {
      const [from, until] = [`${year}-01-01`, `${year}-12-31`]
      const days = daysBetween(await readCalendar(db, from), from, until)
      return {
        items: days.map(({ date, hours, special }) => ({
          date,
          hours: hours ?? null,
          special: special.map(({ name, kind }) => ({ name, kind })),
        })),
      }
    },
  )
}
