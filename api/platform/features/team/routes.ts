import { Type } from 'typebox'
import { deskReport } from './report.ts'
import { readTeam, listTeamTasks } from './team.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Moment, Nullable, PageOf, Query, paging, refusals } from '../../http/schemas.ts'
import { TaskRow } from '../../work/tasks/routes.ts'

const Day = Type.String({ format: 'date' })
const Hours = Type.Number({ description: 'Working hours, to one decimal' })

/** The work of units, for the people who lead them. */
export function teamRoutes(app: App, deps: { db: Kysely<DB>; library: Library; definitions: Definitions }): void {
  const context = { ...deps, clock: () => new Date() }
  const report = deskReport(deps)

  app.get(
    '/api/team',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getTeam',
        tags: ['team'],
        summary: 'Count tasks in your units: assigned to each person, unassigned, and by desk',
        response: {
          200: Type.Object({
            people: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                post: Nullable(Type.String()),
                open: Type.Integer({ description: 'Tasks assigned to them' }),
                overdue: Type.Integer(),
                oldest: Nullable(Moment),
                doneThisWeek: Type.Integer(),
              }),
            ),
            free: Type.Object({
              count: Type.Object({ value: Type.Integer(), more: Type.Boolean() }),
              overdue: Type.Integer(),
              oldest: Nullable(Moment),
            }),
            desks: Type.Array(
              Type.Object({
                desk: Type.String(),
                title: Type.String(),
                flow: Type.String(),
                flowTitle: Type.String(),
                open: Type.Integer(),
                overdue: Type.Integer(),
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => readTeam(context, personOf(request), languageOf(request)),
  )

  app.get(
    '/api/team/tasks',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listTeamTasks',
        tags: ['team'],
        summary: 'List the assigned and unassigned tasks in your units, oldest first',
        querystring: Query({
          ...paging,
          person: Type.Union([Id, Type.Literal('free')], { description: 'Assignee; `free`: unassigned' }),
        }),
        response: { 200: PageOf(TaskRow), ...refusals(401, 403) },
      },
    },
    async (request) => listTeamTasks(context, personOf(request), request.query, languageOf(request)),
  )

  app.get(
    '/api/reports/desks',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'reportDesks',
        tags: ['team'],
        summary: 'Get how long each desk in your units took to decide in a period, and what waits there',
        querystring: Query({
          from: Day,
          until: Day,
          flow: Type.Optional(Key),
          format: Type.Optional(Type.Enum(['json', 'csv'], { default: 'json' })),
        }),
        response: {
          200: {
            content: {
              'application/json': {
                schema: Type.Object({
                  items: Type.Array(
                    Type.Object({
                      flow: Type.String(),
                      flowTitle: Type.String(),
                      desk: Type.String(),
                      name: Type.String(),
                      decided: Type.Integer(),
                      inTime: Type.Integer({ description: 'Of tasks with a due date' }),
                      late: Type.Integer(),
                      medianHours: Nullable(Hours),
                      p90Hours: Nullable(Hours),
                      open: Type.Integer(),
                      overdue: Type.Integer(),
                      oldestOpen: Nullable(Moment),
                    }),
                  ),
                }),
              },
              'text/csv': { schema: Type.String() },
            },
          },
          ...refusals(401, 403, 422),
        },
      },
    },
    async (request, reply) => {
      const { format = 'json', ...query } = request.query
      const items = await report.read(personOf(request), query, languageOf(request))
      if (format === 'json') return reply.type('application/json').send({ items })
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="desks-${query.from}-${query.until}.csv"`)
        .send(report.csv(items, languageOf(request)))
    },
  )
}
