import type { Rules } from '../platform/model/deployed/rules.ts'
import { readUnits } from '../platform/people/access/units.ts'
import { getPerson } from '../platform/people/identity/accounts.ts'
import { admits } from '../platform/people/persons/person.ts'
import { placeOf } from '../platform/work/registers/places.ts'

/** Who asks for renewals, of the agreements of their own division. */
const KEEPERS = ['MA@division', 'AR@division']

/** The new period ends after it begins, and after the present one. */
const rules: Rules = {
  async check({ data, items, requester, trx }) {
    const agreement = items.get('/agreement')?.data ?? {}
    const place = placeOf(await readUnits(trx), agreement)
    if (admits(await getPerson(trx, requester.id), KEEPERS, place) === undefined)
      return [{ field: '/agreement', code: 'agreements.elsewhere' }]
    const [from, until] = [String(data['new_from']), String(data['new_until'])]
    const present = String(agreement['until'] ?? '')
    if (until < from) return [{ field: '/new_until', code: 'agreements.ends-before-it-begins' }]
    if (until <= present) return [{ field: '/new_until', code: 'agreements.not-later', values: { until: present } }]
    return []
  },
}

export default rules
