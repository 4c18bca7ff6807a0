import Type from 'typebox'
import { registeredFor, releaseSeats } from '../../api/students/subject-seats.ts'
import { subjectCase } from '../../api/students/subject-case.ts'
import { type WorkerContext, worker } from '../platform/worker.ts'

/** Gives back the student's places in subjects for which they are not registered; says whether they are for any. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ entered: Type.Boolean() }),
  run: releaseUnused,
})

/** Gives back places in subjects for which the student is not registered, and tells whether they are for any. */
export async function releaseUnused(context: WorkerContext<unknown>): Promise<{ entered: boolean }> {
  const { trx, registers, submission, submissions, case: found } = context
  const { requesterId } = found
  const { student, setup } = await subjectCase(trx, { caseId: found.id, requesterId, submission, submissions })
  const entry = await registeredFor(trx, student, setup.academic_year)
  const kept = new Set(entry?.subjects)
  const of = { student, academicYear: setup.academic_year, by: null }
  await releaseSeats({ trx, registers }, of, ({ subject }) => kept.has(subject))
  return { entered: entry !== undefined }
}
