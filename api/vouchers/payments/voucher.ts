import type { JsonObject } from '../../platform/kernel/db/database.generated.ts'
import { checkedAs } from '../../platform/model/forms/checked-as.ts'
import type { VoteLine } from '../votes/accounts.ts'

export const FLOW = 'vouchers/payment-voucher'

/** The part of a voucher that payments need; amounts in cents. */
export interface Voucher {
  payee: string
  lines: VoteLine[]
  total: number
}

/** Reads a voucher from the content of its case. Its total is always the sum of its lines. */
export function voucherOf(data: JsonObject): Voucher {
  const lines = checkedAs<VoteLine[]>(data['lines']).map(({ vote, amount }) => ({ vote, amount }))
  return { payee: String(data['payee']), lines, total: lines.reduce((sum, { amount }) => sum + amount, 0) }
}
