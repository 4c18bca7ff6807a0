import type { Rules } from '../platform/flows/rules.ts'
import { checkPayment, checkSettlement } from './payments.ts'

/** What the desks of the money must answer beyond their forms. */
const rules: Rules = {
  desks: {
    userTask_pay: { check: checkPayment },
    userTask_settle: { check: checkSettlement },
  },
}
export default rules
