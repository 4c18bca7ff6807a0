import Type from 'typebox'
import { SEATS, seatsTaken } from '../../api/students/subject-seats.ts'
import { subjectCase } from '../../api/students/subject-case.ts'
import { creditsOf } from '../../api/students/registration-rows.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { worker } from '../platform/worker.ts'

/**
 * Takes a place in each chosen subject that has limited places; if one has none left, it takes none. Places that the
 * student had before stay theirs until the new choice is entered. The register lets nobody have the same place twice.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['students.subject-full'],
  async run({ trx, registers, facts, submission, submissions, case: { requesterId, reference } }) {
    const { student, setupId, setup, taken } = await subjectCase(trx, { requesterId, submission, submissions })
    // Others who want a place of this set-up wait until the commit.
    await registers.lock('students/subject-registration-setup', setupId)
    const seats = await seatsTaken(trx, setupId)
    for (const { subject, places } of setup.limits ?? []) {
      const chosen = taken.find(({ id }) => id === subject)
      const there = seats.filter((one) => one.subject === subject)
      if (!chosen || there.some((one) => one.student === student)) continue
      const used = new Set(there.map(({ number }) => number))
      const number = Array.from({ length: places }, (_, at) => at + 1).find((one) => !used.has(one))
      if (number === undefined) throw new BusinessError('students.subject-full', { subject: chosen.subject })
      const seat = { name: chosen.subject, number, setup: setupId, subject, student, case_reference: reference }
      await registers.create(SEATS, seat, requesterId)
    }
    await facts({ credits: creditsOf(taken), subjects: taken.map(({ subject }) => subject).join(', ') })
    return {}
  },
})
