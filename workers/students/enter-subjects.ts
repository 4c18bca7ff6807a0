import Type from 'typebox'
import { NO_SOURCE, REGISTRATIONS, registeredFor, releaseSeats } from '../../api/students/subject-seats.ts'
import { creditsOf } from '../../api/students/registration-rows.ts'
import { subjectCase } from '../../api/students/subject-case.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'
import { takeSeats } from './take-seats.ts'

/** Enters what the student is registered for, instead of what they had before, and gives back places they left. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run(context) {
    await enterSubjects(context)
    return {}
  },
})

/**
 * Enters the subjects of the last choice, of a registration too, and gives back the other places of the year. A limited
 * subject needs a place, also where the diagram took none, or the limit or the loss of the place came later: it is taken
 * here, and a full subject becomes an incident.
 */
export async function enterSubjects(context: WorkerContext<unknown>): Promise<void> {
  const { trx, registers, submission, submissions, case: found } = context
  const { id: caseId, requesterId, reference } = found
  const { student, setupId, setup, taken } = await subjectCase(trx, { caseId, requesterId, submission, submissions })
  await takeSeats(context)
  const chosen = {
    subjects: [...new Set(taken.map(({ id }) => id))].map((subject) => ({ subject })),
    credits: creditsOf(taken),
    year: setup.year,
    case_reference: reference,
  }
  const before = await registeredFor(trx, student, setup.academic_year)
  if (before) await registers.change(await registers.lock(REGISTRATIONS, before.id), { ...chosen, ...NO_SOURCE }, null)
  else await registers.create(REGISTRATIONS, { student, academic_year: setup.academic_year, ...chosen }, null)
  const kept = new Set(taken.map(({ id }) => id))
  // Those of the batch that they were in before a change of intake are given back, too.
  await releaseSeats(
    { trx, registers },
    { student, academicYear: setup.academic_year, by: null },
    (seat) => seat.setup === setupId && kept.has(seat.subject),
  )
}
