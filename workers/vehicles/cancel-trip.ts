import Type from 'typebox'
import { crewOf, tellCrew } from '../../api/vehicles/crew.ts'
import { TRIPS, assignedTo, findTripOf, handTripOver, holdRiders, ledBy, ridersOf } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { listOpenElements } from '../../api/platform/work/rows/case-record.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { addCommand } from '../../api/platform/work/rows/commands.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/**
 * Gives back what a reservation has of a trip, which may be nothing. If it leads the trip and others go along, the trip
 * is still made: the first of them that has not begun leads it from then on. Who only goes along gives the seats back.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    const { trx, allocations, registers, submissions, submission, now } = context
    const { id, reference } = context.case
    const { by, formKey } = known(submissions.at(-1), 'the last answer')
    const found = await findTripOf(trx, reference)
    const trip = found === undefined ? undefined : await registers.lock(TRIPS, found)
    // Read after the lock: somebody else may have handed it over meanwhile.
    const leads = trip?.data['case_reference'] === reference
    if (trip?.status === 'Planned' && !leads) {
      const riders = ridersOf(trip.data).filter((rider) => rider.case_reference !== reference)
      const passengers = Number(trip.data['passengers']) - Number(submission['passengers'])
      if (riders.length < ridersOf(trip.data).length) await registers.change(trip, { passengers, riders }, by)
    }
    if (trip?.status === 'Planned' && leads) {
      const riders = await holdRiders(trx, trip.data)
      const next = riders.find(({ state, data }) => state === 'running' && Date.parse(String(data['from'])) > +now)
      if (next && formKey !== 'vehicles/running-chart') {
        await leadOn(context, { trip, next, riders, by })
        return {}
      }
      await registers.setStatus(trip, 'Cancelled', by)
      const assigned = await assignedTo(registers, trip.data)
      const about = { caseId: id, trip, vehicle: assigned.vehicle.title }
      await tellCrew(context, 'vehicles.mail.crew-released', crewOf(assigned), about)
      await tellRiders(context, riders)
    }
    if (trip?.status !== 'Made') await allocations.release(id)
    return {}
  },
})

/**
 * Ends the reservations that wait to go along, which tells their requesters. Who has asked for a cancellation learns it
 * with the decision, or at the begin; who is on the way already, by mail.
 */
async function tellRiders({ trx, mail }: Context, riders: Riders): Promise<void> {
  for (const { id: caseId, state, requesterId } of riders) {
    if (state !== 'running') await mail.send({ to: requesterId, template: 'vehicles.mail.trip-gone', caseId })
    else if ((await listOpenElements(trx, caseId)).includes('subProcess_before'))
      await addCommand(trx, {
        kind: 'correlate',
        payload: { message: 'message_tripGone', variables: {} },
        caseId,
        actingUser: requesterId,
        lane: 'bulk',
      })
  }
}

type Context = WorkerContext<unknown>
type Riders = Awaited<ReturnType<typeof holdRiders>>

/** Lets the first of those who go along lead the trip, which from then on begins and ends with those who are left. */
async function leadOn(
  { trx, allocations, registers, mail, submission, case: { id } }: Context,
  {
    trip,
    next,
    riders,
    by,
  }: { trip: Awaited<ReturnType<Context['registers']['lock']>>; next: Riders[number]; riders: Riders; by: string },
) {
  const ends = riders.map(({ data }) => String(data['until'])).toSorted((a, b) => Date.parse(b) - Date.parse(a))
  await registers.change(
    trip,
    {
      ...ledBy(next.reference, next.data),
      until: known(ends[0], 'the end of the trip'),
      passengers: Number(trip.data['passengers']) - Number(submission['passengers']),
      riders: ridersOf(trip.data).filter(({ case_reference }) => case_reference !== next.reference),
    },
    by,
  )
  // A change that nobody has entered yet is void.
  await allocations.dropMove(id)
  await handTripOver(trx, id, next.id)
  for (const rider of riders) {
    const takenAlong = rider === next ? null : next.reference
    await saveCaseContent(trx, rider.id, { facts: { ...rider.facts, takenAlong } })
  }
  await mail.send({ to: next.requesterId, template: 'vehicles.mail.leads-trip', caseId: next.id })
}
