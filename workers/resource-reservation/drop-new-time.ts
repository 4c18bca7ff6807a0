import { sql } from 'kysely'
import Type from 'typebox'
import { moneyFacts } from '../../api/resource-reservation/money.ts'
import { priceOf } from '../../api/resource-reservation/time-change.ts'
import { worker } from '../platform/worker.ts'

/**
 * Keeps a booking at its time: releases the slot it asked to move to, and keeps only the price of an earlier change.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, trx, case: { id } }) {
    await allocations.dropMove(id)
    const { timeChange } = await moneyFacts(trx, id)
    const price = priceOf(timeChange ?? { difference: 0 })
    await trx
      .updateTable('flow_case')
      .set({
        facts: sql`facts - 'requestedTime' || ${JSON.stringify(price)}::jsonb`,
        version: sql`version + 1`,
        changed_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    return {}
  },
})
