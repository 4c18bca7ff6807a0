import { sql } from 'kysely'
import type { FieldError } from '../platform/kernel/errors.ts'
import { known } from '../platform/kernel/known.ts'
import { isObject } from '../platform/kernel/objects.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { getCaseRow } from '../platform/work/rows/cases.ts'
import { findAnyItem, findItemWith } from '../platform/work/rows/items.ts'
import { STAYS, whyIncomplete } from './stays.ts'

const rules: Rules = {
  acts: {
    appeal: {
      check: async ({ facts }) =>
        facts['appealed'] === true ? [{ field: '/grounds', code: 'hostel.appealed-already' }] : [],
      derive: () => ({ facts: { appealed: true }, variables: {} }),
    },
  },
  answers: {
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
  // As the register compares unique values.
  const receipt = String(data['receipt_no']).normalize('NFKC').trim().toLowerCase()
  const used = await trx
    .selectFrom('register_unique')
    .select('item_id')
    .where('register', '=', STAYS)
    .where('field', '=', '/receipt_no')
    .where('value', '=', receipt)
    .executeTakeFirst()
  if (used === undefined) return []
  const { title: reference } = known(await findAnyItem(trx, used.item_id), 'the place with this receipt')
  return [{ field: '/receipt_no', code: 'hostel.receipt-used', values: { reference } }]
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
