import Type from 'typebox'
import { crewOf, tellCrew } from '../../api/vehicles/crew.ts'
import { TRIPS, assignedFacts, assignedTo, isWithin, ledBy, ridersOf, seatsLeft } from '../../api/vehicles/trips.ts'
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
    {
      ...ledBy(reference, submission),
      passengers: submission['passengers'] ?? null,
      vehicle: vehicle.id,
      driver: driver.id,
      ...(helper && { helper: helper.id }),
    },
    by,
    { status: 'Planned' },
  )
  await facts({ ...assignedFacts(assigned), takenAlong: null })
  await tellCrew(context, 'vehicles.mail.crew-assigned', crewOf(assigned), { caseId: id, trip, vehicle: vehicle.title })
}

async function goAlong({ trx, registers, facts, submission, case: { reference } }: Context, { data, by }: Picked) {
  const trip = await registers.lock(TRIPS, known(textAt(data, '/trip'), 'the trip to join'))
  const passengers = Number(submission['passengers'])
  // It may have been handed over since the answer, and end earlier.
  const fits = (await seatsLeft(trx, trip)) >= passengers && isWithin(submission, trip.data)
  if (!fits) throw new BusinessError('vehicles.trip-full')
  await registers.change(
    trip,
    {
      passengers: Number(trip.data['passengers']) + passengers,
      riders: [...ridersOf(trip.data), { case_reference: reference, passengers }],
    },
    by,
  )
  await facts({
    ...assignedFacts(await assignedTo(registers, trip.data)),
    takenAlong: trip.data['case_reference'] ?? null,
  })
}
