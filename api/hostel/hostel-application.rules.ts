import { sql } from 'kysely'
import type { FieldError } from '../platform/kernel/errors.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import { known } from '../platform/kernel/known.ts'
import { isObject } from '../platform/kernel/objects.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { titleWithUnique } from '../platform/records/registers/unique.ts'
import { getCaseRow } from '../platform/work/rows/cases.ts'
import { findAnyItem, findItemWith } from '../platform/work/rows/items.ts'
import { STAYS, whyIncomplete } from './stays.ts'

const rules: Rules = {
  acts: {
    appeal: {
      check: async ({ facts, now }) => {
        if (facts['appealed'] === true) return [{ field: '/grounds', code: 'hostel.appealed-already' }]
        // Results of before intakes said how many days one may appeal have no last day.
        const until = facts['appealUntil']
        const isOver = until !== undefined && dayInColombo(now) > String(until ?? '')
        return isOver ? [{ field: '/grounds', code: 'hostel.appeal-over' }] : []
      },
      derive: () => ({ facts: { appealed: true }, variables: {} }),
    },
  },
  answers: {
    'hostel/list-approval': { check: mayBeApproved },
    'hostel/allocation': { check: mayGetRoom },
    'hostel/registration-check': {
      check: mayMoveIn,
    },
    'hostel/vacating': { check: async ({ data }) => wrongInventory(data) },
    'hostel/settlement': {
      check({ facts, data }) {
        const open = data['outcome'] === 'charged' && Number(data['charge']) > Number(facts['deposit'])
        return open && !data['receipt_no'] ? [{ field: '/receipt_no', code: 'hostel.receipt-missing' }] : []
      },
    },
  },
}

export default rules

/** The list is approved once the student cannot appeal any more. */
function mayBeApproved({ facts, data, now }: DeskInput): FieldError[] {
  const until = String(facts['appealUntil'] ?? '')
  const isOpen = facts['appealed'] !== true && dayInColombo(now) <= until
  return data['outcome'] === 'approve' && isOpen
    ? [{ field: '/outcome', code: 'hostel.appeal-open', values: { until } }]
    : []
}

/** Rooms are given once the list is complete, to students who have none. */
async function mayGetRoom({ trx, caseId, current, data, now }: DeskInput): Promise<FieldError[]> {
  if (data['outcome'] !== 'allocate') return []
  const { requester_id: requester } = await getCaseRow(trx, caseId)
  const own = await findOwnEntry(trx, requester)
  if (own?.status !== 'active') return [{ field: '/outcome', code: 'hostel.not-active' }]
  const taken = await findItemWith(trx, STAYS, { field: 'student', value: own.id, status: 'Taken' })
  if (taken !== undefined) {
    const { title: reference } = known(await findAnyItem(trx, taken), 'the place')
    return [{ field: '/outcome', code: 'hostel.has-place', values: { reference } }]
  }
  const intake = known(await findAnyItem(trx, String(current['intake'])), 'the intake')
  const why = await whyIncomplete(trx, intake, now)
  return why ? [{ field: '/outcome', ...why }] : []
}

/** Active students move in who have paid all, with a receipt of their own. */
async function mayMoveIn({ trx, caseId, facts, data }: DeskInput): Promise<FieldError[]> {
  if (data['outcome'] !== 'confirm') return []
  const student = await findOwnEntry(trx, (await getCaseRow(trx, caseId)).requester_id)
  if (student?.status !== 'active') return [{ field: '/outcome', code: 'hostel.not-active' }]
  const registration = await trx
    .selectFrom('submission')
    .select(sql<number>`(data ->> 'amount')::numeric::float`.as('amount'))
    .where('case_id', '=', caseId)
    .where('form_key', '=', 'hostel/registration')
    .where('effect', '<>', 'void')
    .orderBy('at', 'desc')
    .executeTakeFirst()
  const [paid, toPay] = [Number(registration?.amount ?? 0), Number(facts['toPay'])]
  if (paid < toPay)
    return [{ field: '/outcome', code: 'hostel.paid-too-little', values: { missing: rupees(toPay - paid) } }]
  const reference = await titleWithUnique(trx, STAYS, { field: '/receipt_no', value: data['receipt_no'] })
  return reference === undefined ? [] : [{ field: '/receipt_no', code: 'hostel.receipt-used', values: { reference } }]
}

/** A room is in order if the keys are back and everything in it is found. */
function wrongInventory(data: DeskInput['data']): FieldError[] {
  if (data['outcome'] !== 'in-order') return []
  const things: readonly unknown[] = Array.isArray(data['inventory']) ? data['inventory'] : []
  const missing = things
    .filter(isObject)
    .filter((thing) => Number(thing['found']) < Number(thing['count']))
    .map((thing) => String(thing['thing']))
  return [
    ...(data['keys_back'] === true ? [] : [{ field: '/keys_back', code: 'hostel.keys-missing' }]),
    ...(missing.length > 0
      ? [{ field: '/inventory', code: 'hostel.things-missing', values: { things: missing.join(', ') } }]
      : []),
  ]
}
