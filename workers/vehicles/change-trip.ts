import Type from 'typebox'
import { accountsOf, crewOf, driverIdOf, tellCrew } from '../../api/vehicles/crew.ts'
import { assignedFacts, assignedTo, crewFields, holdRiders, lockTripOf } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { releaseTasksOf } from '../../api/platform/work/offers/release.ts'
import { worker } from '../platform/worker.ts'

/** The forms by which the transport head changes a trip: from its page, or at the desk to which it came back. */
const CHANGES: readonly string[] = ['vehicles/reassignment', 'vehicles/replacement']

/**
 * Gives a trip another vehicle, driver or helper, and tells everybody who travels or drives. A trip that was made,
 * cancelled or handed over meanwhile, or that more people go along on than the vehicle has seats, stays as it is.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ tripChanged: Type.Boolean(), driverId: Type.String() }),
  async run(context) {
    const { trx, allocations, registers, facts, mail, submissions, case: of } = context
    const { data, by } = known(
      submissions.findLast(({ formKey }) => CHANGES.includes(formKey)),
      'the change',
    )
    const trip = await lockTripOf(trx, registers, of.reference)
    const after = await assignedTo(registers, data)
    const { vehicle, driver, helper } = after
    const isLed = trip?.status === 'Planned' && trip.data['case_reference'] === of.reference
    if (!isLed || Number(vehicle.data['seats']) < Number(trip.data['passengers'])) {
      await allocations.dropMove(of.id)
      // It may be looked at again.
      await facts({ unfit: null })
      const drives = trip && (await assignedTo(registers, trip.data)).driver
      return { tripChanged: false, driverId: drives ? await driverIdOf(trx, drives, of.requesterId) : 'none' }
    }
    if (!(await allocations.takeMove(of.id))) throw new Error('the case has claimed neither vehicle nor driver')
    const before = await assignedTo(registers, trip.data)
    await registers.change(
      trip,
      { vehicle: vehicle.id, driver: driver.id, helper: helper?.id ?? null, ...crewFields(after) },
      by,
    )
    const told = assignedFacts(after)
    await facts(told)
    const riders = await holdRiders(trx, trip.data)
    for (const rider of riders) await saveCaseContent(trx, rider.id, { facts: { ...rider.facts, ...told } })
    const values = {
      vehicle: vehicle.title,
      driver: driver.title,
      number: told['driverNumber'],
      helper: helper?.title ?? '–',
      reason: data['reason'],
    }
    for (const { id, requesterId: to } of [of, ...riders])
      await mail.send({ to, template: 'vehicles.mail.trip-changed', values, caseId: id })

    const [went, goes] = [crewOf(before), crewOf(after)]
    const among = (crew: typeof went) => new Set(crew.map(({ id }) => id))
    const [had, has] = [among(went), among(goes)]
    const gone = went.filter(({ id }) => !has.has(id))
    const come = goes.filter(({ id }) => !had.has(id))
    const stay = vehicle.id === before.vehicle.id ? [] : goes.filter(({ id }) => had.has(id))
    const about = { caseId: of.id, trip, vehicle: vehicle.title }
    await tellCrew(context, 'vehicles.mail.crew-released', gone, { ...about, vehicle: before.vehicle.title })
    await tellCrew(context, 'vehicles.mail.crew-assigned', come, about)
    await tellCrew(context, 'vehicles.mail.crew-trip-changed', stay, about)
    // Who drives now keeps the chart.
    await releaseTasksOf(trx, { caseId: of.id, holders: await accountsOf(trx, gone), by, reason: 'another driver' })
    return { tripChanged: true, driverId: await driverIdOf(trx, driver, of.requesterId) }
  },
})
