import Type from 'typebox'
import { SEATS, type Seat, registeredFor, seatsTaken } from '../../api/students/subject-seats.ts'
import { subjectCase } from '../../api/students/subject-case.ts'
import { creditsOf } from '../../api/students/registration-rows.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { worker } from '../platform/worker.ts'

/**
 * Takes a place in each elective that has limited places; if one has none left, it takes none. A limit of a subject that
 * everybody takes does not count, and of two limits of one subject the smaller does. Places of what the student is
 * registered for stay theirs until the new choice is entered; those of a choice that was returned do not. The register
 * lets nobody have the same place twice.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['students.subject-full'],
  async run({ trx, registers, facts, submission, submissions, case: { id: caseId, requesterId, reference } }) {
    const { student, setupId, setup, taken } = await subjectCase(trx, { caseId, requesterId, submission, submissions })
    // Others who want a place of this set-up wait until the commit.
    await registers.lock('students/subject-registration-setup', setupId)
    const kept = new Set([
      ...taken.map(({ id: subject }) => subject),
      ...((await registeredFor(trx, student, setup.academic_year))?.subjects ?? []),
    ])
    const seats: Omit<Seat, 'id'>[] = []
    for (const seat of await seatsTaken(trx, setupId))
      if (seat.student === student && !kept.has(seat.subject))
        await registers.setStatus(await registers.lock(SEATS, seat.id), 'Released', requesterId)
      else seats.push(seat)
    const limits = new Map<string, number>()
    for (const { subject, places } of setup.limits ?? [])
      limits.set(subject, Math.min(places, limits.get(subject) ?? places))
    for (const [subject, places] of limits) {
      const chosen = taken.find((one) => one.id === subject && one.chosen)
      const there = seats.filter((one) => one.subject === subject)
      if (!chosen || there.some((one) => one.student === student)) continue
      const used = new Set(there.map(({ number }) => number))
      const number = Array.from({ length: places }, (_, at) => at + 1).find((one) => !used.has(one))
      if (number === undefined) throw new BusinessError('students.subject-full', { subject: chosen.subject })
      const seat = { name: chosen.subject, number, setup: setupId, subject, student, case_reference: reference }
      await registers.create(SEATS, seat, requesterId)
      seats.push(seat)
    }
    await facts({ credits: creditsOf(taken), subjects: taken.map(({ subject }) => subject).join(', ') })
    return {}
  },
})
