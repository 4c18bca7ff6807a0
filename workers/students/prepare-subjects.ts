import Type from 'typebox'
import { subjectCase } from '../../api/students/subject-case.ts'
import { codesRegistered, registeredFor } from '../../api/students/subject-seats.ts'
import { rowsOf, subjectsOfYear } from '../../api/students/year-subjects.ts'
import { worker } from '../platform/worker.ts'

/**
 * Lists the subjects of the student's year, with the electives taken for which they are registered already. A prerequisite
 * of another year is not asked for again.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, facts, submission, submissions, case: { id: caseId, requesterId } }) {
    const { student, setup } = await subjectCase(trx, { caseId, requesterId, submission, submissions })
    const known = await codesRegistered(trx, student, { before: setup.academic_year })
    const all = await subjectsOfYear(trx, setup.batch, setup.year)
    const open = all.map(({ needs, ...one }) => {
      const missing = needs?.split(', ').filter((code) => !known.has(code)) ?? []
      return { ...one, ...(missing.length > 0 && { needs: missing.join(', ') }) }
    })
    const before = await registeredFor(trx, student, setup.academic_year)
    await facts(rowsOf(open, new Set(before?.subjects)))
    return {}
  },
})
