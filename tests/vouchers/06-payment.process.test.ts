import { expect, test } from '@jest/globals'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { VOUCHER, aVote, aVoucher, agree, bankAccount, clerk, desks, pays, settles, standing } from './voucher.ts'

test('a voided cheque leads back to the desk that pays: the voucher is paid again, by another number', async () => {
  const who = await clerk()
  const vote = await aVote()
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
  await agree(voucher)
  await pays(voucher)
  const shroff = await as('shroff')
  await shroff.task(voucher, desks.settle)
  const { facts } = await who.get(`/api/cases/${voucher.id}`)
  await shroff.decides(voucher, 'void', { reason: 'The name is misspelt.' }, desks.settle)
  const payer = await as('assistant.bursar')
  const task = await payer.task(voucher, desks.pay)
  await expectCase(voucher).toBe('Certified')
  expect(await standing(vote)).toMatchObject({ committed: 30_000_000, spent: 0 })
  const again = { method: 'cheque', bank_account: await bankAccount(), cheque_no: facts.payment.cheque }
  const refused = await payer.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'pay', ...again } })
  expect(refused.body.errors).toEqual([expect.objectContaining({ code: 'vouchers.cheque-used' })])
  await pays(voucher)
  await settles(voucher)
  await expectEnded(voucher)
  await expectCase(voucher).toBe('Settled Payment')
  expect(await standing(vote)).toMatchObject({ committed: 0, spent: 30_000_000 })
})
