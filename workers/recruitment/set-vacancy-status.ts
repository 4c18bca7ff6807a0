import Type from 'typebox'
import { VACANCIES } from '../../api/recruitment/vacancies.ts'
import { worker } from '../platform/worker.ts'

/** The forms by which HR withdraws a vacancy and puts it back. */
const ACTS = ['recruitment/vacancy-reason', 'recruitment/vacancy-return']

/** Opens, withdraws or closes the vacancy that the case has advertised. A withdrawn vacancy says why. */
export default worker({
  input: Type.Object({ status: Type.Enum(['Active', 'Withdrawn', 'Closed']) }),
  output: Type.Object({}),
  async run({ registers, variables: { status }, submissions, case: { id } }) {
    const vacancy = await registers.lock(VACANCIES, id)
    const said = submissions.findLast(({ formKey }) => ACTS.includes(formKey))
    const by = said?.by ?? null
    const reason = status === 'Withdrawn' ? (said?.data['reason'] ?? null) : null
    const changed = status === 'Closed' ? vacancy : await registers.change(vacancy, { withdrawn_because: reason }, by)
    if (changed.status !== status) await registers.setStatus(changed, status, status === 'Closed' ? null : by)
    return {}
  },
})
