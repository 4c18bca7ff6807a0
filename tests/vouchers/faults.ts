import { day } from '../platform/kit/days.ts'
import type { Requests, Step } from '../platform/faults/kill-random.ts'
import { CHAIN, VOUCHER, aVoucher, bankAccount, desks } from './voucher.ts'

/** Vouchers for a run with faults, each paid by the next cheque and handed over. */
export async function vouchersForFaults(): Promise<Requests> {
  const bank_account = await bankAccount()
  const settled_on = day(0)
  const steps: Step[] = [
    ...CHAIN.map(([desk, by, outcome]): Step => ({ desk, by, answer: () => ({ outcome }) })),
    {
      desk: desks.pay,
      by: 'assistant.bursar',
      answer: () => ({ outcome: 'pay', method: 'cheque', bank_account }),
    },
    {
      desk: desks.settle,
      by: 'shroff',
      answer: () => ({ outcome: 'settle', settled_on, received_by: 'K. Silva' }),
    },
  ]
  return {
    flow: VOUCHER,
    data: () => aVoucher(),
    requesters: ['ma.western-music'],
    steps: () => steps,
    ends: { confirmed: 'Settled Payment', rejected: 'Rejected', withdrawn: undefined },
  }
}
