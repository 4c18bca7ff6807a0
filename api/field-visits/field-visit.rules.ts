import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { listFollowing } from '../platform/work/rows/case-links.ts'

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
async function checkSettlement({ data, current, trx, caseId }: DeskInput): Promise<FieldError[]> {
  const vouchers = (await listFollowing(trx, caseId)).filter((one) => one.link_name === 'advance')
  const voucher = vouchers.findLast(({ withdrawn_at: withdrawn }) => withdrawn === null)
  const isBack = data['outcome'] === 'returned'
  const about = (code: string): FieldError => ({
    field: '/outcome',
    code,
    values: { reference: voucher?.reference ?? '' },
  })
  if (voucher?.state === 'running') return [about('field-visits.advance-not-settled')]
  const wasPaid = voucher?.status === 'Settled Payment'
  if (isBack && !wasPaid) return [about('field-visits.advance-was-not-paid')]
  if (!isBack) return wasPaid ? [about('field-visits.advance-was-paid')] : []
  const [back, advance] = [Number(data['amount']), Number(current['advance'])]
  if (back > advance) return [{ field: '/amount', code: 'field-visits.more-than-advance' }]
  return back < advance && data['reason'] === undefined
    ? [{ field: '/reason', code: 'field-visits.less-than-advance' }]
    : []
}

export default rules
