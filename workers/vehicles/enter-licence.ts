import { sql } from 'kysely'
import Type from 'typebox'
import { LICENCES } from '../../api/vehicles/trips.ts'
import { findOverlapping } from '../../api/vehicles/licences.ts'
import { dayAway, dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from '../platform/worker.ts'

/**
 * Enters a licence that was checked. One that began before ends on the day before it. Earlier ones of the vehicle whose
 * last day is over are not in force any more.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['vehicles.licence-overlaps'],
  async run({ trx, registers, facts, submission, submissions, now, case: { requesterId } }) {
    const { by } = known(submissions.at(-1), 'the answer about the document')
    const from = String(submission['from'])
    const inForce = (is: '<' | '>=', day: string) =>
      trx
        .selectFrom('register_item')
        .select('id')
        .where('register', '=', LICENCES)
        .where('status', '=', 'Active')
        .where(sql`data ->> 'vehicle'`, '=', String(submission['vehicle']))
        .where(sql`data ->> 'kind'`, '=', String(submission['kind']))
        .where(sql`data ->> 'until'`, is, day)
        .orderBy('id')
    const replaced = await inForce('>=', from)
      .where(sql`data ->> 'from'`, '<', from)
      .execute()
    for (const { id: former } of replaced)
      await registers.change(await registers.lock(LICENCES, former), { until: dayAway(from, -1) }, by)
    // Another one was checked meanwhile.
    const other = await findOverlapping(trx, submission)
    if (other) throw new BusinessError('vehicles.licence-overlaps', other)
    // The file is the requester's.
    const { id } = await registers.create(LICENCES, submission, requesterId, { status: 'Active' })
    await facts({ licence: id })
    const over = await inForce('<', dayInColombo(now)).execute()
    for (const earlier of over) await registers.setStatus(await registers.lock(LICENCES, earlier.id), 'expired', by)
    return {}
  },
})
