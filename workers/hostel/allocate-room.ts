import { sql } from 'kysely'
import Type from 'typebox'
import { bedsInOrder } from '../../api/hostel/rooms.ts'
import { STAYS, candidatesOf, freeBeds, whyIncomplete } from '../../api/hostel/stays.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { worker } from '../platform/worker.ts'

/**
 * Gives the student the bed that the order of the list leaves for them, if there is one. Beds of students who are before
 * them and have none yet are not given away, so the order in which cases come here does not matter.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ roomFound: Type.Boolean(), listComplete: Type.Boolean() }),
  async run({ trx, registers, facts, submission, submissions, case: { requesterId, reference }, now }) {
    const asked = submissions.findLast(({ formKey }) => formKey === 'hostel/allocation')
    if (asked?.data['outcome'] !== 'allocate') throw new Error('no desk has asked for a room')
    const sex = known(textAt(submission, '/sex'), 'the sex of the student')
    // Who wants a room waits until the commit; of this intake they wait for its entry.
    await sql`select pg_advisory_xact_lock(hashtext('hostel-rooms'))`.execute(trx)
    const intake = await registers.lock('hostel/intake', known(textAt(submission, '/intake'), 'the intake'))
    // It may have become incomplete since the desk decided: then the desk gets a second try.
    if (await whyIncomplete(trx, intake, now)) return { roomFound: false, listComplete: false }
    const candidates = await candidatesOf(trx, { intake: intake.id, sex })
    const bed = bedsInOrder(candidates, await freeBeds(trx, sex)).get(reference)
    if (!bed) return { roomFound: false, listComplete: true }
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const { fee, deposit, from, until } = intake.data
    await registers.create(
      STAYS,
      {
        ...{ case_reference: reference, student: student.id, sex, intake: intake.id },
        reg_no: known(textAt(student.data, '/reg_no'), 'the registration number'),
        ...{ hostel: bed.hostel, room: bed.room, room_name: bed.roomNumber, bed: bed.bed },
        ...{ from: from ?? null, until: until ?? null },
      },
      asked.by,
    )
    const hostel = await registers.item('hostel/hostel', bed.hostel)
    await facts({
      hostel: hostel.data['name_en'] ?? null,
      room: bed.roomNumber,
      bed: bed.bed,
      // What holds for this student, whatever becomes of the intake.
      ...{ fee: fee ?? null, deposit: deposit ?? null },
      toPay: Number(fee) + Number(deposit),
    })
    return { roomFound: true, listComplete: true }
  },
})
