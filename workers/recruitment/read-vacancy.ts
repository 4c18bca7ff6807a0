import Type from 'typebox'
import { VACANCIES } from '../../api/recruitment/vacancies.ts'
import { worker } from '../platform/worker.ts'

/** Whether the vacancy of the application was withdrawn when its closing time came. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ vacancyWithdrawn: Type.Boolean() }),
  async run({ registers, submission }) {
    const { status } = await registers.item(VACANCIES, String(submission['vacancy']))
    return { vacancyWithdrawn: status === 'Withdrawn' }
  },
})
