import { beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { clock, engine } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { until } from '../platform/kit/poll.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import {
  type Entry,
  LOW_INCOME,
  REGISTERS,
  anApplication,
  anIntake,
  aReceipt,
  aRegistration,
  checked,
  ends,
  divisionOf,
  staysOf,
} from './application.ts'

const { flow: FLOW, desks } = hostelApplication

/** Days that the intakes of other tests do not overlap: rooms wait for the lists of those. */
const PERIOD = { from: 1020, until: 1300 }

let imran: Person, dinuka: Person, tharindu: Person, ma: Person, assistant: Person, ar: Person
beforeAll(async () => {
  ;[imran, dinuka, tharindu, ma, assistant, ar] = await Promise.all([
    as('student.imran'),
    as('student.dinuka'),
    as('student.tharindu'),
    as('ma.welfare'),
    as('assistant.welfare'),
    as('head.welfare'),
  ])
})

const applies = async (who: Person, intake: Entry, division?: string) =>
  who.submit(FLOW, await anApplication(who, intake, division))
const check = (one: Case) => ma.decides(one, 'checked', checked, desks.check)
const facts = async (one: Case) => (await ma.get(`/api/cases/${one.id}`)).facts

test('an intake needs a second person', async () => {
  const { id, data, version } = await anIntake(PERIOD)
  const later = { data: { ...data, closes: data['places_until'] } }
  const match = { 'if-match': `"${version}"` }
  const changed = await ma.send('PUT', `${REGISTERS}/intake/items/${id}`, later, match)
  expect(changed.body).toMatchObject({ status: 'Awaiting Approval' })
  expect((await ma.send('POST', `${REGISTERS}/intake/items/${id}/status`, { status: 'Active' })).status).toBe(403)
})

test('an application is for an open intake, from a division of its district, once', async () => {
  const [intake, closed] = [await anIntake(PERIOD), await anIntake({ ...PERIOD, closes: -1 })]
  await expect(imran.submit(FLOW, await anApplication(imran, closed))).rejects.toThrow('platform.closed')
  const { id: elsewhere } = await divisionOf('Nallur')
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
  const intake = await anIntake(PERIOD)
  const [far, further] = [await applies(imran, intake, 'Galle Four Gravets'), await applies(dinuka, intake, 'Nallur')]
  await check(far)
  await expectCase(far).toBe('eligible')
  await expectMail(imran).about('hostel.mail.eligible', far)
  expect(await facts(far)).toMatchObject({ pointsDistance: 30, pointsIncome: 40, eligibility: expect.any(String) })
  // This intake has no days to appeal.
  await ar.task(far, desks.approve)
  const late = await imran.send('POST', `/api/cases/${far.id}/acts/appeal`, { data: { grounds: 'I live further.' } })
  expect(late.body.errors).toMatchObject([{ field: '/grounds', code: 'hostel.appeal-over' }])
  await ar.decides(far, 'approve', {}, desks.approve)
  await expectCase(far).toBe('approved')
  // The desk, and what it promises, begins when the intake is over; it is looked at every day.
  await waitsOneMoreDay(far)
  // An earlier last day that nobody has approved yet begins nothing.
  const closes = (last: string, status: string) =>
    asOwner(
      `update app.register_item set data = jsonb_set(data, '{closes}', to_jsonb($2::text)), status = $3
      where id = $1`,
      [intake.id, last, status],
    )
  await closes(day(-1), 'Awaiting Approval')
  await waitsOneMoreDay(far)
  await closes(String(intake.data['closes']), 'Active')
  const early = () => assistant.decides(far, 'allocate', {}, desks.allocate)
  await ma.decides(further, 'return', { reason: 'The proof of income is missing.' }, desks.check)
  await expectCase(further).toBe('returned')
  await ends(intake)
  await clock.passes('P1D', far)
  await expect(early()).rejects.toThrow('hostel.list-incomplete')
  // The intake is extended while the desk has the application.
  await closes(day(5), 'Active')
  await expect(early()).rejects.toThrow('hostel.intake-open')
  await closes(day(-1), 'Active')
  const { id: task } = await dinuka.task(further, desks.correct)
  const corrected = { data: await anApplication(dinuka, intake, 'Nallur') }
  await dinuka.ok('POST', `/api/tasks/${task}/complete`, corrected)
  await expectCase(further).toBe('submitted')
  await check(further)
  await ar.decides(further, 'approve', {}, desks.approve)
  await expectCase(further).toBe('approved')
  const ranking = await ar.get(`/api/reports/hostel/ranking?filter.intake=${intake.id}`)
  expect(ranking.rows.map((row: { application: { text: string } }) => row.application.text)).toEqual([
    further.reference,
    far.reference,
  ])

  // An intake whose stays overlap and whose applications closed earlier comes first, and its list is complete.
  const earlier = await anIntake({ ...PERIOD, closes: 3 })
  const before = await applies(tharindu, earlier, 'Nallur')
  await asOwner(`update app.register_item set data = jsonb_set(data, '{closes}', to_jsonb($2::text)) where id = $1`, [
    ...[earlier.id, day(-3)],
  ])
  const waits = () =>
    expect(assistant.decides(further, 'allocate', {}, desks.allocate)).rejects.toThrow('hostel.earlier-incomplete')
  await waits()
  // Also if its days do not overlap, but those of a third intake overlap both.
  await asOwner(
    `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text) where id = $1`,
    [earlier.id, day(1400), day(1500)],
  )
  await anIntake({ from: 1250, until: 1450 })
  await waits()
  // Days that nobody has approved yet do not let it go first.
  await asOwner(
    `update app.register_item_version set data = (select data from app.register_item where id = item_id)
    where item_id = $1 and status = 'Active'`,
    [earlier.id],
  )
  const path = `${REGISTERS}/intake/items/${earlier.id}`
  const { data: days, version: last } = await ma.get(path)
  const away = { data: { ...days, from: day(2000), until: day(2100) } }
  const put = await ma.send('PUT', path, away, { 'if-match': `"${last}"` })
  expect(put.body).toMatchObject({ status: 'Awaiting Approval' })
  await waits()
  await tharindu.withdraws(before)
  await expectEnded(before)

  await assistant.decides(further, 'allocate', {}, desks.allocate)
  await expectCase(further).toBe('offered')
  await losesTheRace(far, intake)
  await assistant.decides(far, 'allocate', {}, desks.allocate)
  const { reference } = further
  const [place] = await staysOf(further)
  expect(place).toMatchObject({ status: 'Taken', data: { sex: 'male', case_reference: reference } })
  const room: Entry = await ma.get(`${REGISTERS}/room/items/${place!.data['room']}`)
  const house = `${REGISTERS}/hostel/items/${place!.data['hostel']}`
  const { data, version } = await ar.get(house)
  const match = { 'if-match': `"${version}"` }
  const turned = await ar.send('PUT', house, { data: { ...data, sex: 'female' } }, match)
  expect(turned.body.errors).toMatchObject([{ field: '/sex', code: 'platform.item-needed-so' }])

  await dinuka.decides(further, 'register', await aRegistration(dinuka), desks.register)
  await ma.decides(further, 'new-slip', { reason: 'The slip is of last year.' }, desks.confirm)
  await expectMail(dinuka).about('hostel.mail.new-slip', further)
  await dinuka.decides(further, 'register', { ...(await aRegistration(dinuka)), amount: 899_999 }, desks.register)
  const unpaid = ma.decides(further, 'confirm', { receipt_no: aReceipt(), key_no: 'K-7' }, desks.confirm)
  await expect(unpaid).rejects.toThrow('hostel.paid-too-little')
  await ma.decides(further, 'new-slip', { reason: 'Less than fee and deposit is paid.' }, desks.confirm)
  await dinuka.decides(further, 'register', await aRegistration(dinuka), desks.register)
  await ma.decides(further, 'confirm', { receipt_no: aReceipt(), key_no: 'K-7' }, desks.confirm)
  await expectCase(further).toBe('resident')
  const overview = await ar.get(`/api/reports/hostel/occupancy?filter.sex=male`)
  const its = overview.rows.find((row: { room: string }) => row.room === room.title)
  expect(its.residents + its.reserved + its.free).toBe(its.capacity)

  const { inventory } = await facts(further)
  const found = inventory.map((one: { count: number }, at: number) => ({ ...one, found: one.count - Number(at === 0) }))
  const { id: vacating } = await ma.task(further, desks.vacate)
  const inOrder = { data: { outcome: 'in-order', keys_back: true, inventory: found } }
  expect(await ma.send('POST', `/api/tasks/${vacating}/complete`, inOrder)).toMatchObject({
    body: { errors: [{ code: 'hostel.things-missing', message: expect.stringContaining(inventory[0].thing) }] },
  })
  const damage = { keys_back: true, inventory: found, charge: 100_000, reason: 'A bed is broken.' }
  await ma.decides(further, 'damaged', damage, desks.vacate)
  await ar.decides(further, 'charged', { charge: 100_000 }, desks.settle)
  await expectCase(further).toBe('vacated')
  await expectEnded(further)
  expect(await facts(further)).toMatchObject({ charge: 100_000, toRefund: 200_000 })
  const [refund] = (await dinuka.get(`/api/cases/${further.id}`)).linked
  const { data: owed, sentBy } = await dinuka.get(`/api/cases/${refund.id}`)
  expect(owed).toMatchObject({ origin: reference, deposit: 300_000, charge: 100_000, amount: 200_000 })
  // The assistant who took the room back, and not who settled the damage.
  expect(sentBy).toMatchObject({ id: ma.id })
  expect(await staysOf(further)).toMatchObject([{ status: 'Vacated' }])

  await imran.decides(far, 'decline', {}, desks.register)
  await expectCase(far).toBe('declined')
  await expectEnded(far)
  expect(await staysOf(far)).toMatchObject([{ status: 'Released' }])
})

/** The timers that the engine has of a case. */
async function timersOf({ id }: Case): Promise<{ id: string; dueDate: string }[]> {
  const [instance] = await engine<{ id: string }[]>('GET', `/process-instance?businessKey=${id}`)
  return engine('GET', `/job?processInstanceId=${instance!.id}&timers=true`)
}

/** A day passes, and the application waits for the next one: its timer is another, and no desk has it. */
async function waitsOneMoreDay(one: Case): Promise<void> {
  await until('it waits for the end of the day', async () => (await timersOf(one)).length === 1)
  const [before] = await timersOf(one)
  await clock.passes('P1D', one)
  await until('it waits again', async () => {
    const [now] = await timersOf(one)
    return now !== undefined && now.id !== before!.id
  })
  const open = `select from app.task where case_id = $1 and state in ('open', 'held')`
  expect(await asOwner(open, [one.id])).toEqual([])
}

/**
 * The intake changes after the desk has decided and before the room is given: the worker waits for the intake, which is
 * changed at that moment. The application stays off the waiting list, nobody is told so, it waits as before, and the desk
 * gets a second try.
 */
async function losesTheRace(one: Case, { id }: Entry): Promise<void> {
  const changing = asOwner(`do $$ begin
    update app.register_item set status = 'Awaiting Approval' where id = '${id}';
    for look in 1..400 loop
      exit when exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)));
      perform pg_sleep(0.05);
    end loop;
  end $$`)
  await assistant.decides(one, 'allocate', {}, desks.allocate)
  await changing
  // It waits until nobody is about to change the intake.
  await until('it waits for the end of the day', async () => (await timersOf(one)).length === 1)
  await expectCase(one).toBe('approved')
  await asOwner(`update app.register_item set status = 'Active' where id = $1`, [id])
  await clock.passes('P1D', one)
  await until('the desk has a second task', async () => {
    const tasks = await asOwner<{ state: string }>(
      `select state from app.task where case_id = $1 and desk = 'userTask_allocate'`,
      [one.id],
    )
    return tasks.length === 2 && tasks.some(({ state }) => state === 'open')
  })
  await expectCase(one).toBe('approved')
  const mails = await asOwner(`select from app.mail where case_id = $1 and template = 'hostel.mail.waiting'`, [one.id])
  expect(mails).toEqual([])
}

test('who is not eligible appeals; an accepted disability counts at any distance', async () => {
  const intake = await anIntake({ ...PERIOD, appealDays: 10 })
  const near = await applies(tharindu, intake, 'Maharagama')
  // Another number of days that nobody has approved yet does not count.
  const of = `${REGISTERS}/intake/items/${intake.id}`
  const more = { data: { ...intake.data, appeal_days: 14 } }
  await ma.send('PUT', of, more, { 'if-match': `"${intake.version}"` })
  await check(near)
  await expectCase(near).toBe('not eligible')
  await expectMail(tharindu).about('hostel.mail.not-eligible', near)
  // The intake says for how many days one may appeal; until then the list is not approved.
  expect((await tharindu.task(near, desks.appeal)).dueAt).toContain(day(10))
  await until('the days run', async () => (await timersOf(near)).some(({ dueDate }) => dueDate.startsWith(day(10))))
  await ar.ok('POST', `${of}/status`, { status: 'Active' })
  const eligible = await applies(dinuka, intake, 'Nallur')
  await check(eligible)
  await expectCase(eligible).toBe('eligible')
  await expect(ar.decides(eligible, 'approve', {}, desks.approve)).rejects.toThrow('hostel.appeal-open')
  await ar.decides(eligible, 'reject', { reason: 'A second application.' }, desks.approve)
  await tharindu.decides(near, 'appeal', { grounds: 'I walk with crutches.' }, desks.appeal)
  const upheld = { verified_income: LOW_INCOME, special_accepted: true, reason: 'The medical officer agrees.' }
  await ar.decides(near, 'uphold', upheld, desks.decideAppeal)
  await expectCase(near).toBe('eligible')
  const act = `/api/cases/${near.id}/acts/appeal`
  expect((await tharindu.send('POST', act, { data: { grounds: 'Once more.' } })).status).toBe(422)
  await ends(intake)
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
