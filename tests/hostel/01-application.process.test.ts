import { beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = hostelApplication
const REGISTERS = '/api/registers/hostel'
const LOW_INCOME = 25_000_000

interface Entry {
  id: string
  title: string
  status: string
  version: number
  data: Record<string, string>
}

let imran: Person, dinuka: Person, tharindu: Person, ma: Person, assistant: Person, ar: Person
let divisions: Entry[]
beforeAll(async () => {
  ;[imran, dinuka, tharindu, ma, assistant, ar] = await Promise.all([
    as('student.imran'),
    as('student.dinuka'),
    as('student.tharindu'),
    as('ma.welfare'),
    as('assistant.welfare'),
    as('head.welfare'),
  ])
  divisions = (await imran.get(`${REGISTERS}/division/items?limit=100`)).items
})

let intakes = 0
/** An intake that an assistant has entered and the Assistant Registrar has approved. */
async function anIntake({ closes = 5 } = {}): Promise<Entry> {
  intakes += 1
  const data = {
    ...{ name: `Intake ${process.pid}-${intakes}`, opens: day(-5), closes: day(closes), places_until: day(40) },
    ...{ from: day(20), until: day(300), fee: 600_000, deposit: 300_000 },
    ...{ bank_details: 'Bank of Ceylon', notice: 'Apply.', rules: 'Be quiet.' },
  }
  const { id } = await ma.ok<Entry>('POST', `${REGISTERS}/intake/items`, { data })
  expect((await ma.send('POST', `${REGISTERS}/intake/items/${id}/status`, { status: 'Active' })).status).not.toBe(200)
  return ar.ok<Entry>('POST', `${REGISTERS}/intake/items/${id}/status`, { status: 'Active' })
}

async function anApplication(who: Person, intake: Entry, division = 'Matara Four Gravets', more: object = {}) {
  const { id, data } = divisions.find(({ title }) => title === division)!
  return {
    ...{ intake: intake.id, sex: 'male', district: data['district'], division: id, address: '1 Temple Road' },
    ...{ income: LOW_INCOME, income_proof: await uploads(who, 'income.pdf'), special: false, declaration: true },
    ...more,
  }
}

const applies = async (who: Person, intake: Entry, division?: string) =>
  who.submit(FLOW, await anApplication(who, intake, division))

const checked = { verified_income: LOW_INCOME, special_accepted: false }
const check = (one: Case) => ma.decides(one, 'checked', checked, desks.check)
const facts = async (one: Case) => (await ma.get(`/api/cases/${one.id}`)).facts

/** Every entry of this application in the register of places. */
const staysOf = async ({ reference }: Case): Promise<Entry[]> =>
  (await ma.get(`${REGISTERS}/stay/items?search=${reference}`)).items

async function aRegistration(who: Person) {
  return {
    ...{ guardian_name: 'A. Silva', guardian_phone: '0771234567', slip: await uploads(who, 'slip.pdf') },
    ...{ paid_on: day(0), amount: 900_000, bank_reference: 'BOC 1', rules_declaration: true },
  }
}

test('an application is for an open intake, from a division of its district, once', async () => {
  const [intake, closed] = [await anIntake(), await anIntake({ closes: -1 })]
  await expect(imran.submit(FLOW, await anApplication(imran, closed))).rejects.toThrow('platform.closed')
  const elsewhere = divisions.find(({ title }) => title === 'Nallur')!.id
  const wrong = await anApplication(imran, intake, undefined, { division: elsewhere })
  await expect(imran.submit(FLOW, wrong)).rejects.toThrow('/division')
  const unproven = await anApplication(imran, intake, undefined, { special: true })
  await expect(imran.submit(FLOW, unproven)).rejects.toThrow('/special_proof')
  const first = await applies(imran, intake)
  await expect(applies(imran, intake)).rejects.toThrow('platform.once-only')
  await imran.withdraws(first)
  await expectEnded(first)
})

test('from the list to the room, and back with a damage', async () => {
  const intake = await anIntake()
  const [far, further] = [await applies(imran, intake, 'Galle Four Gravets'), await applies(dinuka, intake, 'Nallur')]
  await check(far)
  await expectCase(far).toBe('eligible')
  await expectMail(imran).about('hostel.mail.eligible', far)
  expect(await facts(far)).toMatchObject({ pointsDistance: 30, pointsIncome: 40, eligibility: expect.any(String) })
  await ar.decides(far, 'approve', {}, desks.approve)
  const early = assistant.decides(far, 'allocate', {}, desks.allocate)
  await expect(early).rejects.toThrow('hostel.list-incomplete')
  await check(further)
  await ar.decides(further, 'approve', {}, desks.approve)
  await expectCase(further).toBe('approved')
  const ranking = await ar.get(`/api/reports/hostel/ranking?filter.intake=${intake.id}`)
  expect(ranking.rows.map((row: { application: { text: string } }) => row.application.text)).toEqual([
    further.reference,
    far.reference,
  ])

  await assistant.decides(far, 'allocate', {}, desks.allocate)
  await assistant.decides(further, 'allocate', {}, desks.allocate)
  await expectCase(further).toBe('offered')
  const { reference } = further
  const [place] = await staysOf(further)
  expect(place).toMatchObject({ status: 'Taken', data: { sex: 'male', case_reference: reference } })
  const room: Entry = await ma.get(`${REGISTERS}/room/items/${place!.data['room']}`)
  const smaller = await ma.send('PUT', `${REGISTERS}/room/items/${room.id}`, {
    data: { ...room.data, capacity: Number(place!.data['bed']) - 1 || 1, hostel: room.data['hostel'] },
  })
  expect(smaller.status).not.toBe(200)

  await dinuka.decides(further, 'register', await aRegistration(dinuka), desks.register)
  await ma.decides(further, 'new-slip', { reason: 'The slip is of last year.' }, desks.confirm)
  await expectMail(dinuka).about('hostel.mail.new-slip', further)
  await dinuka.decides(further, 'register', await aRegistration(dinuka), desks.register)
  await ma.decides(further, 'confirm', { receipt_no: 'SH/1', key_no: 'K-7' }, desks.confirm)
  await expectCase(further).toBe('resident')
  const overview = await ar.get(`/api/reports/hostel/occupancy?filter.sex=male`)
  const its = overview.rows.find((row: { room: string }) => row.room === room.title)
  expect(its.residents + its.reserved + its.free).toBe(its.capacity)

  const { inventory } = await facts(further)
  const found = inventory.map((one: { count: number }, at: number) => ({ ...one, found: one.count - Number(at === 0) }))
  const missing = ma.decides(further, 'in-order', { keys_back: true, inventory: found }, desks.vacate)
  await expect(missing).rejects.toThrow('hostel.things-missing')
  const damage = { keys_back: true, inventory: found, charge: 100_000, reason: 'A bed is broken.' }
  await ma.decides(further, 'damaged', damage, desks.vacate)
  await ar.decides(further, 'charged', { charge: 100_000 }, desks.settle)
  await expectCase(further).toBe('vacated')
  await expectEnded(further)
  expect(await facts(further)).toMatchObject({ charge: 100_000, toRefund: 200_000 })
  expect(await staysOf(further)).toMatchObject([{ status: 'Vacated' }])

  await imran.decides(far, 'decline', {}, desks.register)
  await expectCase(far).toBe('declined')
  await expectEnded(far)
  expect(await staysOf(far)).toMatchObject([{ status: 'Released' }])
})

test('who is not eligible appeals; an accepted disability counts at any distance', async () => {
  const intake = await anIntake()
  const near = await applies(tharindu, intake, 'Maharagama')
  await check(near)
  await expectCase(near).toBe('not eligible')
  await expectMail(tharindu).about('hostel.mail.not-eligible', near)
  await tharindu.decides(near, 'appeal', { grounds: 'I walk with crutches.' }, desks.appeal)
  const upheld = { verified_income: LOW_INCOME, special_accepted: true, reason: 'The medical officer agrees.' }
  await ar.decides(near, 'uphold', upheld, desks.decideAppeal)
  await expectCase(near).toBe('eligible')
  const act = `/api/cases/${near.id}/acts/appeal`
  expect((await tharindu.send('POST', act, { data: { grounds: 'Once more.' } })).status).toBe(422)
  await ar.decides(near, 'approve', {}, desks.approve)
  await assistant.decides(near, 'allocate', {}, desks.allocate)
  await expectCase(near).toBe('offered')
  const [place] = await staysOf(near)
  const room: Entry = await ma.get(`${REGISTERS}/room/items/${place!.data['room']}`)
  expect(room.data['accessible']).toBe(true)
  await clock.passes('P15D', near)
  await expectCase(near).toBe('lapsed')
  await expectEnded(near)
  expect(await staysOf(near)).toMatchObject([{ status: 'Released' }])
})
