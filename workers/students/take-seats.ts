import Type from 'typebox'
import { SEATS, type Seat, freeNumbers, placesOf, registeredFor, seatsTaken } from '../../api/students/subject-seats.ts'
import { type SubjectSetup, subjectCase } from '../../api/students/subject-case.ts'
import type { YearSubject } from '../../api/students/year-subjects.ts'
import { creditsOf } from '../../api/students/registration-rows.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { checkedAs } from '../../api/platform/model/forms/checked-as.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** Takes a place in each chosen elective that has limited places. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['students.subject-full'],
  async run(context) {
    const taken = await takeSeats(context)
    await context.facts({ credits: creditsOf(taken), subjects: taken.map(({ subject }) => subject).join(', ') })
    return {}
  },
})

/**
 * Takes a place in each elective that has limited places; if one has none left, it takes none and throws
 * `students.subject-full`. A limit of a subject that everybody takes does not count. Places of what the student is registered for stay theirs until the new choice is entered; those of a
 * choice that was returned do not. The register lets nobody have the same place twice. Returns the subjects they take.
 */
export async function takeSeats(context: WorkerContext<unknown>): Promise<YearSubject[]> {
  const { trx, registers, submission, submissions, case: found } = context
  const { id: caseId, requesterId, reference } = found
  const { student, setupId, setup, of, taken } = await subjectCase(trx, {
    caseId,
    requesterId,
    submission,
    submissions,
  })
  // Others who want a place of this set-up, or change its limits, wait until the commit.
  const { limits } = checkedAs<SubjectSetup>((await registers.lock(of.register, setupId)).data)
  const kept = new Set([
    ...taken.map(({ id: subject }) => subject),
    ...((await registeredFor(trx, student, setup.academic_year))?.subjects ?? []),
  ])
  const seats: Omit<Seat, 'id'>[] = []
  for (const seat of await seatsTaken(trx, setupId))
    if (seat.student === student && !kept.has(seat.subject))
      await registers.setStatus(await registers.lock(SEATS, seat.id), 'Released', requesterId)
    else seats.push(seat)
  for (const [subject, places] of placesOf(limits)) {
    const chosen = taken.find((one) => one.id === subject && one.chosen)
    const there = seats.filter((one) => one.subject === subject)
    if (!chosen || there.some((one) => one.student === student)) continue
    const [number] = freeNumbers(places, there)
    if (number === undefined) throw new BusinessError('students.subject-full', { subject: chosen.subject })
    const seat = { name: chosen.subject, number, [of.field]: setupId, subject, student, case_reference: reference }
    await registers.create(SEATS, seat, requesterId)
    seats.push(seat)
  }
  return taken
}
