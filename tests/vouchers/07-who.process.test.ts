import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { evaluate } from 'feelin'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { VOUCHER, aPayee, aVote, aVoucher, agree, clerk, desks, edits } from './voucher.ts'

const folder = new URL('../../processes/vouchers/', import.meta.url)

test('somebody always approves: if the table names nobody that the diagram knows, the Vice Chancellor', () => {
  const diagram = readFileSync(new URL('payment-voucher.bpmn', folder), 'utf8')
  const table = readFileSync(new URL('voucher-desks.dmn', folder), 'utf8')
  const asks = (desk: string, said: string | null, agreed = 'nobody') => {
    const way = (flow: string) =>
      new RegExp(`id="flow_${flow}${desk}"[^>]*>\\s*<[^>]*language="feel">([^<]*)<`).exec(diagram)
    const [ask, skip] = [way('ask'), way('skip')]
    expect([ask, skip].filter((one) => one !== null)).toHaveLength(1)
    const { value } = evaluate((ask ?? skip)![1]!, { desks: said, agreed }, undefined)
    return ask ? value === true : value !== true
  }
  const approving = (said: string | null, agreed?: string) =>
    ['ApprovingDean', 'ApprovingRegistrar', 'ViceChancellor'].filter((desk) => asks(desk, said, agreed))
  const outputs = [...table.matchAll(/<outputEntry [^>]*><text>"([^"]*)"/g)].map(([, said]) => said!)
  expect(outputs.map((said) => approving(said).length)).toEqual(outputs.map(() => 1))
  for (const said of ['Dean recommends', 'Registrar aproves', '', null])
    expect({ said, approving: approving(said) }).toEqual({ said, approving: ['ViceChancellor'] })
  const both = 'Dean approves, Vice Chancellor approves'
  expect(approving(both)).toEqual(['ApprovingDean', 'ViceChancellor'])
  expect(approving(both, 'userTask_approveByDean')).toEqual(['ViceChancellor'])
  expect(approving(both, 'userTask_approveByDean,userTask_approveByViceChancellor')).toEqual([])
})

test.each([
  { amount: 2_500_000, words: 'up to Rs. 25,000 the Dean approves', next: desks.approveByDean, of: 'dean.music' },
  { amount: 2_500_001, words: 'above it the Dean recommends', next: desks.recommendByDean, of: 'dean.music' },
])('by section and amount: $words', async ({ amount, next, of }) => {
  const who = await clerk()
  const data = await aVoucher({}, amount)
  // With a division beside the department, the division's head could confirm too, so it is ignored.
  const division = (await (await as('admin')).get('/api/registers/platform/division/items?limit=1')).items[0].id
  const voucher = await who.submit(VOUCHER, { ...data, division })
  expect((await who.get(`/api/cases/${voucher.id}`)).data).not.toHaveProperty('division')
  await (await as('hod.western-music')).decides(voucher, 'confirm', {}, desks.confirm)
  expect((await (await as(of)).task(voucher)).desk).toBe(next)
})

test('above Rs. 500,000 the Vice Chancellor approves, and for a division the Registrar alone, or recommends large amounts', async () => {
  const who = await clerk()
  const dear = await who.submit(VOUCHER, await aVoucher({}, 50_000_001))
  await (await as('hod.western-music')).decides(dear, 'confirm', {}, desks.confirm)
  await (await as('dean.music')).decides(dear, 'recommend', {}, desks.recommendByDean)
  expect((await (await as('vc')).task(dear)).desk).toBe(desks.approveByViceChancellor)

  const admin = await as('admin')
  const find = async (path: string) => (await admin.get(path)).items[0].id as string
  const [division, section] = [
    await find('/api/registers/platform/division/items?search=General'),
    await find('/api/registers/vouchers/section/items?search=Library'),
  ]
  const { department: _, ...data } = await aVoucher({ asked_for: 'division', division, section })
  const office = await as('ma.administration')
  const { lines } = data
  const [cheap, large] = [
    await office.submit(VOUCHER, { ...data, lines: [{ ...lines[0]!, amount: 10_000_000 }] }),
    await office.submit(VOUCHER, data),
  ]
  const head = await as('ar.administration')
  for (const one of [cheap, large]) await head.decides(one, 'confirm', {}, desks.confirm)
  const registrar = await as('registrar')
  expect((await registrar.task(cheap)).desk).toBe(desks.approveByRegistrar)
  await registrar.decides(large, 'recommend', {}, desks.recommendByRegistrar)
  const vc = await as('vc')
  expect((await vc.task(large)).desk).toBe(desks.approveByViceChancellor)

  // Somebody who recommended it does not approve it, even for a smaller amount: it waits for the next level.
  await vc.decides(large, 'return', { reason: 'Half of it will do.' }, desks.approveByViceChancellor)
  await edits(office, large, { lines: [{ ...lines[0]!, amount: 10_000_000 }] })
  await head.decides(large, 'confirm', {}, desks.checkCorrections)
  const approval = await until('it waits for an approval', async () => {
    const { waitsWith } = await admin.get(`/api/cases/${large.id}`)
    return waitsWith.find(({ desk }: { desk: string }) => desk === desks.approveByRegistrar)
  })
  const both = await registrar.send('POST', `/api/tasks/${approval.taskId}/complete`, { data: { outcome: 'approve' } })
  expect({ status: both.status, code: both.body.code }).toEqual({ status: 403, code: 'platform.decided-before' })
})

test('nobody decides their own request, or at two desks, and only Finance’s own roles have Finance’s desks', async () => {
  const who = await clerk()
  const voucher = await who.submit(VOUCHER, await aVoucher())
  await agree(voucher, { upTo: desks.certify })
  const task = await (await as('bursar')).task(voucher, desks.certify)
  const certify = (username: string) =>
    as(username).then((one) => one.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'certify' } }))
  for (const username of ['finance', 'book.keeper', 'registrar', 'ma.western-music', 'shroff'])
    expect({ username, status: [403, 404, 409].includes((await certify(username)).status) }).toEqual({
      username,
      status: true,
    })
  expect((await certify('deputy.bursar')).status).toBe(200)

  // Finance's own voucher: its head is the Bursar, who then does not certify it.
  const finance = await as('finance')
  const admin = await as('admin')
  const [division, section] = [
    (await admin.get('/api/registers/platform/division/items?search=Finance')).items[0].id,
    (await admin.get('/api/registers/vouchers/section/items?search=Supplies')).items[0].id,
  ]
  const { department: _, ...data } = await aVoucher({ asked_for: 'division', division, section }, 1_000_000)
  const own = await finance.submit(VOUCHER, data)
  const bursar = await as('bursar')
  await bursar.decides(own, 'confirm', {}, desks.confirm)
  await (await as('registrar')).decides(own, 'approve', {}, desks.approveByRegistrar)
  // The only Finance MA requested it: the next level checks it instead.
  const check = await until('somebody else checks it', async () => {
    const { waitsWith } = await admin.get(`/api/cases/${own.id}`)
    return waitsWith.find(({ desk }: { desk: string }) => desk === desks.checkByFinanceMA)
  })
  const refused = await finance.send('POST', `/api/tasks/${check.taskId}/complete`, { data: { outcome: 'check' } })
  expect([403, 404]).toContain(refused.status)
})

test('the payee’s earlier vouchers are shown, similar ones stand out, and requesters learn nothing about others’', async () => {
  const [who, admin] = [await clerk(), await as('admin')]
  const [payee, vote] = [await aPayee(), await aVote()]
  const same = { payee, vote, invoice_no: 'INV-77' }
  const first = await who.submit(VOUCHER, await aVoucher(same))
  const other = await who.submit(VOUCHER, await aVoucher({ payee, vote }))
  const again = await who.submit(VOUCHER, await aVoucher({ ...same, invoice_no: 'inv 77' }))
  const head = await as('hod.western-music')
  const earlier = async (person: typeof who, of = again) =>
    (await person.get(`/api/cases/${of.id}/earlier`)).items.map(
      ({ id, reference, alike }: { id: string | null; reference: string; alike: boolean }) => ({
        id,
        reference,
        alike,
      }),
    )
  expect(await earlier(head)).toEqual([
    { id: first.id, reference: first.reference, alike: true },
    { id: other.id, reference: other.reference, alike: false },
  ])
  const { items } = await head.get(`/api/cases?flow=${VOUCHER}&item=${payee}`)
  expect(items.map(({ id }: { id: string }) => id).toSorted()).toEqual([first.id, other.id, again.id].toSorted())
  await who.withdraws(first)
  await until('the withdrawn one does not count', async () => (await earlier(head)).length === 1)

  // Without an invoice, payee and amount are compared; a different amount is no match.
  const { invoice_no: _no, invoice_date: _date, ...honorarium } = await aVoucher({ payee, vote })
  const once = await who.submit(VOUCHER, honorarium)
  const { lines } = honorarium
  const [twice, less] = [
    await who.submit(VOUCHER, honorarium),
    await who.submit(VOUCHER, { ...honorarium, lines: [{ ...lines[0]!, amount: 1 }] }),
  ]
  const alike = (of: typeof once) => earlier(head, of).then((all) => all.filter((one: { alike: boolean }) => one.alike))
  expect(await alike(twice)).toEqual([{ id: once.id, reference: once.reference, alike: true }])
  expect(await alike(less)).toEqual([])

  // In another department: the desks see the match and nothing else, the requester does not.
  const elsewhere = await as('ma.administration')
  const division = (await admin.get('/api/registers/platform/division/items?search=General')).items[0].id
  const { department: _, ...data } = await aVoucher({ ...same, asked_for: 'division', division })
  const strange = await elsewhere.submit(VOUCHER, data)
  const decider = await as('ar.administration')
  await decider.task(strange, desks.confirm)
  expect((await decider.get(`/api/cases/${strange.id}/earlier`)).items).toEqual([
    expect.objectContaining({ id: null, reference: again.reference, alike: true, amount: 30_000_000 }),
  ])
  expect(await earlier(elsewhere, strange)).toEqual([])
  expect((await elsewhere.send('GET', `/api/cases/${again.id}/earlier`)).status).toBe(404)
})
