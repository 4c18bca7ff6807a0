import { dayAway, dayInColombo } from '../platform/kernel/colombo.ts'
import type { JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { known } from '../platform/kernel/known.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { findAdvance, isReceiptUsed } from './advance.ts'
import { mostStudents, notedErrors, participantErrors } from './consents.ts'

const DAYS_AHEAD = 7

const rules: Rules = {
  async check({ data, now, before, trx }) {
    // A request that is returned may keep its dates.
    const errors = dayErrors(data, now, before?.['from'])
    return errors.length > 0 ? errors : participantErrors(trx, data)
  },

  derive({ data }) {
    const isNight = data['overnight'] === 'yes'
    return { facts: { consents: isNight ? null : 'not-needed', noted: isNight ? 0 : null }, variables: {} }
  },

  acts: {
    consents: { check: notedErrors },
    move: {
      check({ data, current, now }) {
        const { from, until } = data
        if (from === current['from'] && until === current['until'])
          return [{ field: '/from', code: 'field-visits.same-days' }]
        // The head has until then (`moveBy` of the manifest).
        if (dayInColombo(now) > dayAway(String(current['from']), -2))
          return [{ field: '/from', code: 'field-visits.too-late-to-move' }]
        return dayErrors({ ...current, from, until }, now, current['from']).map((error) =>
          error.field === '/overnight' ? { ...error, field: '/until' } : error,
        )
      },
    },
  },

  answers: {
    'field-visits/move-decision': {
      async check({ data, trx, caseId, now }) {
        const { from } = known(await findAskedDays(trx, caseId), 'the days that were asked for')
        return data['outcome'] === 'approve' && String(from) <= dayInColombo(now)
          ? [{ field: '/outcome', code: 'field-visits.days-are-over' }]
          : []
      },
    },
    'field-visits/report': {
      check({ data, current }) {
        const { students, consents = students } = mostStudents(current)
        const took = Number(data['took_part'])
        const about = (code: string, values: FieldError['values'] = {}): FieldError[] => [
          { field: '/took_part', code, values },
        ]
        if (took > students) return about('field-visits.more-than-asked', { students })
        return took > consents ? about('field-visits.more-than-consents', { consents }) : []
      },
    },
    'field-visits/advance-settlement': { check: checkSettlement },
  },
}

/** What is wrong with the days of a visit, which are a week ahead unless they begin as before. */
function dayErrors(data: JsonObject, now: Date, before?: unknown): FieldError[] {
  const errors: FieldError[] = []
  const [from, until] = [String(data['from']), String(data['until'])]
  if (before !== from && from < dayAway(dayInColombo(now), DAYS_AHEAD))
    errors.push({ field: '/from', code: 'field-visits.week-ahead' })
  if (until < from) errors.push({ field: '/until', code: 'field-visits.ends-before-it-begins' })
  else if (until > from && data['overnight'] === 'no')
    errors.push({ field: '/overnight', code: 'field-visits.overnight-or-one-day' })
  return errors
}

/** The days to which somebody wants to move a visit. */
async function findAskedDays(trx: DeskInput['trx'], caseId: string): Promise<JsonObject | undefined> {
  const row = await trx
    .selectFrom('submission')
    .select('data')
    .where('case_id', '=', caseId)
    .where('form_key', '=', 'field-visits/move')
    .where('effect', '<>', 'void')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.data
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
  const paid = voucher?.status === 'Settled Payment' ? voucher.paid : undefined
  if (isBack && paid === undefined) return [about('field-visits.advance-was-not-paid')]
  if (!isBack || paid === undefined) return paid !== undefined ? [about('field-visits.advance-was-paid')] : []
  const back = Number(data['amount'])
  if (back > paid) return [{ field: '/amount', code: 'field-visits.more-than-advance', values: { paid: rupees(paid) } }]
  if (back < paid && data['reason'] === undefined) return [{ field: '/reason', code: 'field-visits.less-than-advance' }]
  const isUsed = await isReceiptUsed(trx, String(data['receipt']))
  return isUsed ? [{ field: '/receipt', code: 'field-visits.receipt-used' }] : []
}

export default rules
