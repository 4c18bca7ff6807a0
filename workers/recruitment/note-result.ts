import Type from 'typebox'
import { VACANCIES, postsGiven } from '../../api/recruitment/vacancies.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from '../platform/worker.ts'

/** The results of the university, by the answer of the Registrar. */
const RESULTS: Readonly<Record<string, string>> = {
  select: 'Selected',
  demote: 'Demoted',
  reserve: 'Reserved',
  'not-select': 'Not Selected',
}

/** Notes the approved result. A vacancy never gives more posts than it has. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['recruitment.no-post-left'],
  async run({ trx, registers, facts, submission, submissions }) {
    const recorded = known(
      submissions.findLast(({ formKey }) => formKey === 'recruitment/result'),
      'the result that the Registrar recorded',
    ).data
    const outcome = String(recorded['outcome'])
    const result = known(RESULTS[outcome], `the result of the answer ${outcome}`)
    if (outcome === 'select' || outcome === 'demote') {
      // Locked, so that the last post is given once.
      const { id, data } = await registers.lock(VACANCIES, String(submission['vacancy']))
      const positions = Number(data['positions'])
      if ((await postsGiven(trx, id)) >= positions) throw new BusinessError('recruitment.no-post-left', { positions })
    }
    await facts({ result, ...detailsOf(outcome, recorded) })
    return {}
  },
})

/** What the letter says beside the result. */
function detailsOf(outcome: string, { appointed_as, report_on, reserve_place }: JsonObject): JsonObject {
  if (outcome === 'reserve') return { reservePlace: known(reserve_place, 'the place on the reserve list') }
  if (outcome === 'not-select') return {}
  return { appointedAs: known(appointed_as, 'the designation'), reportOn: known(report_on, 'the day of duty') }
}
