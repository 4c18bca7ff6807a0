import { sql } from 'kysely'
import Type from 'typebox'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { TRIPS } from '../../api/vehicles/trips.ts'
import { listUnfitTrips } from '../../api/vehicles/unfit-trips.ts'
import { listOpenElements } from '../../api/platform/work/rows/case-record.ts'
import { getCaseRow, holdCase, saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { addCommand } from '../../api/platform/work/rows/commands.ts'
import { type ScheduleContext, schedule } from '../platform/worker.ts'

/**
 * Takes a trip that cannot be made as planned any more back to the desk of the transport head, and tells the transport
 * office and who asked for it, unless it has begun: once for a vehicle, driver, helper and the reasons, and again if
 * these come back.
 */
export default schedule({
  input: Type.Object({}),
  output: Type.Object({ written: Type.Integer({ minimum: 0 }) }),
  async run({ trx, mail, now }) {
    const unfit = await listUnfitTrips(trx, now)
    await forgetOthers(
      trx,
      unfit.map((trip) => trip.case),
    )
    let written = 0
    for (const { case: caseId, why, route, from, until, vehicle, driver, assigned } of unfit) {
      if (Date.parse(from) <= now.getTime()) continue
      const reasons = [...assigned, ...why.map(({ code }) => code).toSorted()].join(' ')
      const isNew = (facts: JsonObject, name: string) => facts[name] !== reasons
      const { requester_id: requester, facts: seen } = await getCaseRow(trx, caseId)
      const goesBack = isNew(seen, 'unfit') && (await listOpenElements(trx, caseId)).includes('subProcess_before')
      const isTold = !isNew(seen, 'unfitTold')
      if (isTold && !goesBack) continue
      // A worker may be changing the case.
      const { facts } = await holdCase(trx, caseId)
      const noted = { unfitTold: reasons, ...(goesBack && { unfit: reasons }) }
      await saveCaseContent(trx, caseId, { facts: { ...facts, ...noted } })
      if (goesBack)
        await addCommand(trx, {
          kind: 'correlate',
          payload: { message: 'message_tripUnfit', variables: {} },
          caseId,
          actingUser: requester,
          lane: 'bulk',
        })
      if (isTold) continue
      const about = { values: { route, from, until, vehicle, driver }, caseId }
      for (const to of ['Transport Head', 'Transport MA'])
        written += (await mail.send({ ...about, to, template: 'vehicles.mail.trip-unfit' })).mails.length
      const asked = { ...about, to: requester, template: 'vehicles.mail.own-trip-unfit' }
      written += (await mail.send(asked)).mails.length
    }
    return { written }
  },
})

/** Lets what was noted of trips that can be made again count as new if it comes back. */
async function forgetOthers(trx: ScheduleContext<unknown>['trx'], unfit: readonly string[]): Promise<void> {
  await sql`
    update flow_case c set facts = c.facts - 'unfit' - 'unfitTold', changed_at = clock_timestamp(), version = c.version + 1
    from register_item t where t.register = ${TRIPS} and t.status = 'Planned' and t.data ->> 'case_reference' = c.reference
      and c.facts ?| array['unfit', 'unfitTold'] and c.id <> all(${[...unfit]}::uuid[])`.execute(trx)
}
