import { known } from '../platform/kernel/known.ts'
import type { RuleInput, Rules } from '../platform/model/deployed/rules.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'
import { notMovedIn } from './residents.ts'
import { canSwap, findStay } from './stays.ts'

const rules: Rules = {
  async check(input) {
    const wrong = notMovedIn(input)
    if (wrong.length > 0) return wrong
    const [own, other] = [input.items.get('/stay'), await otherStay(input)]
    if (other?.data['registered_on'] === undefined || other.id === input.data['stay'])
      return [{ field: '/other', code: 'hostel.swap-unknown' }]
    // Whether each room suits the other student is for the office: the answer would say what the other one needs.
    return own && other.data['hostel'] === own.data['hostel']
      ? []
      : [{ field: '/other', code: 'hostel.swap-elsewhere' }]
  },

  answers: {
    'hostel/swap-decision': {
      async check({ trx, data, current }) {
        if (data['outcome'] !== 'approve') return []
        const own = await findAnyItem(trx, String(current['stay']))
        const other = await otherStay({ trx, data: current })
        const suitable = own && other && (await canSwap(trx, own.data, other.data))
        return suitable ? [] : [{ field: '/outcome', code: 'hostel.swap-unsuitable' }]
      },
    },
  },

  async derive(input) {
    const { data } = known(await otherStay(input), 'the place of the other student')
    const titleOf = async (field: string) => (await findAnyItem(input.trx, String(data[field])))?.title ?? null
    return { facts: { otherStudent: await titleOf('student'), otherRoom: await titleOf('room') }, variables: {} }
  },
}

export default rules

/** The place of the application that a request names, while it is taken. */
async function otherStay({ trx, data }: Pick<RuleInput, 'trx' | 'data'>) {
  const id = await findStay(trx, String(data['other']))
  return id === undefined ? undefined : findAnyItem(trx, id)
}
