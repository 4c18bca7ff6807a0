import Type from 'typebox'
import { crewOf, tellCrew } from '../../api/vehicles/crew.ts'
import { TRIPS, assignedFacts, assignedTo, findTripOf, holdRiders } from '../../api/vehicles/trips.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/**
 * Gives a trip another vehicle, driver or helper, and tells everybody who travels or drives. A trip that was made,
 * cancelled or handed over meanwhile stays as it is.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ tripChanged: Type.Boolean() }),
  async run(context) {
    const { trx, allocations, registers, facts, mail, submissions, case: of } = context
    const { data, by } = known(
      submissions.findLast(({ formKey }) => formKey === 'vehicles/reassignment'),
      'the change',
    )
    const found = await findTripOf(trx, of.reference)
    const trip = found === undefined ? undefined : await registers.lock(TRIPS, found)
    if (trip?.status !== 'Planned' || trip.data['case_reference'] !== of.reference) {
      await allocations.dropMove(of.id)
      return { tripChanged: false }
    }
    if (!(await allocations.takeMove(of.id))) throw new Error('the case has claimed neither vehicle nor driver')
    const [before, after] = [await assignedTo(registers, trip.data), await assignedTo(registers, data)]
    const { vehicle, driver, helper } = after
    await registers.change(trip, { vehicle: vehicle.id, driver: driver.id, helper: helper?.id ?? null }, by)
    const told = assignedFacts(after)
    await facts(told)
    const riders = await holdRiders(trx, trip.data)
    for (const rider of riders) await saveCaseContent(trx, rider.id, { facts: { ...rider.facts, ...told } })
    const values = {
      vehicle: vehicle.title,
      driver: driver.title,
      number: told['driverNumber'],
      reason: data['reason'],
    }
    for (const { id, requesterId: to } of [of, ...riders])
      await mail.send({ to, template: 'vehicles.mail.trip-changed', values, caseId: id })
    const stays = new Set(crewOf(after).map(({ id }) => id))
    const gone = crewOf(before).filter(({ id }) => !stays.has(id))
    await tellCrew(context, 'vehicles.mail.crew-released', gone, { caseId: of.id, trip, vehicle: before.vehicle.title })
    await tellCrew(context, 'vehicles.mail.crew-assigned', crewOf(after), {
      caseId: of.id,
      trip,
      vehicle: vehicle.title,
    })
    return { tripChanged: true }
  },
})
