import { beforeAll, expect, test } from '@jest/globals'
import { getDocumentProxy } from 'unpdf'
import { duplicateCard } from '../../processes/id-cards/duplicate-card.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { until } from '../platform/kit/poll.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aPicture, uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

const { flow: FLOW, desks } = duplicateCard
const CARDS = '/api/registers/id-cards/card/items'
const SHEET = '/api/registers/id-cards/card/sheet.pdf'
/** In cents, as the first content of the register of reasons says. */
const FEE_OF_DAMAGED = 75_000

let nuwan: Person, dinuka: Person, affairs: Person, ma: Person, admin: Person, auditor: Person, nurse: Person
let head: Person
let reasons: { id: string; title: string }[]
beforeAll(async () => {
  ;[nuwan, dinuka, affairs, ma, admin, auditor, nurse, head] = await Promise.all([
    as('student.nuwan'),
    as('student.dinuka'),
    as('ma.welfare'),
    as('ma.music'),
    as('admin'),
    as('auditor'),
    as('nurse.geethani'),
    as('head.welfare'),
  ])
  reasons = (await nuwan.get('/api/registers/id-cards/reason/items')).items
})

const reason = (title: string) => reasons.find((one) => one.title === title)!.id
const cardsOf = async (who: Person) => (await who.get(CARDS)).items as Entry[]
interface Entry {
  id: string
  status: string
  data: Record<string, string>
}

async function aRequest(who: Person, cause: string, more: object = {}): Promise<Record<string, string>> {
  return {
    cause: reason(cause),
    details: 'It broke.',
    slip: await uploads(who, 'slip.pdf'),
    paid_on: day(0),
    bank_reference: aReference(),
    ...more,
  }
}

const toHand = { identity: 'passport', identity_number: 'N1234567' }

test('a lost card needs a police report, and a request names no card of somebody else', async () => {
  const [own] = await cardsOf(nuwan)
  const lost = await aRequest(dinuka, 'Lost')
  await expect(dinuka.submit(FLOW, lost)).rejects.toThrow('/police_report')
  await expect(dinuka.submit(FLOW, { ...(await aRequest(dinuka, 'Damaged')), card: own!.id })).rejects.toThrow(
    'platform.item-unknown',
  )
})

test('a slip pays for one card, even if two people send it', async () => {
  const slip = aPicture()
  const bySlip = async (who: Person) => ({
    ...(await aRequest(who, 'Damaged')),
    slip: await uploads(who, 'slip.png', slip),
  })
  const first = await nuwan.submit(FLOW, await bySlip(nuwan))
  await expect(dinuka.submit(FLOW, await bySlip(dinuka))).rejects.toThrow('platform.slip-used')
  await nuwan.withdraws(first)
  await expectEnded(first)
})

test('a card that was reported lost is refused until the student withdraws such a request', async () => {
  const valid = (await cardsOf(nuwan)).find(({ status }) => status === 'Active')!
  await nuwan.bytes(`${CARDS}/${valid.id}/paper.pdf`)
  const [row] = await asOwner<{ code: string }>('select code from app.item_code where item_id = $1', [valid.id])
  const state = async () => (await nuwan.get(`/api/public/documents/${row!.code}`)).state
  const arrives = () => nurse.send('POST', '/api/medical/arrivals', { shown: valid.data['number'] })
  const damaged = await nuwan.submit(FLOW, await aRequest(nuwan, 'Damaged'))
  expect(await state()).toBe('valid')
  await nuwan.withdraws(damaged)
  await expectEnded(damaged)
  expect((await arrives()).status).toBe(200)

  const police_report = await uploads(nuwan, 'police.pdf')
  const stolen = await nuwan.submit(FLOW, await aRequest(nuwan, 'Stolen', { police_report }))
  expect(await state()).toBe('reported')
  expect(await arrives()).toMatchObject({ status: 409, body: { code: 'platform.card-reported' } })
  // One person alone does not undo it, and neither does a rejection.
  const REASONS = '/api/registers/id-cards/reason/items'
  const read = () => affairs.get(`${REASONS}/${reason('Stolen')}`)
  const { data } = await read()
  const match = async () => ({ 'if-match': `"${(await read()).version}"` })
  const puts = async (lost: boolean) =>
    affairs.ok('PUT', `${REASONS}/${reason('Stolen')}`, { data: { ...data, lost } }, await match())
  expect(await puts(false)).toMatchObject({ status: 'Awaiting Approval' })
  expect(await state()).toBe('reported')
  await puts(true)
  await head.ok('POST', `${REASONS}/${reason('Stolen')}/status`, { status: 'Active' }, await match())
  await affairs.decides(stolen, 'reject', { reason: 'The report is of somebody else' }, desks.approve)
  await expectCase(stolen).toBe('Rejected')
  await expectEnded(stolen)
  expect(await state()).toBe('reported')
  const found = await nuwan.submit(
    FLOW,
    await aRequest(nuwan, 'Stolen', { police_report: await uploads(nuwan, 'police.pdf') }),
  )
  await nuwan.withdraws(found)
  await expectEnded(found)
  expect(await state()).toBe('valid')
  expect((await arrives()).status).toBe(200)
})

test('students see their own cards only, and print them', async () => {
  const own = await cardsOf(nuwan)
  const { items } = await admin.get(`${CARDS}?search=FVA`)
  expect(new Set(own.map(({ data }) => data['reg_no'])).size).toBe(1)
  const { status } = await nuwan.send('GET', `${CARDS}/${items[0].id}`)
  expect(status).toBe(404)
  expect((await nuwan.send('GET', `${CARDS}/${items[0].id}/paper.pdf`)).status).toBe(404)
  const valid = own.find((one) => one.status === 'Active')!
  const pdf = await nuwan.bytes(`${CARDS}/${valid.id}/paper.pdf`)
  // CR80 in points, front and back.
  expect(pdf.toString('latin1').match(/\/MediaBox ?\[0 0 242\.6\d* 153\.0\d*\]/g)).toHaveLength(2)
})

test('chosen cards print on one sheet, fronts and mirrored backs, for people who see them all', async () => {
  const { items } = (await affairs.get(`${CARDS}?limit=3`)) as { items: Entry[] }
  const body = { items: items.map(({ id }) => id) }
  const printed = `/api/audit/entries?action=register-item.printed&person=${affairs.id}`
  const noted = async () => (await auditor.get(printed)).items.length as number
  const before = await noted()
  const refused = await nuwan.send('POST', SHEET, body)
  expect(refused.status).toBe(404)
  const pdf = await affairs.bytes(SHEET, body)
  const of = await getDocumentProxy(new Uint8Array(pdf))
  expect(of.numPages).toBe(2)
  const [first, second, third] = items.map(({ data }) => data['number']!)
  const front = await placesOn(of, 1)
  const back = await placesOn(of, 2)
  // A4; the second card is to the right of the first, on the back to its left, and the third below.
  expect(front.size).toEqual([595, 842])
  expect(front.at(second!).x - front.at(first!).x).toBeCloseTo(242.6, 0)
  expect(back.at(second!).x - back.at(first!).x).toBeCloseTo(-242.6, 0)
  expect([front, back].map(({ at }) => Math.round(at(first!).y - at(third!).y))).toEqual([153, 153])
  await until('the trail has the prints', async () => (await noted()) === before + 3)
})

/** The size of a page in points, and where a text stands on it. */
async function placesOn(of: Awaited<ReturnType<typeof getDocumentProxy>>, page: number) {
  const found = await of.getPage(page)
  const { items } = await found.getTextContent()
  const { width, height } = found.getViewport({ scale: 1 })
  return {
    size: [Math.round(width), Math.round(height)],
    at(text: string) {
      const item = items.find((one) => 'str' in one && one.str === text)
      if (!item || !('transform' in item)) throw new Error(`${text} is not on page ${page}`)
      const [, , , , x, y] = item.transform as number[]
      return { x: x!, y: y! }
    },
  }
}

test('student affairs approve many at once; the new card replaces the old one when the student collects it', async () => {
  const [old] = (await cardsOf(nuwan)).filter(({ status }) => status === 'Active')
  const paid = await aRequest(nuwan, 'Damaged', { card: old!.id })
  const first = await nuwan.submit(FLOW, paid)
  // One payment pays for one case, however its reference is written.
  const withTheSame = { bank_reference: `${paid['bank_reference']!.replaceAll('-', ' ').toLowerCase()}.` }
  const takenFrom = (who: Person) => aRequest(who, 'Damaged', withTheSame)
  await expect(dinuka.submit(FLOW, await takenFrom(dinuka))).rejects.toThrow('platform.payment-used')
  await expect(nuwan.submit(FLOW, await aRequest(nuwan, 'Damaged'))).rejects.toThrow('platform.once-only')
  const second = await dinuka.submit(FLOW, await aRequest(dinuka, 'Damaged'))
  const tasks = await Promise.all([first, second].map(async (one) => (await affairs.task(one, desks.approve)).id))
  await affairs.ok('POST', '/api/bulk', { kind: 'complete', tasks, outcome: 'approve', data: {} })
  await expectCase(first).toBe('Approved')
  await expectCase(second).toBe('Approved')
  const payments = `/api/reports/finance/student-payments?filter.reference=${first.reference}`
  const { rows } = await until('the fee is posted', async () => {
    const found = await nuwan.get(payments)
    return found.rows.length > 0 && found
  })
  expect(rows).toMatchObject([{ reference: { text: first.reference }, received: FEE_OF_DAMAGED, paid: null }])

  await ma.decides(first, 'printed', {}, desks.print)
  await expectMail(nuwan).about('id-cards.mail.ready', first)
  const { cardNumber } = (await ma.get(`/api/cases/${first.id}`)).facts
  const handsOver = (data: object) => ma.decides(first, 'collected', data, desks.handOver)
  await expect(handsOver({ ...toHand, card: old!.data['number'] })).rejects.toThrow(`of this request is ${cardNumber}`)
  await handsOver({ card: cardNumber, identity: 'nic', identity_number: '200012345678' })
  await expectMail(ma).about('id-cards.mail.identity-differs', first)
  await expectCase(first).toBe('Ready to Collect')
  expect((await cardsOf(nuwan)).filter(({ status }) => status === 'Active')).toMatchObject([{ id: old!.id }])

  await handsOver({ ...toHand, card: cardNumber.toLowerCase() })
  await expectCase(first).toBe('Collected')
  await expectEnded(first)
  const cards = await cardsOf(nuwan)
  const now = cards.find(({ status }) => status === 'Active')!
  expect(now.id).not.toBe(old!.id)
  expect(cards.find(({ id }) => id === old!.id)).toMatchObject({
    status: 'Replaced',
    data: { replaced_by: now.data['number'] },
  })
  // The next card that is lost can be replaced as well.
  await expect(nuwan.submit(FLOW, await takenFrom(nuwan))).rejects.toThrow('platform.payment-used')
  const unpaid = await aRequest(nuwan, 'Damaged', { card: now.id })
  const again = await nuwan.submit(FLOW, unpaid)
  await nuwan.withdraws(again)
  await expectEnded(again)
  // A second card that an office enters is not approved beside it.
  const { photo: _, ...like } = now.data
  const twice = await admin.ok('POST', CARDS, { data: { ...like, number: `SC-${Date.now()}` } })
  const sets = (to: string) =>
    affairs.send('POST', `${CARDS}/${twice.id}/status`, { status: to }, { 'if-match': `"${twice.version}"` })
  const { status, body } = await sets('Active')
  expect([status, body.errors]).toMatchObject([422, [{ field: '/student', code: 'platform.value-taken' }]])
  expect((await sets('Cancelled')).status).toBe(200)
  await dinuka.withdraws(second)
  await expectEnded(second)
  const [cancelled] = await cardsOf(dinuka)
  // A payment that no desk has accepted is free again.
  const { bank_reference } = unpaid
  await dinuka.withdraws(await dinuka.submit(FLOW, await aRequest(dinuka, 'Damaged', { bank_reference })))
  expect(cancelled).toMatchObject({ status: 'Cancelled' })
})
