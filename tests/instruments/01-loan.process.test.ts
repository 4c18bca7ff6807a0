import { beforeAll, expect, test } from '@jest/globals'
import { instrumentLoan } from '../../processes/instruments/instrument-loan.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = instrumentLoan
const INSTRUMENTS = '/api/registers/instruments/instrument/items'
const LOANS = '/api/registers/instruments/loan/items'

interface Entry {
  id: string
  version: number
  status: string
  data: Record<string, string | number>
}

let selvi: Person, fathima: Person, lecturer: Person, head: Person, keeper: Person
beforeAll(async () => {
  ;[selvi, fathima, lecturer, head, keeper] = await Promise.all([
    as('student.selvi'),
    as('student.fathima'),
    as('lecturer.fernando'),
    as('hod.western-music'),
    as('store.keeper'),
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

const sound = (barcode: string) => ({ barcode, condition: 'good' })

test('an instrument is approved, handed over by its barcode, and lent to nobody else until it is back', async () => {
  const request = await aRequest('WM-VN-003')
  await expect(selvi.submit(FLOW, { ...request, until: day(200) })).rejects.toThrow('for 180 days at most')
  const loan = await selvi.submit(FLOW, request)
  await expect(fathima.submit(FLOW, request)).rejects.toThrow('platform.item-claimed')
  await head.decides(loan, 'approve')
  await expectMail(selvi).about('instruments.mail.ready', loan)

  const handOver = (data: object) => keeper.decides(loan, 'handed-over', data, desks.handOver)
  await expect(handOver({ ...sound('WM-VN-004'), receipt: 'SH/1' })).rejects.toThrow('the loan is of WM-VN-003')
  await expect(handOver(sound('WM-VN-003'))).rejects.toThrow('/receipt')
  const unusable = { barcode: 'WM-VN-003', condition: 'unusable', receipt: 'SH/1' }
  await expect(handOver(unusable)).rejects.toThrow('cannot be played')
  await handOver({ ...sound('wm-vn-003'), receipt: 'SH/1' })
  await expectCase(loan).toBe('Lent')
  const held = await instrument('WM-VN-003')
  expect(held.status).toBe('Lent')
  const stock = `${INSTRUMENTS}/${held.id}/status`
  const stocked = await keeper.send('POST', stock, { status: 'In Stock' }, { 'if-match': `"${held.version}"` })
  expect([stocked.status, stocked.body.code]).toEqual([409, 'platform.status-of-case'])
  const lent = await loanOf(loan)
  expect(lent).toMatchObject({ status: 'Open', data: { due_on: request.until, deposit: 500000, receipt: 'SH/1' } })
  expect((await selvi.get(LOANS)).items).toMatchObject([{ id: lent.id }])
  expect((await fathima.send('GET', `${LOANS}/${lent.id}`)).status).toBe(404)

  await keeper.decides(loan, 'returned', { barcode: 'WM-VN-003', condition: 'fair' }, desks.takeBack)
  await expectMail(selvi).about('instruments.mail.back', loan)
  await expectEnded(loan)
  expect(await instrument('WM-VN-003')).toMatchObject({ status: 'In Stock', data: { condition: 'fair' } })
  expect(await loanOf(loan)).toMatchObject({ status: 'Returned', data: { condition_back: 'fair' } })
  const { facts } = await selvi.get(`/api/cases/${loan.id}`)
  expect(facts).toMatchObject({ toRefund: 500000 })
})

test('while the hand-over can still be taken back, the borrower cannot withdraw', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('FM-GB-004'))
  const { id } = await keeper.task(loan, desks.handOver)
  const notBefore = new Date(Date.now() + 50_000).toISOString()
  const data = { outcome: 'handed-over', ...sound('FM-GB-004') }
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
  await keeper.decides(loan, 'handed-over', sound('FM-YB-001'), desks.handOver)
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
  await expect(ma.decides(loan, 'handed-over', sound('WM-GT-002'), desks.handOver)).rejects.toThrow('platform.own-case')
  await keeper.decides(loan, 'handed-over', sound('WM-GT-002'), desks.handOver)
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
    return shows[0].items.map((one: Entry) => one.data['instrument'])
  }
  expect(await borrowed()).toContain(data.instrument)
  await keeper.decides(loan, 'returned', sound('WM-GT-002'), desks.takeBack)
  await expectEnded(loan)
  expect(await borrowed()).not.toContain(data.instrument)
  await perera.withdraws(resignation)
})

test('damage beyond the deposit is paid before it counts as settled; a lost instrument may be found again', async () => {
  const damaged = await fathima.submit(FLOW, await aRequest('WM-FL-002'))
  await head.decides(damaged, 'approve')
  await keeper.decides(damaged, 'handed-over', { ...sound('WM-FL-002'), receipt: 'SH/2' }, desks.handOver)
  const broken = { barcode: 'WM-FL-002', condition: 'poor', reason: 'A key is bent' }
  await keeper.decides(damaged, 'damaged', broken, desks.takeBack)
  await expectCase(damaged).toBe('Damaged')
  expect((await instrument('WM-FL-002')).status).toBe('In Repair')
  expect((await loanOf(damaged)).status).toBe('Open')
  const charged = { charge: 450000, reason: 'Price of the repair' }
  await expect(head.decides(damaged, 'charged', charged, desks.settleDamage)).rejects.toThrow('/receipt')
  await head.decides(damaged, 'charged', { ...charged, receipt: 'SH/3' }, desks.settleDamage)
  await expectCase(damaged).toBe('Settled')
  expect((await fathima.get(`/api/cases/${damaged.id}`)).facts).toMatchObject({ charge: 450000, toPay: 150000 })

  const lost = await lecturer.submit(FLOW, await aRequest('ID-GJ-002'))
  await keeper.decides(lost, 'handed-over', sound('ID-GJ-002'), desks.handOver)
  await keeper.decides(lost, 'lost', { reason: 'Left in a bus' }, desks.takeBack)
  await expectCase(lost).toBe('Lost')
  expect((await instrument('ID-GJ-002')).status).toBe('Lost')
  const dance = await as('hod.indigenous-dance')
  const unusable = { ...sound('ID-GJ-002'), condition: 'unusable' }
  await expect(dance.decides(lost, 'found', unusable, desks.settleLoss)).rejects.toThrow('instruments.unusable')
  await dance.decides(lost, 'found', sound('ID-GJ-002'), desks.settleLoss)
  await expectCase(lost).toBe('Returned')
  expect((await instrument('ID-GJ-002')).status).toBe('In Stock')
})

test('what is found unusable after a loss goes to repair, and another one than who found it settles the damage', async () => {
  const loan = await lecturer.submit(FLOW, await aRequest('ID-GJ-002'))
  await keeper.decides(loan, 'handed-over', sound('ID-GJ-002'), desks.handOver)
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
  await keeper.decides(loan, 'handed-over', sound('FM-GB-004'), desks.handOver)
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
