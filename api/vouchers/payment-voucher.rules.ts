import type { Rules } from '../platform/flows/rules.ts'
import { checkCertificate, checkPayment, checkSettlement } from './payments.ts'

/** What the desks of the money must answer beyond their forms. */
const rules: Rules = {
  desks: {
    userTask_certify: { check: checkCertificate },
    userTask_certifyPayee: { check: checkCertificate },
    userTask_pay: { check: checkPayment },
    userTask_settle: { check: checkSettlement },
  },
}
export default rules
