import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { isReceiptUsed, settledPayment } from '../vouchers/payments/returned.ts'
import { findAdvance } from './advance.ts'

const DAYS_AHEAD = 7

const rules: Rules = {
  check({ data, now, before }) {
    const errors: FieldError[] = []
    const [from, until] = [String(data['from']), String(data['until'])]
    // A request that is returned may keep its dates.
    const isAsked = before === undefined || before['from'] !== from
    if (isAsked && from < dayAway(dayInColombo(now), DAYS_AHEAD))
      errors.push({ field: '/from', code: 'field-visits.week-ahead' })
    if (until < from) errors.push({ field: '/until', code: 'field-visits.ends-before-it-begins' })
    else if (until > from && data['overnight'] === 'no')
      errors.push({ field: '/overnight', code: 'field-visits.overnight-or-one-day' })
    return errors
  },

  answers: {
    'field-visits/report': {
      check({ data, current }) {
        const students = Number(current['students'])
        return Number(data['took_part']) > students
          ? [{ field: '/took_part', code: 'field-visits.more-than-asked', values: { students } }]
          : []
      },
    },
    'field-visits/advance-settlement': { check: checkSettlement },
  },
}

/** What is said about an advance has to be true of its voucher. */
async function checkSettlement({ data, trx, caseId }: DeskInput): Promise<FieldError[]> {
  const voucher = await findAdvance(trx, caseId)
  const isBack = data['outcome'] === 'returned'
  const about = (code: string): FieldError => ({
    field: '/outcome',
    code,
    values: { reference: voucher?.reference ?? '' },
  })
  if (voucher?.state === 'running') return [about('field-visits.advance-not-settled')]
  const payment = voucher?.status === 'Settled Payment' ? await settledPayment(trx, voucher.id) : undefined
  if (isBack && !payment) return [about('field-visits.advance-was-not-paid')]
  if (!isBack || !payment) return payment ? [about('field-visits.advance-was-paid')] : []
  const back = Number(data['amount'])
  if (back > payment.amount) return [{ field: '/amount', code: 'field-visits.more-than-advance' }]
  if (back < payment.amount && data['reason'] === undefined)
    return [{ field: '/reason', code: 'field-visits.less-than-advance' }]
  const isUsed = await isReceiptUsed(trx, String(data['receipt']))
  return isUsed ? [{ field: '/receipt', code: 'field-visits.receipt-used' }] : []
}

export default rules
