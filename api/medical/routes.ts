import { Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { personOf } from '../platform/http/auth.ts'
import { Id, Nullable, refusals } from '../platform/http/schemas.ts'
import { component } from '../platform/kernel/components.ts'
import { arrivalsService } from './arrivals.ts'
import { dispensingService } from './dispensing.ts'

/** ADMIN and SA hold every group, and are refused by the services. */
const UNIT = { groups: ['MedicalForDoctorNurse'] }

const Dispensing = component(
  'Dispensing',
  Type.Object({
    status: Type.String(),
    version: Type.Integer({ description: 'Of the prescription; every part that is given raises it' }),
    mayDispense: Type.Boolean(),
    allergies: Nullable(Type.String({ description: 'Of the patient' })),
    advice: Nullable(Type.String({ description: 'What the doctor has told the patient' })),
    parts: Type.Array(
      Type.Object({
        title: Type.String(),
        units: Type.Integer(),
        refused: Nullable(Type.String({ description: 'Why nothing was given' })),
        by: Nullable(Type.String({ description: 'The name of who did it' })),
        at: Type.String({ format: 'date-time' }),
      }),
      { description: 'What was given and refused so far' },
    ),
    lines: Type.Array(
      Type.Object({
        item: Id,
        title: Type.String(),
        unit: Type.String(),
        dose: Type.String({ description: 'Dose and frequency' }),
        days: Nullable(Type.Integer({ description: 'For how many days' })),
        units: Type.Integer({ description: 'Still to be given; of one that is dispensed, what was given' }),
        given: Type.Integer({ description: 'Given before' }),
        refused: Nullable(Type.String({ description: 'Why the rest is not given' })),
        left: Nullable(Type.Integer({ description: 'What can be issued, if it is not enough' })),
        batches: Type.Array(
          Type.Object({
            batch: Id,
            number: Type.String(),
            expiresOn: Type.String({ format: 'date' }),
            units: Type.Integer(),
          }),
        ),
      }),
    ),
  }),
)

/** The desk of the medical unit: who comes, and what they get. */
const routes: AreaRoutes = (app, dependencies) => {
  const arrivals = arrivalsService(dependencies)
  const dispensing = dispensingService(dependencies)
  dependencies.afterChange.set('medical/prescription', dispensing.settle)
  const OfPrescription = Type.Object({ id: Id })
  const Line = Type.Integer({ minimum: 0, maximum: 50, description: 'Its place in the prescription' })
  const InHand = Type.Object(
    {
      version: Type.Integer({ minimum: 1, description: 'The version of the prescription that was read' }),
      give: Type.Array(
        Type.Object({ line: Line, units: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
        { maxItems: 50, description: 'What is given now; lines that are neither given nor refused wait' },
      ),
      refuse: Type.Array(
        Type.Object(
          { line: Line, reason: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }) },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
      batches: Type.Array(
        Type.Object({ batch: Id, units: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
        { maxItems: 200 },
      ),
    },
    { additionalProperties: false },
  )

  app.post(
    '/api/medical/arrivals',
    {
      config: { rule: UNIT },
      schema: {
        operationId: 'receivePatient',
        tags: ['medical'],
        summary: 'Find or enter who shows a card, and open their record',
        body: Type.Object(
          { shown: Type.String({ minLength: 1, maxLength: 60, description: 'Number of the card, or NIC' }) },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ id: Id, open: Type.Boolean() }), ...refusals(401, 403, 404, 422, 429) },
      },
    },
    (request) => arrivals.receive(personOf(request), request.body.shown),
  )

  app.get(
    '/api/medical/prescriptions/:id/dispensing',
    {
      config: { rule: UNIT },
      schema: {
        operationId: 'getDispensing',
        tags: ['medical'],
        summary: 'Get what a prescription takes from stock; the record of its patient must be open',
        params: OfPrescription,
        response: { 200: Dispensing, ...refusals(401, 403, 404) },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return dispensing.look(personOf(request), request.params.id)
    },
  )

  app.post(
    '/api/medical/prescriptions/:id/dispensing',
    {
      config: { rule: UNIT },
      schema: {
        operationId: 'dispense',
        tags: ['medical'],
        summary:
          'Dispense lines of a prescription from stock, or refuse them; the batches are those that were read, and are in hand',
        params: OfPrescription,
        body: InHand,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      await dispensing.dispense(personOf(request), request.params.id, request.body)
      return reply.code(204).send(null)
    },
  )
}

export default routes
