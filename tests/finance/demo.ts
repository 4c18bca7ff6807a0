import { asOwner } from '../platform/kit/owner.ts'
import { until } from '../platform/kit/poll.ts'

/** Waits until the demo month of Mahapola, which pays Nuwan and Selvi, is paid. */
export async function demoMonthPaid(): Promise<void> {
  await until('the demo month of Mahapola is paid', async () => {
    const [found] = await asOwner(
      `select from app.run r join app.flow_case c on c.id = r.case_id
       where r.state = 'paid' and c.flow = 'mahapola/monthly-installment'`,
    )
    return found !== undefined
  })
}
