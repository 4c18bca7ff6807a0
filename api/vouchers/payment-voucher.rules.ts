import type { Rules } from '../platform/model/deployed/rules.ts'
import { checkCertificate, checkPayment, checkSettlement } from './payments/checks.ts'

/** Checks of answers about money beyond their forms. */
const rules: Rules = {
  answers: {
    'vouchers/certify': { check: checkCertificate },
    'vouchers/certify-payee': { check: checkCertificate },
    'vouchers/pay': { check: checkPayment },
    'vouchers/settle': { check: checkSettlement },
  },
}
export default rules
