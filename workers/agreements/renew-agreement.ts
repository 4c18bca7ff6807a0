import Type from 'typebox'
import { AGREEMENTS, inForce } from '../../api/agreements/periods.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { worker } from '../platform/worker.ts'

/**
 * Adds the signed agreement to the documents, and enters the new period and value: as the next one, beside the period
 * that runs, until it begins.
 */
export default worker({
  // A renewal of an earlier version does not wait for its day.
  input: Type.Object({ newPeriodBegins: Type.Optional(Type.String()) }),
  output: Type.Object({}),
  raises: ['agreements.not-later', 'agreements.not-in-use'],
  async run({ variables, registers, submission, submissions, case: { reference }, now }) {
    const signed = submissions.findLast(({ formKey }) => formKey === 'agreements/agreement-renewal-signing')
    if (signed?.data['outcome'] !== 'signed') throw new Error('nobody has signed the agreement')
    const wanted = (name: string) => known(textAt(submission, `/${name}`), `the field ${name} of the renewal`)
    const agreement = await registers.lock(AGREEMENTS, wanted('agreement'))
    if (agreement.status !== 'Active') throw new BusinessError('agreements.not-in-use')
    const present = known(textAt(agreement.data, '/until'), 'the last day of the agreement')
    if (wanted('new_until') <= present) throw new BusinessError('agreements.not-later', { until: present })
    const { documents: earlier } = agreement.data
    const next = {
      next_from: wanted('new_from'),
      next_until: wanted('new_until'),
      next_value: submission['new_value'] ?? null,
    }
    await registers.change(
      agreement,
      {
        ...(variables.newPeriodBegins !== undefined && wanted('new_from') > dayInColombo(now) ? next : inForce(next)),
        documents: [
          ...(Array.isArray(earlier) ? earlier : []),
          { title: reference, file: known(textAt(signed.data, '/file'), 'the signed file') },
        ],
      },
      // The desks of the renewal have approved it; a person would need another approval.
      null,
    )
    return {}
  },
})
