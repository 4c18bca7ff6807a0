import Type from 'typebox'
import { LETTER, letterWith } from '../../api/students/letters.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { endIssued } from '../../api/platform/records/documents/verification.ts'
import { worker } from '../platform/worker.ts'

/** Ends a letter that is still valid: its print and `/verify` say so. The student is told why. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['platform.record-not-as-expected'],
  async run({ trx, mail, submission, case: { requesterId: by } }) {
    const [number, why] = [String(submission['letter']), String(submission['reason'])]
    const letter = await letterWith(trx, number)
    if (!letter || letter.isEnded) throw new BusinessError('platform.record-not-as-expected')
    const { caseId, requesterId } = letter
    await endIssued(trx, { caseId, kind: LETTER, by })
    const template = 'students.mail.letter-withdrawn'
    await mail.send({ to: `user:${requesterId}`, template, caseId, values: { number, why } })
    return {}
  },
})
