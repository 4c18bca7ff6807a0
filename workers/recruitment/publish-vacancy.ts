import Type from 'typebox'
import { VACANCIES } from '../../api/recruitment/vacancies.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { worker } from '../platform/worker.ts'

/**
 * Writes the approved vacancy into the register, from where the public page takes it. It gets the id of its
 * advertisement, and the number of its case.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['recruitment.closing-passed'],
  async run({ registers, facts, submission, case: { id, reference, requesterId }, now }) {
    const today = dayInColombo(now)
    const closes = String(submission['closing_day'])
    if (closes < today) throw new BusinessError('recruitment.closing-passed', { closes })
    const data = { ...submission, number: reference, opens: today }
    // The requester has uploaded the documents of the vacancy, which become public with it.
    await registers.create(VACANCIES, data, requesterId, { id })
    await facts({ vacancyNumber: reference })
    return {}
  },
})
