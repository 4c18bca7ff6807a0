import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { throttle } from '../../api/platform/people/identity/throttle.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { FLOW } from './fixtures/two-desks.ts'
import { type GuestWorld, DESKS, ONCE_TOO_OFTEN, PUBLIC_URL, aGuest, guestWorld } from './kit/guests.ts'
import { anItem } from './kit/rows.ts'

let world: GuestWorld
beforeAll(async () => {
  world = await guestWorld()
})
afterAll(() => world?.close())
beforeEach(() => world.database.owner.pool.query('truncate app.throttle'))

const hold = (data: object, headers?: Record<string, string>) =>
  world.write('/api/public/holds', { flow: FLOW, data }, headers)
const confirm = (token: string) =>
  world.own.app.inject({ method: 'POST', url: '/api/public/confirmations', payload: { token } })
const cookieOf = (answer: { cookies: { name: string; value: string }[] }) =>
  `prakriya_guest=${answer.cookies.find(({ name }) => name === 'prakriya_guest')!.value}`
const accountOf = (email: string) =>
  world.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
const caseOf = (reference: string) =>
  world.db.selectFrom('flow_case').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

/** The token in the newest mail to an address. */
async function tokenFor(address: string): Promise<string> {
  const [mail] = await world.mailsTo(address)
  return new RegExp(`${PUBLIC_URL}/confirm-booking\\?token=([A-Za-z0-9_-]{43})\\s`).exec(mail!.body)![1]!
}

/** A member of staff, with an account by default. */
async function anEmployee({ account = true } = {}) {
  const { db, library } = world
  const code = randomUUID().slice(0, 8)
  const person = {
    full_name: `Employee ${code}`,
    nic: `1980${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
    email: `${code}@staff.example.lk`,
  }
  const designation = await anItem(db, 'platform/designation')
  const data = { ...person, employee_id: code, designation, kind: 'academic' }
  const { id: record } = await db
    .transaction()
    .execute((trx) => registers(trx, library).create('platform/employee', data, null))
  const id = randomUUID()
  if (account)
    await db
      .insertInto('account')
      .values({ id, username: code, email: person.email, name: person.full_name, record_id: record })
      .execute()
  return { ...person, id, record, employee_id: code }
}

test('a guest holds at most two slots, by a cookie that no page reads and nobody can forge', async () => {
  const first = world.aRequest()
  const unproved = await world.own.app.inject({
    method: 'POST',
    url: '/api/public/holds',
    payload: { flow: FLOW, data: first },
  })
  expect([unproved.statusCode, unproved.json().code]).toEqual([428, 'platform.proof-wanted'])

  const held = await hold(first)
  expect(held.statusCode).toBe(201)
  expect(held.cookies[0]).toMatchObject({
    name: 'prakriya_guest',
    httpOnly: true,
    sameSite: 'Strict',
    path: '/api/public',
    maxAge: 86_400,
  })
  const cookie = cookieOf(held)
  expect((await hold(first)).json().code).toBe('platform.slot-taken')
  expect((await hold(first, { cookie })).statusCode).toBe(201)
  const elsewhere = () => anItem(world.db, 'platform/department')
  expect((await hold(world.aRequest({ department: await elsewhere() }), { cookie })).statusCode).toBe(201)
  const third = await hold(world.aRequest({ department: await elsewhere() }), { cookie })
  expect([third.statusCode, third.json().code]).toEqual([409, 'platform.too-many-holds'])

  const release = (by: string) =>
    world.own.app.inject({
      method: 'DELETE',
      url: `/api/public/holds/${held.json().id}`,
      headers: { cookie: by },
    })
  const [id, at, mac] = cookie.split('=')[1]!.split('.')
  for (const forged of [
    '',
    `prakriya_guest=${randomUUID()}.${at}.${mac}`,
    `prakriya_guest=${id}.${Number(at!) + 9}.${mac}`,
  ])
    expect((await release(forged)).statusCode).toBe(404)
  expect((await release(cookie)).statusCode).toBe(204)
  expect((await hold(first)).statusCode).toBe(201)
})

test('a guest’s account, case and email are created together, take over the hold, and wait for the mailed link', async () => {
  const data = world.aRequest()
  const cookie = cookieOf(await hold(data))
  const guest = aGuest({ designation: 'Dancer', nic: '991234567v' })
  const booked = await world.book(guest, { data }, { cookie })
  expect(booked.statusCode).toBe(201)
  expect(booked.json()).toEqual({
    reference: expect.stringMatching(/^TD-\d{4}-\d{6}$/),
    reservationId: null,
    trackingSecret: expect.stringMatching(/^[\w-]{32}$/),
    expiresAt: expect.any(String),
    emailedTo: `k•••@example.lk`,
  })
  const { reference, trackingSecret, expiresAt } = booked.json()
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)

  const account = (await accountOf(guest.email))!
  expect([account.password_hash, account.email_confirmed_at]).toEqual([null, null])
  const entry = await world.db
    .selectFrom('register_item')
    .select(['register', 'data'])
    .where('id', '=', account.record_id!)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    register: 'platform/temporary-employee',
    data: { nic: '991234567V', designation: 'Dancer', contact_no: '0771231231' },
  })
  const begun = await caseOf(reference)
  expect(begun.requester_id).toBe(account.id)
  const slots = await world.db.selectFrom('allocation').select('state').where('case_id', '=', begun.id).execute()
  expect(slots).toEqual([{ state: 'claimed' }])

  const [mail] = await world.mailsTo(guest.email)
  expect(mail!.body).toContain(`${PUBLIC_URL}/track#${reference}/${trackingSecret}`)
  const token = await tokenFor(guest.email)
  expect((await confirm(token)).json()).toEqual({ reference, repeated: false, waitsWith: [] })
  expect((await confirm(token)).json()).toEqual({ reference, repeated: true, waitsWith: [] })
  const told = await world.db
    .selectFrom('command')
    .select('payload')
    .where('case_id', '=', begun.id)
    .where('kind', '=', 'correlate')
    .execute()
  expect(told).toEqual([{ payload: { message: 'message_bookerConfirmed', variables: { bookerConfirmed: true } } }])
  expect((await accountOf(guest.email))!.email_confirmed_at).not.toBeNull()
  const { rows: jobs } = await world.database.pool.query(
    `select payload from graphile_worker._private_jobs where payload::jsonb -> 'accounts' ? $1`,
    [account.id],
  )
  expect(jobs).toHaveLength(1)
})

test('checks that only apply to known people run when the link is used: a refused case stays unconfirmed', async () => {
  const guest = aGuest()
  const booked = await world.book(guest, { data: world.aRequest({ purpose: ONCE_TOO_OFTEN }) })
  expect(booked.statusCode).toBe(201)
  const token = await tokenFor(guest.email)
  for (const attempt of [await confirm(token), await confirm(token)])
    expect([attempt.statusCode, attempt.json().errors]).toEqual([
      422,
      [{ field: '/purpose', code: 'platform.cannot-change', message: expect.any(String) }],
    ])
  expect((await accountOf(guest.email))!.email_confirmed_at).toBeNull()
})

test('a case sent while signed in, before the address was confirmed, continues with it; cases that guests sent in that name do not', async () => {
  const { own, db } = world
  const guest = aGuest()
  const booked = await world.book(guest)
  const { id: requester } = (await accountOf(guest.email))!
  /** A case of theirs, as the feed shows it: at its desks by default. */
  const waiting = async (reference: string, element = DESKS) => {
    const { id, process_definition_id } = await caseOf(reference)
    await db.updateTable('flow_case').set({ state: 'running' }).where('id', '=', id).execute()
    const row = { id: randomUUID(), case_id: id, process_definition_id, element, type: 'subProcess' }
    await db
      .insertInto('activity')
      .values({ ...row, started_at: new Date() })
      .execute()
    return id
  }
  const told = async (id: string) =>
    (await db.selectFrom('command').select('kind').where('case_id', '=', id).execute()).filter(
      ({ kind }) => kind === 'correlate',
    ).length
  const sent = async () => {
    const caller = await own.person(`signed-in-${randomUUID()}`)
    const begun = await caller.send('POST', '/api/cases', { flow: FLOW, data: world.aRequest() })
    await db.updateTable('flow_case').set({ requester_id: requester }).where('id', '=', begun.json().id).execute()
    return begun.json().reference as string
  }
  const signedIn = await waiting(await sent())
  const gone = await waiting(await sent(), 'event_elsewhere')
  const mine = await waiting(booked.json().reference)
  const another = await waiting((await world.book(guest)).json().reference)
  const letters = await world.mailsTo(guest.email)
  const token = /token=([\w-]{43})/.exec(letters.at(-1)!.body)![1]!
  expect((await confirm(token)).json()).toMatchObject({ reference: booked.json().reference, repeated: false })
  expect(await Promise.all([mine, signedIn, another, gone].map(told))).toEqual([1, 1, 0, 0])

  // A link that only confirms the address does the same.
  const person = await own.person(`later-${randomUUID()}`)
  const begun = (await person.send('POST', '/api/cases', { flow: FLOW, data: world.aRequest() })).json()
  const id = await waiting(begun.reference)
  await db.updateTable('account').set({ email_confirmed_at: null }).where('id', '=', person.id).execute()
  await person.send('POST', '/api/me/confirm-email')
  const { email } = (await db
    .selectFrom('account')
    .select('email')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()) as { email: string }
  const [letter] = await world.mailsTo(email)
  const secret = /token=([\w-]+)/.exec(letter!.body)![1]!
  expect((await own.send('POST', '/api/auth/confirm-email', { token: secret })).statusCode).toBe(204)
  expect(await told(id)).toBe(1)
})

test('an expired or invalid link says so', async () => {
  const guest = aGuest()
  const { reference } = (await world.book(guest)).json()
  const token = await tokenFor(guest.email)
  await world.db
    .updateTable('case_tracking')
    .set({ confirm_until: new Date(Date.now() - 1000) })
    .where('case_id', '=', (await caseOf(reference)).id)
    .execute()
  const late = await confirm(token)
  expect([late.statusCode, late.json().code]).toEqual([410, 'platform.confirmation-too-late'])
  const unknown = await confirm('x'.repeat(43))
  expect([unknown.statusCode, unknown.json().code]).toEqual([410, 'platform.confirmation-unknown'])
})

test('a failed booking leaves nothing, and its refusal keeps its own words', async () => {
  const known = aGuest()
  const data = world.aRequest()
  await world.book(known, { data })
  const fails = async (account: { email: string; nic: string }, more: object = {}) => {
    const refused = await world.book(account, more)
    const { code, title, errors = [] } = refused.json()
    if (account.email !== known.email) expect(await accountOf(account.email)).toBeUndefined()
    expect(
      await world.db.selectFrom('register_item').select('id').where('data', '@>', { nic: account.nic }).execute(),
    ).toHaveLength(account.nic === known.nic ? 1 : 0)
    return [refused.statusCode, code, errors[0]?.field ?? title, errors[0]?.message]
  }
  const taken = 'This Email is Already Taken!'
  expect(await fails(aGuest({ email: known.email }))).toEqual([409, 'platform.email-taken', '/account/email', taken])
  expect((await fails(aGuest(), { data })).slice(0, 2)).toEqual([409, 'platform.slot-taken'])
  expect(await fails(aGuest({ nic: '12' }))).toEqual([
    422,
    'platform.form-invalid',
    '/account/nic',
    'Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)',
  ])
  expect((await fails(aGuest(), { data: { ...world.aRequest(), purpose: '' } })).slice(0, 3)).toEqual([
    422,
    'platform.form-invalid',
    '/purpose',
  ])
  expect((await fails(aGuest(), { understood: false })).slice(0, 2)).toEqual([400, 'platform.request-invalid'])
  expect((await fails(aGuest(), { flow: 'no/flow' }))[0]).toBe(404)
})

test('a check says why a booking would be refused, creates nothing, and does not reveal who the university knows', async () => {
  const data = world.aRequest()
  const check = (account: object, more: object = {}) =>
    world.write('/api/public/bookings/check', { flow: FLOW, data, account, ...more })
  const said = async (...of: Parameters<typeof check>) => {
    const answer = await check(...of)
    return [answer.statusCode, answer.statusCode === 204 ? null : answer.json().code]
  }
  const rows = async () => {
    const count = (
      table: 'account' | 'flow_case' | 'mail' | 'allocation' | 'command' | 'register_item' | 'audit_entry',
    ) =>
      world.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('all'))
        .executeTakeFirstOrThrow()
    return Promise.all(
      (['account', 'flow_case', 'mail', 'allocation', 'command', 'register_item', 'audit_entry'] as const).map(count),
    )
  }
  const employee = await anEmployee()
  const stranger = aGuest()
  const before = await rows()
  const unproved = {
    method: 'POST',
    url: '/api/public/bookings/check',
    payload: { flow: FLOW, data, account: stranger },
  } as const
  expect((await world.own.app.inject(unproved)).statusCode).toBe(428)
  // Known by NIC, by address, by both, or not at all: no difference.
  for (const guest of [
    stranger,
    { nic: employee.nic },
    { email: employee.email },
    { nic: employee.nic, email: employee.email },
  ])
    expect(await said({ ...stranger, ...guest })).toEqual([204, null])
  expect(await said(stranger, { data: { ...data, purpose: '' } })).toEqual([422, 'platform.form-invalid'])
  expect(await said({ ...stranger, nic: '12' })).toEqual([422, 'platform.form-invalid'])
  expect(await said(stranger, { flow: 'no/flow' })).toEqual([404, 'platform.not-found'])
  expect(await rows()).toEqual(before)
  const booked = await world.book(aGuest(), { data })
  expect(booked.statusCode).toBe(201)
  expect(await said(stranger)).toEqual([409, 'platform.slot-taken'])
})

test('the same key returns the same case once, with the same secret', async () => {
  const guest = aGuest()
  const data = world.aRequest()
  const key = { 'idempotency-key': randomUUID() }
  const first = await world.book(guest, { data }, key)
  const again = await world.book(guest, { data }, key)
  expect([first.statusCode, again.json()]).toEqual([201, first.json()])
  expect(await world.mailsTo(guest.email)).toHaveLength(1)
  const other = await world.book({ ...guest, full_name: 'Somebody Else' }, { data }, key)
  expect([other.statusCode, other.json().code]).toEqual([422, 'platform.idempotency-key-reused'])
})

test('no answer reveals whether the university knows a guest; the email goes to the address on record', async () => {
  const employee = await anEmployee()
  const withoutAccount = await anEmployee({ account: false })
  const answers = []
  for (const guest of [aGuest(), aGuest({ nic: employee.nic }), aGuest({ employee_id: withoutAccount.employee_id })]) {
    const began = performance.now()
    const answer = await world.book(guest)
    expect(performance.now() - began).toBeGreaterThan(1000)
    const { reference, trackingSecret, expiresAt, emailedTo, ...more } = answer.json()
    expect([reference.length, trackingSecret.length, expiresAt.length, emailedTo]).toEqual([
      14,
      32,
      24,
      `${guest.email[0]}•••@example.lk`,
    ])
    answers.push({ status: answer.statusCode, headers: Object.keys(answer.headers), more, reference, guest })
  }
  const [unknown, known, second] = answers as [
    (typeof answers)[number],
    (typeof answers)[number],
    (typeof answers)[number],
  ]
  for (const one of [known, second])
    expect([one.status, one.headers, one.more]).toEqual([unknown.status, unknown.headers, unknown.more])

  expect((await caseOf(known.reference)).requester_id).toBe(employee.id)
  const made = (await accountOf(withoutAccount.email))!
  expect([made.record_id, (await caseOf(second.reference)).requester_id]).toEqual([withoutAccount.record, made.id])
  const mails = async (...to: string[]) => Promise.all(to.map(async (one) => (await world.mailsTo(one)).length))
  expect(await mails(unknown.guest.email, employee.email, known.guest.email)).toEqual([1, 1, 0])
  expect((await world.mailsTo(employee.email))[0]!.template).toBe('platform.mail.confirm-case')
  // No account or register entry is created beside theirs.
  expect(await accountOf(known.guest.email)).toBeUndefined()
})

test('a known address is refused with every NIC but its own; after some guesses also with that', async () => {
  const employee = await anEmployee()
  const stranger = await anEmployee()
  const refusal = async (nic: string) => {
    const answer = await world.book(aGuest({ nic, email: employee.email }))
    return [answer.statusCode, answer.json().code]
  }
  const taken = [409, 'platform.email-taken']
  expect(await refusal(aGuest().nic)).toEqual(taken)
  expect(await refusal(stranger.nic)).toEqual(taken)
  expect((await refusal(employee.nic))[0]).toBe(201)
  for (let n = 0; n < 3; n += 1) await refusal(aGuest().nic)
  expect(await refusal(employee.nic)).toEqual(taken)
})

test('bookings under one NIC are limited, since each mails somebody', async () => {
  const [employee, { nic }] = [await anEmployee(), aGuest()]
  for (const one of [employee.nic, nic]) {
    for (let n = 0; n < 4; n += 1) await throttle(world.db).note([{ kind: 'guest', of: one }])
    const booked = [await world.book(aGuest({ nic: one })), await world.book(aGuest({ nic: one }))]
    expect(booked.map(({ statusCode }) => statusCode)).toEqual([201, 429])
  }
})

test('claiming another identity does not give access to that person’s link', async () => {
  const nic = aGuest().nic
  const squatter = aGuest({ nic })
  await world.book(squatter)
  const owner = aGuest({ nic })
  const { reference } = (await world.book(owner)).json()
  expect((await caseOf(reference)).requester_id).toBe((await accountOf(owner.email))!.id)
  // Their own address and NIC together are recognised again.
  const again = await world.book({ ...owner, full_name: 'Kumari P' })
  expect((await caseOf(again.json().reference)).requester_id).toBe((await accountOf(owner.email))!.id)
})

test('an account with the guest’s unconfirmed address opens nothing to its creator', async () => {
  const guest = aGuest()
  await world.book(guest)
  const account = (await accountOf(guest.email))!
  await world.db.updateTable('account').set({ password_hash: 'theirs' }).where('id', '=', account.id).execute()
  const session = { id: randomUUID(), account_id: account.id, expires_at: new Date(Date.now() + 86_400_000) }
  await world.db.insertInto('session').values(session).execute()
  await confirm(await tokenFor(guest.email))
  expect((await accountOf(guest.email))!.password_hash).toBeNull()
  const { ended_at } = await world.db
    .selectFrom('session')
    .select('ended_at')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow()
  expect(ended_at).not.toBeNull()
})
