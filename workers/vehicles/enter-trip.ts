import Type from 'typebox'
import { crewOf, tellCrew } from '../../api/vehicles/crew.ts'
import {
  TRIPS,
  assignedFacts,
  assignedTo,
  crewFields,
  isWithin,
  ledBy,
  pickUpOf,
  pickUpsOf,
  ridersOf,
  seatsLeft,
} from '../../api/vehicles/trips.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** Enters the trip with its vehicle and driver, or the reservation as one that goes along on a planned trip. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['vehicles.trip-full'],
  async run(context) {
    const picked = known(
      context.submissions.findLast(({ formKey }) => formKey === 'vehicles/assignment'),
      'the answer of the transport head',
    )
    if (picked.data['outcome'] === 'join') await goAlong(context, picked)
    else if (picked.data['outcome'] === 'assign') await makeTrip(context, picked)
    else throw new Error('nobody has assigned a vehicle')
    return {}
  },
})

type Context = WorkerContext<unknown>
type Picked = Context['submissions'][number]

async function makeTrip(context: Context, { data, by }: Picked) {
  const { allocations, registers, facts, submission } = context
  const { id, reference } = context.case
  if ((await allocations.confirm(id)) === 0) throw new Error('the case has neither vehicle nor driver')
  const assigned = await assignedTo(registers, data)
  const { vehicle, driver, helper } = assigned
  const trip = await registers.create(
    TRIPS,
    withValues({
      ...ledBy(reference, submission),
      passengers: submission['passengers'] ?? null,
      vehicle: vehicle.id,
      driver: driver.id,
      helper: helper?.id ?? null,
      ...crewFields(assigned),
      pick_ups: [pickUpOf(reference, submission)],
    }),
    by,
    { status: 'Planned' },
  )
  await facts({ ...assignedFacts(assigned), takenAlong: null })
  await tellCrew(context, 'vehicles.mail.crew-assigned', crewOf(assigned), { caseId: id, trip, vehicle: vehicle.title })
}

/** The fields that have a value. */
const withValues = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

async function goAlong(context: Context, { data, by }: Picked) {
  const { trx, registers, facts, submission } = context
  const { id, reference } = context.case
  const trip = await registers.lock(TRIPS, known(textAt(data, '/trip'), 'the trip to join'))
  const passengers = Number(submission['passengers'])
  // It may have been handed over since the answer, and end earlier.
  const fits = (await seatsLeft(trx, trip)) >= passengers && isWithin(submission, trip.data)
  if (!fits) throw new BusinessError('vehicles.trip-full')
  const joined = await registers.change(
    trip,
    {
      passengers: Number(trip.data['passengers']) + passengers,
      riders: [...ridersOf(trip.data), { case_reference: reference, passengers }],
      pick_ups: [...pickUpsOf(trip.data), pickUpOf(reference, submission)],
    },
    by,
  )
  const assigned = await assignedTo(registers, trip.data)
  await facts({ ...assignedFacts(assigned), takenAlong: trip.data['case_reference'] ?? null })
  const about = { caseId: id, trip: joined, vehicle: assigned.vehicle.title }
  await tellCrew(context, 'vehicles.mail.crew-trip-changed', crewOf(assigned), about)
}
