import { Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { personOf } from '../platform/http/auth.ts'
import { Id, Moment, Nullable, Query, refusals } from '../platform/http/schemas.ts'
import { component } from '../platform/kernel/components.ts'
import { admits } from '../platform/people/persons/person.ts'
import { boardService } from './board.ts'
import { freeService } from './free.ts'

const OFFICE = [
  'Transport Head',
  'Transport MA',
  'Registrar Office AR',
  'Registrar Office MA',
  'Registrar',
  'SA',
  'ADMIN',
]
const Day = Type.String({ format: 'date' })

const tripFields = { reference: Type.String(), route: Type.String(), from: Moment, until: Moment }

const Free = component(
  'FreeVehicles',
  Type.Object({
    vehicles: Type.Array(
      Type.Object({
        id: Id,
        number: Type.String(),
        model: Type.String(),
        kind: Type.String(),
        seats: Type.Integer(),
        why: Nullable(
          Type.Union([Type.Literal('taken'), Type.Literal('hire-over'), Type.Literal('not-licensed')], {
            description: 'Why it cannot be assigned; null if it can',
          }),
        ),
      }),
    ),
    crew: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        duty: Type.Union([Type.Literal('driver'), Type.Literal('helper')]),
        contact: Type.String(),
        licence: Nullable(Type.String({ description: 'Class of the driving licence' })),
        why: Nullable(
          Type.Union(
            [
              Type.Literal('taken'),
              Type.Literal('no-driving-licence'),
              Type.Literal('rests'),
              Type.Literal('out-too-long'),
            ],
            { description: 'Why somebody cannot be assigned; null if they can' },
          ),
        ),
        rests: Nullable(Type.String({ format: 'date-time', description: 'Until when somebody rests, if that is why' })),
      }),
    ),
    trips: Type.Array(
      Type.Object({
        id: Id,
        ...tripFields,
        vehicle: Type.String(),
        driver: Type.String(),
        passengers: Type.Integer(),
        left: Type.Integer({ description: 'Free seats' }),
        sameWay: Type.Boolean({ description: 'It goes to the place, or by it' }),
      }),
      { description: 'Planned trips that include the span and have room, those of the same way first' },
    ),
  }),
)

const Board = component(
  'VehicleBoard',
  Type.Object({
    vehicles: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        status: Type.String(),
        seats: Type.Integer(),
        licence: Nullable(
          Type.String({ description: 'The day on which licence or insurance ends, if that is soon or over' }),
        ),
        unlicensed: Type.Boolean({ description: 'It has never had a licence, or an insurance' }),
        service: Nullable(Type.String({ description: 'The day, or the kilometres, at which the next service is due' })),
        trips: Type.Array(
          Type.Object({
            id: Id,
            ...tripFields,
            driver: Type.String(),
            contact: Type.String(),
            passengers: Type.Integer(),
            status: Type.String(),
            late: Type.Boolean({ description: 'Its time is over, and no chart is entered yet' }),
          }),
        ),
      }),
    ),
    unfit: Type.Array(
      Type.Object({
        case: Id,
        ...tripFields,
        vehicle: Type.String(),
        driver: Type.String(),
        why: Type.Array(
          Type.Object({
            code: Type.String({ description: 'Key of the text' }),
            values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
          }),
        ),
      }),
      { description: 'Trips to come whose vehicle, driver or helper cannot make them any more; for the office' },
    ),
    late: Type.Array(Type.Object({ case: Id, ...tripFields, vehicle: Type.String(), driver: Type.String() }), {
      description: 'Trips of any day whose time is over, and of which no chart is entered yet; for the office',
    }),
  }),
)

const routes: AreaRoutes = (app, { db, library }) => {
  const free = freeService({ db, library })
  const board = boardService({ db })

  app.get(
    '/api/vehicles/free',
    {
      config: { rule: { roles: OFFICE } },
      schema: {
        operationId: 'listFreeVehicles',
        tags: ['vehicles'],
        summary: 'List vehicles, drivers and helpers that are free in a span, and trips that can be joined',
        querystring: Query({ from: Moment, until: Moment, to: Type.Optional(Type.String({ maxLength: 80 })) }),
        response: { 200: Free, ...refusals(401, 403, 422) },
      },
    },
    async (request) => free(request.query),
  )

  app.get(
    '/api/vehicles/board',
    {
      config: { rule: { roles: [...OFFICE, 'Driver'] } },
      schema: {
        operationId: 'getVehicleBoard',
        tags: ['vehicles'],
        summary: 'Get the vehicles with their trips of a day, and what is due on them',
        querystring: Query({ day: Day }),
        response: { 200: Board, ...refusals(401, 403, 422) },
      },
    },
    async (request) => board(request.query.day, admits(personOf(request), OFFICE) !== undefined),
  )
}

export default routes
