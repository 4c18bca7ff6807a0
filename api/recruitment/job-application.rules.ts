import { isObject } from '../platform/kernel/objects.ts'
import { known } from '../platform/kernel/known.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'

const rules: Rules = {
  async derive({ items, trx }) {
    const { scheme, designation, fee } = known(items.get('/vacancy'), 'the vacancy of the application').data
    const named = await trx
      .selectFrom('register_item')
      .select('title')
      .where('id', '=', String(designation))
      .executeTakeFirstOrThrow()
    // As the vacancy had it when the application was sent: the eligibility check goes through these lines.
    const facts = { scheme: known(scheme, 'the scheme of recruitment'), designation: named.title }
    return { facts: { ...facts, ...(fee !== undefined && { fee }) }, variables: {} }
  },

  answers: {
    'recruitment/eligibility-check': {
      check({ data, current, facts }): FieldError[] {
        // Applications of before desks looked for the payment have no such fact, and their form does not ask.
        const asked = facts['fee'] !== undefined && current['bank_reference'] !== undefined
        if (asked && data['paid'] === undefined) return [{ field: '/paid', code: 'platform.field-required' }]
        if (data['outcome'] !== 'eligible' || !Array.isArray(data['lines'])) return []
        const unpaid = asked && data['paid'] !== 'received'
        return [
          ...data['lines'].flatMap((line, at) =>
            isObject(line) && line['kind'] === 'mandatory' && line['met'] !== 'yes'
              ? [{ field: `/lines/${at}/met`, code: 'recruitment.line-not-met' }]
              : [],
          ),
          ...(unpaid ? [{ field: '/paid', code: 'recruitment.fee-not-received' }] : []),
        ]
      },
    },
  },
}

export default rules
