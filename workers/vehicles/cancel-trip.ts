import Type from 'typebox'
import { crewOf, tellCrew } from '../../api/vehicles/crew.ts'
import {
  assignedTo,
  handTripOver,
  holdRiders,
  ledBy,
  lockTripOf,
  pickUpsOf,
  ridersOf,
} from '../../api/vehicles/trips.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { listOpenElements } from '../../api/platform/work/rows/case-record.ts'
import { getCaseContent, saveCaseContent } from '../../api/platform/work/rows/cases.ts'
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
    // A change of the vehicle may have been asked for since, and comes to nothing.
    const { by, formKey } = known(
      submissions.findLast((one) => !['vehicles/reassignment', 'vehicles/replacement'].includes(one.formKey)),
      'the last answer',
    )
    const trip = await lockTripOf(trx, registers, reference)
    // Read after the lock: somebody else may have handed it over meanwhile.
    const leads = trip?.data['case_reference'] === reference
    if (trip?.status === 'Planned' && !leads) {
      const riders = ridersOf(trip.data).filter((rider) => rider.case_reference !== reference)
      const passengers = Number(trip.data['passengers']) - Number(submission['passengers'])
      if (riders.length < ridersOf(trip.data).length) {
        const left = await registers.change(trip, { passengers, riders, pick_ups: without(trip.data, reference) }, by)
        const assigned = await assignedTo(registers, left.data)
        const about = { caseId: id, trip: left, vehicle: assigned.vehicle.title }
        await tellCrew(context, 'vehicles.mail.crew-trip-changed', crewOf(assigned), about)
      }
    }
    if (trip?.status === 'Planned' && leads) {
      const isNotMade = formKey === 'vehicles/running-chart'
      const riders = await holdRiders(trx, trip.data)
      const next = riders.find(({ state, data }) => state === 'running' && Date.parse(String(data['from'])) > +now)
      if (next && !isNotMade) {
        await leadOn(context, { trip, next, riders, by })
        return {}
      }
      await registers.setStatus(trip, 'Cancelled', by)
      // A trip that was not made is known to its driver, who has said so.
      if (!isNotMade) {
        const assigned = await assignedTo(registers, trip.data)
        const about = { caseId: id, trip, vehicle: assigned.vehicle.title }
        await tellCrew(context, 'vehicles.mail.crew-trip-cancelled', crewOf(assigned), about)
      }
      await tellRiders(context, riders)
    }
    if (trip?.status !== 'Made') await allocations.release(id)
    return {}
  },
})

/** Who a trip fetches when a reservation does not travel any more. */
const without = (trip: JsonObject, reference: string) =>
  pickUpsOf(trip).filter(({ case_reference: of }) => of !== reference)

/** What waits for the message that the trip is not made. */
const WAITING = ['subProcess_before', 'userTask_decideCancellation', 'userTask_replace']

/** Ends the reservations that wait to go along, which tells their requesters; the others get a mail. */
async function tellRiders({ trx, mail }: Context, riders: Riders): Promise<void> {
  for (const { id: caseId, state, requesterId } of riders) {
    const open = state === 'running' ? await listOpenElements(trx, caseId) : []
    if (open.some((element) => WAITING.includes(element)))
      await addCommand(trx, {
        kind: 'correlate',
        payload: { message: 'message_tripGone', variables: {} },
        caseId,
        actingUser: requesterId,
        lane: 'bulk',
      })
    else await mail.send({ to: requesterId, template: 'vehicles.mail.trip-gone', caseId })
  }
}

type Context = WorkerContext<unknown>
type Riders = Awaited<ReturnType<typeof holdRiders>>

/** Lets the first of those who go along lead the trip, which from then on begins and ends with those who are left. */
async function leadOn(
  context: Context,
  {
    trip,
    next,
    riders,
    by,
  }: { trip: Awaited<ReturnType<Context['registers']['lock']>>; next: Riders[number]; riders: Riders; by: string },
) {
  const {
    trx,
    allocations,
    registers,
    mail,
    submission,
    case: { id },
  } = context
  const ends = riders.map(({ data }) => String(data['until'])).toSorted((a, b) => Date.parse(b) - Date.parse(a))
  const led = await registers.change(
    trip,
    {
      ...ledBy(next.reference, next.data),
      until: known(ends[0], 'the end of the trip'),
      passengers: Number(trip.data['passengers']) - Number(submission['passengers']),
      riders: ridersOf(trip.data).filter(({ case_reference }) => case_reference !== next.reference),
      pick_ups: without(trip.data, String(trip.data['case_reference'])),
    },
    by,
  )
  // A change that nobody has entered yet is void.
  await allocations.dropMove(id)
  await handTripOver(trx, id, next.id)
  // Vehicle and driver stay reserved for the time they were, and driver and helper rest as long after it.
  const { restMinutes = null } = (await getCaseContent(trx, id)).facts
  for (const rider of riders) {
    const of = rider === next ? { takenAlong: null, restMinutes } : { takenAlong: next.reference }
    await saveCaseContent(trx, rider.id, { facts: { ...rider.facts, ...of } })
  }
  await mail.send({ to: next.requesterId, template: 'vehicles.mail.leads-trip', caseId: next.id })
  const assigned = await assignedTo(registers, led.data)
  const about = { caseId: next.id, trip: led, vehicle: assigned.vehicle.title }
  await tellCrew(context, 'vehicles.mail.crew-trip-changed', crewOf(assigned), about)
}
