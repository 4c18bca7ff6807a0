import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { known } from '../platform/kernel/known.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'

const rules: Rules = {
  derive({ items, requester }) {
    const { fee } = checkedAs<{ fee: number }>(known(items.get('/course'), 'the course').data)
    return { facts: { toPay: fee }, variables: { bookerConfirmed: requester.confirmed } }
  },
}

export default rules
