import type { Rules } from '../platform/model/deployed/rules.ts'
import { checkCertificate, checkPayment, checkSettlement } from './payments/checks.ts'

/** What the answers about money must fulfil beyond their forms. */
const rules: Rules = {
  answers: {
    'vouchers/certify': { check: checkCertificate },
    'vouchers/certify-payee': { check: checkCertificate },
    'vouchers/pay': { check: checkPayment },
    'vouchers/settle': { check: checkSettlement },
  },
}
export default rules
