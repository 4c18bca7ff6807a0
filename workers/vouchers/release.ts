import Type from 'typebox'
import { releaseVoucher } from '../../api/vouchers/votes/commit.ts'
import { worker } from '../platform/worker.ts'

/** Gives back what a voucher holds of its votes, because it comes to nothing or is changed. Again, it does nothing. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  async run({ trx, case: { id } }) {
    await releaseVoucher(trx, id)
    return {}
  },
})
