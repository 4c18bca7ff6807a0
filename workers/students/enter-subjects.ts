import Type from 'typebox'
import { REGISTRATIONS, registeredFor, releaseSeats } from '../../api/students/subject-seats.ts'
import { creditsOf } from '../../api/students/registration-rows.ts'
import { subjectCase } from '../../api/students/subject-case.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { worker } from '../platform/worker.ts'

/** Enters what the student is registered for, instead of what they had before, and gives back places they left. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, registers, submission, submissions, case: { id: caseId, requesterId, reference } }) {
    const { student, setupId, setup, taken } = await subjectCase(trx, { caseId, requesterId, submission, submissions })
    const by = submissions.at(-1)?.by ?? null
    const chosen = {
      subjects: taken.map(({ id }) => ({ subject: id })),
      credits: creditsOf(taken),
      year: setup.year,
      case_reference: reference,
    }
    const before = await registeredFor(trx, student, setup.academic_year)
    if (before) await registers.change(await registers.lock(REGISTRATIONS, before.id), chosen, by)
    else {
      const { id, title } = known(await findAnyItem(trx, setup.academic_year), 'the academic year')
      const entry = { name: title, student, academic_year: id, ...chosen }
      await registers.create(REGISTRATIONS, entry, by)
    }
    const kept = new Set(taken.map(({ id }) => id))
    // Those of the batch that they were in before a change of intake are given back, too.
    const of = { student, academicYear: setup.academic_year, by }
    await releaseSeats({ trx, registers }, of, (seat) => seat.setup === setupId && kept.has(seat.subject))
    return {}
  },
})
