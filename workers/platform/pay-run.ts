import Type from 'typebox'
import { payRun } from '../../api/platform/work/runs/pay.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { worker } from './worker.ts'

/** Pays the run of a case: who cannot be paid is left out, and one ledger entry pays all others. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({ runTotal: Type.Integer({ minimum: 1 }) }),
  raises: ['platform.run-empty'],
  async run({ trx, case: { id, flow }, now, facts, library }) {
    const run = known(library.flows.get(flow)?.manifest.run, `the run of ${flow}`)
    const paid = await payRun(trx, { caseId: id, now, run })
    await facts({ paidLines: paid.lines, paidTotal: paid.total })
    return { runTotal: paid.total }
  },
})
