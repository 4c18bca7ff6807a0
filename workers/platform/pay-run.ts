import Type from 'typebox'
import { payRun } from '../../api/platform/work/runs/pay.ts'
import { worker } from './worker.ts'

/** Pays the run of a case: unsigned lines are left out, and one ledger entry pays all others. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ runTotal: Type.Integer({ minimum: 1 }) }),
  raises: ['platform.run-empty'],
  async run({ trx, case: { id }, now, facts }) {
    const paid = await payRun(trx, { caseId: id, now })
    await facts({ paidLines: paid.lines, paidTotal: paid.total })
    return { runTotal: paid.total }
  },
})
