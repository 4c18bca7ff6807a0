import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { instrumentLoan } from '../../processes/instruments/instrument-loan.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = instrumentLoan
const REFUND = 'finance/deposit-refund'
const INSTRUMENTS = '/api/registers/instruments/instrument/items'
const LOANS = '/api/registers/instruments/loan/items'

interface Entry {
  id: string
  version: number
  status: string
  data: Record<string, string | number>
}

let selvi: Person, fathima: Person, lecturer: Person, head: Person, keeper: Person, shroff: Person
beforeAll(async () => {
  ;[selvi, fathima, lecturer, head, keeper, shroff] = await Promise.all([
    as('student.selvi'),
    as('student.fathima'),
    as('lecturer.fernando'),
    as('hod.western-music'),
    as('store.keeper'),
    as('shroff'),
  ])
})

async function instrument(barcode: string): Promise<Entry> {
  const { items } = await keeper.get(`${INSTRUMENTS}?search=${barcode}`)
  return items[0]
}

async function loanOf({ reference }: Case): Promise<Entry> {
  const { items } = await keeper.get(`${LOANS}?search=${reference}`)
  return items[0]
}

async function aRequest(barcode: string, days = 20) {
  return { instrument: (await instrument(barcode)).id, until: day(days), purpose: 'Practice' }
}

/** The number of a receipt that no other loan has. */
const aReceipt = () => `SH/${randomUUID().slice(0, 8)}`

const sound = (barcode: string) => ({ barcode, condition: 'good' })

/** What is recorded at the hand-over, with a photograph by who hands it over. */
const handed = async (barcode: string, who = keeper) => ({
  ...sound(barcode),
  photo: await uploads(who, 'photo.png', PIXEL),
})

test('an instrument is approved, handed over by its barcode, and lent to nobody else until it is back', async () => {
  const request = await aRequest('WM-VN-003')
  await expect(selvi.submit(FLOW, { ...request, until: day(200) })).rejects.toThrow('for 180 days at most')
  const receipt = aReceipt()
  const loan = await selvi.submit(FLOW, request)
  await expect(fathima.submit(FLOW, request)).rejects.toThrow('platform.item-claimed')
  await head.decides(loan, 'approve')
  await expectMail(selvi).about('instruments.mail.ready', loan)

  const handOver = (data: object) => keeper.decides(loan, 'handed-over', data, desks.handOver)
  await expect(handOver({ ...(await handed('WM-VN-004')), receipt })).rejects.toThrow('the loan is of WM-VN-003')
  await expect(handOver(await handed('WM-VN-003'))).rejects.toThrow('/receipt')
  const unusable = { ...(await handed('WM-VN-003')), condition: 'unusable', receipt }
  await expect(handOver(unusable)).rejects.toThrow('cannot be played')
  await expect(handOver({ ...sound('wm-vn-003'), receipt })).rejects.toThrow('/photo')
  await handOver({ ...(await handed('wm-vn-003')), receipt })
  await expectCase(loan).toBe('Lent')
  const held = await instrument('WM-VN-003')
  expect(held.status).toBe('Lent')
  const stock = `${INSTRUMENTS}/${held.id}/status`
  const stocked = await keeper.send('POST', stock, { status: 'In Stock' }, { 'if-match': `"${held.version}"` })
  expect([stocked.status, stocked.body.code]).toEqual([409, 'platform.status-of-case'])
  const lent = await loanOf(loan)
  expect(lent).toMatchObject({ status: 'Open', data: { due_on: request.until, deposit: 500000, receipt } })
  expect((await selvi.get(LOANS)).items).toMatchObject([{ id: lent.id }])
  expect((await fathima.send('GET', `${LOANS}/${lent.id}`)).status).toBe(404)

  await keeper.decides(loan, 'returned', { barcode: 'WM-VN-003', condition: 'fair' }, desks.takeBack)
  await expectMail(selvi).about('instruments.mail.back', loan)
  await expectEnded(loan)
  expect(await instrument('WM-VN-003')).toMatchObject({ status: 'In Stock', data: { condition: 'fair' } })
  expect(await loanOf(loan)).toMatchObject({ status: 'Returned', data: { condition_back: 'fair' } })
  const { facts, linked } = await selvi.get(`/api/cases/${loan.id}`)
  expect(facts).toMatchObject({ toRefund: 500000 })

  // The Shroff refunds the deposit; the one who took the instrument back cannot.
  expect(linked).toMatchObject([{ id: expect.any(String), status: { key: 'To Pay' } }])
  const refund: Case = linked[0]
  await expectMail(selvi).about('finance.mail.refund-due', refund)
  expect(await selvi.get(`/api/cases/${refund.id}`)).toMatchObject({
    ...{ data: { origin: loan.reference, receipt, deposit: 500000, amount: 500000 }, withdrawable: false },
    ...{ follows: { id: loan.id, status: { key: 'Returned' } }, sentBy: { id: keeper.id } },
  })
  const paid = { method: 'cash', reference: 'R/17', paid_on: day(0) }
  const { id: task } = await shroff.task(refund, 'userTask_pay')
  const unpaid = { data: { outcome: 'paid', ...paid, paid_on: day(1) } }
  expect((await shroff.send('POST', `/api/tasks/${task}/complete`, unpaid)).body.errors).toMatchObject([
    { field: '/paid_on' },
  ])
  await shroff.decides(refund, 'paid', paid)
  await expectEnded(refund)
  await expectMail(selvi).about('finance.mail.refunded', refund)
  expect((await selvi.get(`/api/cases/${loan.id}`)).linked).toMatchObject([{ id: refund.id, status: { key: 'Paid' } }])
  const own = await selvi.get(`/api/reports/finance/student-payments?filter.reference=${refund.reference}`)
  expect(own.rows).toMatchObject([{ paid: 500000 }])
})

test('a refund that the bank returned, or that could not be paid, is held again, corrected and paid again', async () => {
  const [assistant, owner] = await Promise.all([as('finance'), as('bursar')])
  const loan = await selvi.submit(FLOW, await aRequest('WM-VN-003'))
  await head.decides(loan, 'approve')
  await keeper.decides(loan, 'handed-over', { ...(await handed('WM-VN-003')), receipt: aReceipt() }, desks.handOver)
  await keeper.decides(loan, 'returned', sound('WM-VN-003'), desks.takeBack)
  await expectEnded(loan)
  const refund: Case = (await selvi.get(`/api/cases/${loan.id}`)).linked[0]
  const held = async () => {
    const account = `deposit:${loan.id}`
    const [row] = await asOwner<{ held: string }>('select balance as held from app.ledger_account where id = $1', [
      account,
    ])
    return Number(row?.held)
  }
  expect(await held()).toBe(500000)
  await shroff.decides(refund, 'cannot-pay', { reason: 'The account is closed' }, 'userTask_pay')
  await expectCase(refund).toBe('Came Back')
  await expectMail(selvi).about('finance.mail.refund-back', refund)
  const account = {
    account_holder: 'Selvi',
    bank: 'Bank of Ceylon',
    branch: 'Kandy',
    account_number: '0012345678',
  }
  await selvi.decides(refund, 'send', { method: 'transfer', ...account }, 'userTask_correct')
  const paid = { method: 'transfer', reference: 'T-1', paid_on: day(0) }
  await shroff.decides(refund, 'paid', paid, 'userTask_pay')
  await expectCase(refund).toBe('Paid')
  expect(await held()).toBe(0)

  // Who pays does not say that it came back, nor does the student.
  const back = { data: { came_back_on: day(0), bank_reference: 'RET-1', reason: 'No such account' } }
  const says = (who: Person) => who.send('POST', `/api/cases/${refund.id}/acts/came-back`, back)
  for (const who of [shroff, selvi]) expect((await says(who)).status).toBe(403)
  await until('it can be said', async () => (await says(assistant)).status < 300)
  await expectCase(refund).toBe('Came Back')
  expect(await held()).toBe(500000)
  expect((await says(owner)).status).toBe(409)
  expect((await selvi.get(`/api/cases/${loan.id}`)).linked).toMatchObject([{ status: { key: 'Came Back' } }])
  await selvi.decides(refund, 'send', { method: 'cash' }, 'userTask_correct')
  await shroff.decides(refund, 'paid', { ...paid, method: 'cash', reference: 'R-2' }, 'userTask_pay')
  await expectEnded(refund)
  await expectCase(refund).toBe('Paid')
  expect(await held()).toBe(0)
  const { rows } = await selvi.get(`/api/reports/finance/student-payments?filter.reference=${refund.reference}`)
  const moved = rows.map((row: { paid: number; received: number }) => [row.paid, row.received])
  expect(moved).toEqual([
    [500000, null],
    [-500000, null],
    [500000, null],
  ])
})

test('who took an instrument back does not pay its deposit out, even as Shroff, and nobody asks for a refund', async () => {
  const loan = await fathima.submit(FLOW, await aRequest('WM-VN-003'))
  await head.decides(loan, 'approve')
  const handOver = async (receipt: string) =>
    keeper.decides(loan, 'handed-over', { ...(await handed('WM-VN-003')), receipt }, desks.handOver)
  const { items } = await keeper.get(`${LOANS}?search=LOAN`)
  const used = items.find(({ data }: Entry) => data['receipt'] !== undefined).data.receipt
  await expect(handOver(` ${used.toLowerCase()}`)).rejects.toThrow('instruments.receipt-used')
  await handOver(aReceipt())
  await keeper.decides(loan, 'returned', sound('WM-VN-003'), desks.takeBack)
  await expectEnded(loan)
  const [refund] = (await fathima.get(`/api/cases/${loan.id}`)).linked
  const asked = { flow: REFUND, data: { origin: 'X', what: 'X', deposit: 1, amount: 1 } }
  const administrator = await as('admin')
  for (const who of [fathima, shroff, administrator])
    expect((await who.send('POST', '/api/cases', asked)).status).toBe(403)
  const { id: task } = await shroff.task(refund, 'userTask_pay')
  const grants = `/api/people/${keeper.id}/grants`
  const granted = await administrator.ok('POST', grants, {
    role: 'Shroff Counter Officer',
    scope: null,
    reason: 'The Shroff is on leave',
  })
  try {
    const answer = { outcome: 'paid', method: 'cash', reference: 'R/18', paid_on: day(0) }
    const pays = () => keeper.send('POST', `/api/tasks/${task}/complete`, { data: answer })
    const refused = await until('the role counts', async () => {
      const { body } = await pays()
      return body.code !== 'platform.not-found' && body
    })
    expect(refused.code).toBe('platform.own-case')
  } finally {
    await administrator.ok('POST', `/api/grants/${granted.id}/end`, { reason: 'Back again' })
  }
})

test('while the hand-over can still be taken back, the borrower cannot withdraw', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('FM-GB-004'))
  const { id } = await keeper.task(loan, desks.handOver)
  const notBefore = new Date(Date.now() + 50_000).toISOString()
  const data = { outcome: 'handed-over', ...(await handed('FM-GB-004')) }
  await keeper.ok('POST', `/api/tasks/${id}/complete`, { data, notBefore })
  expect(await lecturer.get(`/api/cases/${loan.id}`)).toMatchObject({ withdrawable: false })
  await expect(lecturer.withdraws(loan)).rejects.toThrow('platform.not-withdrawable')
  await keeper.ok('POST', `/api/tasks/${id}/undo`)
  expect(await lecturer.get(`/api/cases/${loan.id}`)).toMatchObject({ withdrawable: true })
  await lecturer.withdraws(loan)
  const { body } = await keeper.send('POST', `/api/tasks/${id}/complete`, { data })
  // Once the feed has taken the task away, it is nobody's.
  expect(['platform.task-gone', 'platform.not-allowed']).toContain(body.code)
  await expectEnded(loan)
})

test('a loan without an approval is lent longer, becomes overdue, and blocks another one until it is back', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('FM-YB-001'))
  await keeper.decides(loan, 'handed-over', await handed('FM-YB-001'), desks.handOver)
  await expectCase(loan).toBe('Lent')
  const extend = (days: number) =>
    until('the loan can be extended', async () => {
      const { acts } = await lecturer.get(`/api/cases/${loan.id}`)
      if (!acts?.some(({ name }: { name: string }) => name === 'extend')) return false
      return lecturer.send('POST', `/api/cases/${loan.id}/acts/extend`, { data: { until: day(days), purpose: 'Tour' } })
    })
  expect((await extend(10)).body.errors).toMatchObject([{ code: 'instruments.too-soon' }])
  expect((await extend(90)).body.errors).toMatchObject([{ code: 'instruments.too-long' }])
  expect((await extend(40)).status).toBeLessThan(300)
  await keeper.decides(loan, 'extend', {}, desks.decideExtension)
  await expectMail(lecturer).about('instruments.mail.extended', loan)
  expect((await loanOf(loan)).data['due_on']).toBe(day(40))
  await keeper.task(loan, desks.takeBack)

  await clock.passes('P38D', loan)
  await expectMail(lecturer).about('instruments.mail.due-soon', loan)
  await expectCase(loan).toBe('Lent')
  await clock.passes('P42D', loan)
  await expectCase(loan).toBe('Overdue')
  await expectMail(lecturer).about('instruments.mail.overdue', loan)
  await expect(lecturer.submit(FLOW, await aRequest('FM-GB-004'))).rejects.toThrow('instruments.loan-overdue')
  await clock.passes('P31D', loan)
  await expectMail(lecturer).about('instruments.mail.overdue-again', loan)
  await expectMail(await as('dean.music')).about('instruments.mail.long-overdue', loan)
  await expectMail(await as('hod.folk-music')).about('instruments.mail.long-overdue', loan)

  await keeper.decides(loan, 'returned', sound('FM-YB-001'), desks.takeBackLate)
  await expectEnded(loan)
  const next = await lecturer.submit(FLOW, await aRequest('FM-GB-004'))
  await lecturer.withdraws(next)
  await expectEnded(next)
})

test('staff request for somebody else, who then has the loan; another one hands the instrument over', async () => {
  const [perera, ma] = await Promise.all([as('lecturer.perera'), as('ma.western-music')])
  const data = await aRequest('WM-GT-002')
  const entryOf = async (name: string) =>
    (await keeper.get(`/api/registers/platform/employee/items?search=${name}`)).items[0].id as string
  const begin = (who: Person, other: object = {}) => who.send('POST', '/api/cases', { flow: FLOW, data, ...other })
  const forPerera = { for: { entry: await entryOf('Nadeesha Perera') } }
  expect((await begin(ma)).status).toBe(403)
  expect((await begin(selvi, forPerera)).status).toBe(403)
  // An employee of another department, who has no account.
  const other = { for: { entry: await entryOf('Vajira') } }
  const refusedFor = async (who: Person) => (await begin(who, other)).body.errors
  expect(await refusedFor(keeper)).toMatchObject([{ field: '/for/entry', code: 'platform.person-without-account' }])
  expect(await refusedFor(ma)).toMatchObject([{ field: '/for/entry', code: 'platform.item-unknown' }])
  expect((await begin(keeper, { for: { accountId: perera.id } })).status).toBe(403)
  const { body: loan } = await begin(ma, forPerera)
  expect(loan).toMatchObject({ requester: { name: 'Nadeesha Perera' } })
  await head.decides(loan, 'approve')
  await expect(ma.decides(loan, 'handed-over', await handed('WM-GT-002', ma), desks.handOver)).rejects.toThrow(
    'platform.own-case',
  )
  await keeper.decides(loan, 'handed-over', await handed('WM-GT-002'), desks.handOver)
  await expectCase(loan).toBe('Lent')
  const { items } = await perera.get(`${LOANS}?search=${loan.reference}`)
  expect(items).toMatchObject([{ data: { case_reference: loan.reference } }])

  // Who resigns meanwhile has it on their case, until it is back.
  const resignation = await perera.submit('resignations/resignation', {
    ...{ notice_period: 'one_month', last_working_day: day(40), reason: 'A post abroad' },
    letter: await uploads(perera, 'letter.pdf'),
  })
  const borrowed = async () => {
    const { shows } = await perera.get(`/api/cases/${resignation.id}`)
    return shows[0].items.map((one: Entry) => one.data['title']).join()
  }
  expect(await borrowed()).toContain(loan.reference)
  await keeper.decides(loan, 'returned', sound('WM-GT-002'), desks.takeBack)
  await expectEnded(loan)
  expect(await borrowed()).not.toContain(loan.reference)
  await perera.withdraws(resignation)
})

test('damage beyond the deposit is paid before it counts as settled; a lost instrument may be found again', async () => {
  const damaged = await fathima.submit(FLOW, await aRequest('WM-FL-002'))
  await head.decides(damaged, 'approve')
  await keeper.decides(damaged, 'handed-over', { ...(await handed('WM-FL-002')), receipt: aReceipt() }, desks.handOver)
  const bent = { barcode: 'WM-FL-002', condition: 'poor', reason: 'A key is bent' }
  await expect(keeper.decides(damaged, 'damaged', bent, desks.takeBack)).rejects.toThrow('/photo')
  const broken = { ...bent, photo: await uploads(keeper, 'bent.png', PIXEL) }
  await keeper.decides(damaged, 'damaged', broken, desks.takeBack)
  await expectCase(damaged).toBe('Damaged')
  expect((await instrument('WM-FL-002')).status).toBe('In Repair')
  expect((await loanOf(damaged)).status).toBe('Open')
  const charged = { charge: 450000, reason: 'Price of the repair' }
  await expect(head.decides(damaged, 'charged', charged, desks.settleDamage)).rejects.toThrow('/receipt')
  await head.decides(damaged, 'charged', { ...charged, receipt: 'SH/3' }, desks.settleDamage)
  await expectCase(damaged).toBe('Settled')
  expect(await fathima.get(`/api/cases/${damaged.id}`)).toMatchObject({
    facts: { charge: 450000, toPay: 150000 },
    linked: [],
  })

  const lost = await lecturer.submit(FLOW, await aRequest('ID-GJ-002'))
  await keeper.decides(lost, 'handed-over', await handed('ID-GJ-002'), desks.handOver)
  await keeper.decides(lost, 'lost', { reason: 'Left in a bus' }, desks.takeBack)
  await expectCase(lost).toBe('Lost')
  expect((await instrument('ID-GJ-002')).status).toBe('Lost')
  const dance = await as('hod.indigenous-dance')
  const unusable = { ...sound('ID-GJ-002'), condition: 'unusable' }
  await expect(dance.decides(lost, 'found', unusable, desks.settleLoss)).rejects.toThrow('instruments.unusable')
  await dance.decides(lost, 'found', sound('ID-GJ-002'), desks.settleLoss)
  await expectCase(lost).toBe('Returned')
  await expectEnded(lost)
  expect((await instrument('ID-GJ-002')).status).toBe('In Stock')
})

test('what is found unusable after a loss goes to repair, and another one than who found it settles the damage', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('ID-GJ-002'))
  await keeper.decides(loan, 'handed-over', await handed('ID-GJ-002'), desks.handOver)
  await keeper.decides(loan, 'lost', { reason: 'Left in a bus' }, desks.takeBack)
  const dance = await as('hod.indigenous-dance')
  const broken = { barcode: 'ID-GJ-002', condition: 'unusable', reason: 'The skin is torn' }
  await dance.decides(loan, 'found-damaged', broken, desks.settleLoss)
  await expectCase(loan).toBe('Damaged')
  expect(await instrument('ID-GJ-002')).toMatchObject({ status: 'In Repair', data: { condition: 'unusable' } })
  expect(await loanOf(loan)).toMatchObject({ status: 'Open', data: { returned_on: day(0) } })
  const waived = (who: Person) =>
    who.decides(loan, 'waived', { reason: 'The driver brought it back' }, desks.settleDamage)
  await expect(waived(dance)).rejects.toThrow('platform.decided-before')
  await waived(await as('dean.dance-and-drama'))
  await expectEnded(loan)
  await expectCase(loan).toBe('Settled')
  expect((await loanOf(loan)).status).toBe('Settled')
  const { id } = await instrument('ID-GJ-002')
  await keeper.ok('POST', `/api/registers/instruments/instrument/items/${id}/status`, { status: 'In Stock' })
})

test('an instrument is brought back while a longer loan is not decided yet', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('FM-GB-004'))
  await keeper.decides(loan, 'handed-over', await handed('FM-GB-004'), desks.handOver)
  await expectCase(loan).toBe('Lent')
  await until('the request for longer', async () => {
    const data = { until: day(40), purpose: 'Tour' }
    return (await lecturer.send('POST', `/api/cases/${loan.id}/acts/extend`, { data })).status < 300
  })
  await keeper.decides(loan, 'brought-back', {}, desks.decideExtension)
  await keeper.decides(loan, 'returned', sound('FM-GB-004'), desks.takeBackReturned)
  await expectEnded(loan)
  await expectCase(loan).toBe('Returned')
  expect((await instrument('FM-GB-004')).status).toBe('In Stock')
})
