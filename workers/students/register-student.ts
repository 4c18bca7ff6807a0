import Type from 'typebox'
import { batchOf, setupOf } from '../../api/students/registration-setup.ts'
import { subjectsOfYear } from '../../api/students/year-subjects.ts'
import { type RegistrationFacts, codeOf, creditsOf } from '../../api/students/registration-rows.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../../api/platform/people/identity/accounts.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { REGISTRATIONS, registeredFor } from '../../api/students/subject-seats.ts'
import { takenOf } from '../../api/students/subject-choice.ts'
import { worker } from '../platform/worker.ts'

const FIRST_YEAR = 1

/** Makes an unregistered student active and one of the batch, and enters the subjects that they take. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['platform.record-not-as-expected'],
  async run({ trx, registers, facts, submission, submissions, case: { id, requesterId, reference }, now }) {
    const student = known(await findOwnEntry(trx, requesterId), 'the entry of the student')
    const entry = await registers.lock('platform/student', student.id)
    if (entry.status !== 'unregistered') throw new BusinessError('platform.record-not-as-expected')
    const by = submissions.at(-1)?.by ?? null
    const setup = await setupOf(trx, submission)
    const batch = await batchOf(trx, setup)
    const { intake, batch: earlier = batch.id, year = FIRST_YEAR } = entry.data
    if (batch.status !== 'Active' || batch.data['intake'] !== intake || earlier !== batch.id)
      throw new BusinessError('platform.record-not-as-expected')
    await registers.setStatus(await registers.change(entry, { batch: batch.id, year }, by), 'active', by)
    const { core, electives } = checkedAs<RegistrationFacts>((await getCaseContent(trx, id)).facts)
    const taken = takenOf(core, electives)
    const codes = new Set(taken.map(codeOf))
    const all = await subjectsOfYear(trx, batch.id, FIRST_YEAR)
    const academicYear = known(await findAnyItem(trx, String(setup.data['academic_year'])), 'the academic year')
    const chosen = {
      subjects: all.filter((one) => codes.has(codeOf(one))).map((one) => ({ subject: one.id })),
      credits: creditsOf(taken),
      case_reference: reference,
    }
    const before = await registeredFor(trx, student.id, academicYear.id)
    if (before) await registers.change(await registers.lock(REGISTRATIONS, before.id), chosen, by)
    else
      await registers.create(
        REGISTRATIONS,
        { name: academicYear.title, student: student.id, academic_year: academicYear.id, year: FIRST_YEAR, ...chosen },
        by,
      )
    await facts({ registeredOn: dayInColombo(now) })
    return {}
  },
})
