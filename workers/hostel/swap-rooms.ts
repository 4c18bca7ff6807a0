import type { Transaction } from 'kysely'
import Type from 'typebox'
import { APPLICATIONS, STAYS, canSwap, findStay } from '../../api/hostel/stays.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findAccountOfEntry } from '../../api/platform/people/identity/accounts.ts'
import { lockCase, saveCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from '../platform/worker.ts'

/**
 * Gives each of two students of one hostel the bed of the other with its key, and tells the other student. Their
 * applications then know the new room and what is in it, which is counted when it is handed back.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['hostel.swap-impossible'],
  async run({ trx, registers, mail, submission, submissions, case: { reference } }) {
    const decided = submissions.findLast(({ formKey }) => formKey === 'hostel/swap-decision')
    if (decided?.data['outcome'] !== 'approve') throw new Error('no desk has approved the swap')
    const own = known(textAt(submission, '/stay'), 'the place of the student')
    const other = await findStay(trx, String(submission['other']))
    if (other === undefined || other === own) throw new BusinessError('hostel.swap-impossible')
    const { data: named } = await registers.item(STAYS, own)
    // Applications before places, as their own workers lock them, and each in one order: nobody waits in a circle.
    const applications = await lockApplications(trx, [String(named['case_reference']), String(submission['other'])])
    const locked = new Map<string, Awaited<ReturnType<typeof registers.lock>>>()
    for (const id of [own, other].toSorted()) locked.set(id, await registers.lock(STAYS, id))
    const one = known(locked.get(own), 'the place of the student')
    const two = known(locked.get(other), 'the place of the other student')
    const bothTaken = one.status === 'Taken' && two.status === 'Taken'
    if (!bothTaken || one.data['hostel'] !== two.data['hostel'] || !(await canSwap(trx, one.data, two.data)))
      throw new BusinessError('hostel.swap-impossible')
    // A bed has one student at any moment: the first leaves theirs before the second gets it.
    const moving = await registers.setStatus(one, 'Moving', decided.by)
    await registers.change(two, bedOf(one.data), decided.by)
    const moved = await registers.change(moving, bedOf(two.data), decided.by)
    await registers.setStatus(moved, 'Taken', decided.by)
    const tells = async (stay: JsonObject, from: JsonObject) => {
      const application = applications.get(String(stay['case_reference']))
      if (!application) return
      const { data } = await registers.item('hostel/room', known(textAt(from, '/room'), 'the room'))
      const { room_name: room, bed, key_no: key } = bedOf(from)
      const facts = { ...application.facts, room, bed, key, inventory: data['inventory'] ?? null }
      await saveCaseContent(trx, application.id, { facts })
    }
    await tells(one.data, two.data)
    await tells(two.data, one.data)
    const to = await findAccountOfEntry(trx, known(textAt(two.data, '/student'), 'the other student'))
    if (to !== undefined)
      await mail.send({
        to,
        template: 'hostel.mail.swap-other-done',
        values: { reference, room: known(textAt(one.data, '/room_name'), 'the room') },
        page: '/welfare/hostel/student-hostel',
      })
    return {}
  },
})

/**
 * The applications with these numbers, locked. Nobody may be taking back the room of one at this moment: the wrong one
 * would become free.
 */
async function lockApplications(trx: Transaction<DB>, references: readonly string[]) {
  const found = await trx
    .selectFrom('flow_case')
    .select(['id', 'reference'])
    .where('flow', '=', APPLICATIONS)
    .where('reference', 'in', references)
    .orderBy('id')
    .execute()
  const locked = new Map<string, { id: string; facts: JsonObject }>()
  for (const { id, reference } of found) {
    const { facts } = await lockCase(trx, id)
    const desk = await trx
      .selectFrom('task')
      .select('id')
      .where('case_id', '=', id)
      .where('desk', 'in', ['userTask_vacate', 'userTask_vacateLate'])
      .where('state', 'in', ['open', 'held'])
      .executeTakeFirst()
    if (!desk) throw new BusinessError('hostel.swap-impossible')
    locked.set(reference, { id, facts })
  }
  return locked
}

/** The fields of a place that say which bed it is, with its key. */
function bedOf({ room, room_name, bed, key_no }: JsonObject): JsonObject {
  return { room: room ?? null, room_name: room_name ?? null, bed: bed ?? null, key_no: key_no ?? null }
}
