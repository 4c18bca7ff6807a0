import type { JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { VoteLine } from './votes/accounts.ts'

/** The flow of the vouchers. */
export const FLOW = 'vouchers/payment-voucher'

/** What the money needs of a voucher; amounts in cents. */
export interface Voucher {
  payee: string
  lines: VoteLine[]
  total: number
}

/** Reads a voucher out of what its case says. Its total is the sum of its lines, whatever else stands there. */
export function voucherOf(data: JsonObject): Voucher {
  const lines = (data['lines'] as VoteLine[]).map(({ vote, amount }) => ({ vote, amount }))
  return { payee: String(data['payee']), lines, total: lines.reduce((sum, { amount }) => sum + amount, 0) }
}
