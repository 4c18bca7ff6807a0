import Type from 'typebox'
import { voucherOf } from '../../api/vouchers/payments/voucher.ts'
import { commitVoucher } from '../../api/vouchers/votes/commit.ts'
import { worker } from '../platform/worker.ts'

/** Commits an approved voucher: its amounts are taken from what its votes have available. Idempotent. */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['vouchers.vote-exceeded'],
  async run({ trx, case: { id }, submission }) {
    await commitVoucher(trx, id, voucherOf(submission).lines)
    return {}
  },
})
