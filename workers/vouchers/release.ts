import Type from 'typebox'
import { releaseVoucher } from '../../api/vouchers/votes/commit.ts'
import { worker } from '../platform/worker.ts'

/** Releases what a voucher holds of its votes, because it ended unsuccessfully or is changed. Idempotent. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, case: { id } }) {
    await releaseVoucher(trx, id)
    return {}
  },
})
