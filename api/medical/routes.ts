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
    mayDispense: Type.Boolean(),
    lines: Type.Array(
      Type.Object({
        item: Id,
        title: Type.String(),
        unit: Type.String(),
        dose: Type.String({ description: 'Dose, frequency and days' }),
        units: Type.Integer(),
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
  const OfPrescription = Type.Object({ id: Id })
  const InHand = Type.Object(
    {
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
        summary: 'Dispense a prescription from stock; the batches are those that were read, and are in hand',
        params: OfPrescription,
        body: InHand,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      await dispensing.dispense(personOf(request), request.params.id, request.body.batches)
      return reply.code(204).send(null)
    },
  )
}

export default routes
