import Type from 'typebox'
import { areaOf } from '../../api/platform/model/definitions/manifest.ts'
import { at } from '../../api/platform/model/definitions/register.ts'
import { takeFee } from '../../api/platform/records/ledger/fees.ts'
import { getCaseContent } from '../../api/platform/work/rows/cases.ts'
import { worker } from './worker.ts'

/** Posts the fee whose payment a desk has accepted; a case without a fee posts nothing. */
export default worker({
  input: Type.Object({
    /** Place of the fee in `{facts, subject}` of the case, in cents. */
    amount: Type.String({ pattern: '^/(facts|subject)/.+$' }),
  }),
  output: Type.Object({}),
  async run({ trx, variables, submissions, case: { id, flow, subject, requesterId } }) {
    const { facts } = await getCaseContent(trx, id)
    const amount = at({ facts, subject }, variables.amount) ?? 0
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0)
      throw new Error(`${variables.amount} is not an amount in cents`)
    if (amount === 0) return {}
    const by = submissions.findLast((one) => one.by !== requesterId)?.by ?? null
    await takeFee(trx, { caseId: id, amount, area: areaOf(flow), by })
    return {}
  },
})
