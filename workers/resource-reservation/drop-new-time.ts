import { sql } from 'kysely'
import Type from 'typebox'
import { worker } from '../platform/worker.ts'

/** Leaves a booking at its time: the slot that it asked to move to is free again. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ allocations, trx, case: { id } }) {
    await allocations.dropMove(id)
    await trx
      .updateTable('flow_case')
      .set({
        facts: sql`facts - 'requestedTime'`,
        version: sql`version + 1`,
        changed_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    return {}
  },
})
