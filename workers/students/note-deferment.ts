import Type from 'typebox'
import { DEFERMENTS } from '../../api/students/deferments.ts'
import { leaveYear } from '../../api/students/subject-seats.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { findAnyItem, findItemWith } from '../../api/platform/work/rows/items.ts'
import { worker } from '../platform/worker.ts'

/**
 * Notes which academic year the student may defer; what they were registered for in it ends, and its places are free. A
 * step that runs again notes nothing.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['students.deferment-not-noted'],
  async run({ trx, registers, facts, submission, submissions, case: { requesterId, reference } }) {
    const noted = await findItemWith(trx, DEFERMENTS, { field: 'case_reference', value: reference })
    if (noted !== undefined) return {}
    const academic_year = known(textAt(submission, '/deferred_year'), 'the year to defer')
    const year = known(await findAnyItem(trx, academic_year), 'the academic year').title
    const student = await findOwnEntry(trx, requesterId)
    if (!student) throw new BusinessError('students.deferment-not-noted', { year })
    // Another request of the student waits until the commit.
    await registers.lock(student.register, student.id)
    const deferment = { student: student.id, academic_year, case_reference: reference }
    const wrong = await registers.examine(DEFERMENTS, [{ data: deferment }])
    if (wrong.length > 0) throw new BusinessError('students.deferment-not-noted', { year })
    const by = submissions.at(-1)?.by ?? null
    await registers.create(DEFERMENTS, deferment, by)
    await leaveYear({ trx, registers }, { student: student.id, academicYear: academic_year, by })
    await facts({ deferredYear: year })
    return {}
  },
})
