import type { Rules } from '../platform/model/deployed/rules.ts'

/** The new period ends after it begins, and after the present one. */
const rules: Rules = {
  check({ data, items }) {
    const [from, until] = [String(data['new_from']), String(data['new_until'])]
    const present = String(items.get('/agreement')?.data['until'] ?? '')
    if (until < from) return [{ field: '/new_until', code: 'agreements.ends-before-it-begins' }]
    if (until <= present) return [{ field: '/new_until', code: 'agreements.not-later', values: { until: present } }]
    return []
  },
}

export default rules
