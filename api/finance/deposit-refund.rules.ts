import { rupees } from '../platform/kernel/rupees.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { depositLeft } from '../platform/records/ledger/deposits.ts'
import { findOrigin } from '../platform/work/rows/case-links.ts'

const rules: Rules = {
  answers: {
    'finance/deposit-refund-payment': {
      /** Nobody pays what the ledger does not hold for the case with the deposit. */
      async check({ trx, caseId, current }) {
        const origin = await findOrigin(trx, caseId)
        const left = origin === undefined ? 0 : await depositLeft(trx, origin)
        return left < Number(current['amount'])
          ? [{ field: '/outcome', code: 'finance.deposit-gone', values: { left: rupees(left) } }]
          : []
      },
    },
  },
}

export default rules
