import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import { commitmentOf } from '../../api/platform/kernel/audit/format.ts'
import { up as sealNames } from '../../api/platform/kernel/db/migrations/0021-sealed-names.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { accountOf } from '../../api/platform/people/identity/temporary-accounts.ts'
import { resolveExternalAccount } from '../../api/platform/features/accounts/external-accounts.ts'
import { cleanName, formats } from '../../api/platform/kernel/formats.ts'
import { FLOW } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'
import { type GuestWorld, aGuest, guestWorld } from './kit/guests.ts'
import { anAccount, anItem, aProgramme } from './kit/rows.ts'

let world: GuestWorld
let [kamal, selvi, admin, hr]: Caller[] = []
/** The employee entry of selvi. */
let entry: string
beforeAll(async () => {
  world = await guestWorld()
  const { own, db } = world
  entry = await anItem(db, 'platform/employee', { data: { full_name: 'Selvi Perera', employee_id: 'E9' } })
  kamal = await own.person('kamal', { role: 'Lecturer' })
  selvi = await own.person('selvi', { role: 'Lecturer' })
  admin = await own.person('admin', { role: 'ADMIN' })
  hr = await own.person('other-admin', { role: 'ADMIN' })
  await db.updateTable('account').set({ record_id: entry }).where('id', '=', selvi.id).execute()
})
afterAll(() => world?.close())
beforeEach(() => world.database.owner.pool.query('truncate app.throttle'))

const me = async (who: Caller) => (await who.send('GET', '/api/me')).json()
const told = async (answer: Promise<{ statusCode: number; json(): any }>) => {
  const { statusCode, json } = await answer
  return statusCode < 300 ? [statusCode] : [statusCode, json().code, ...json().errors.map((one: any) => one.field)]
}
const asks = (who: Caller, name: string) => who.send('POST', '/api/me/name-changes', { name })
const decides = (who: Caller, change: string, accept: boolean, about = kamal!) =>
  who.send('POST', `/api/people/${about.id}/name-changes/${change}`, { accept, reason: 'Seen on paper' })
const mailsTo = async ({ id }: Caller) =>
  (await world.db.selectFrom('mail').select('template').where('recipient_id', '=', id).execute()).map(
    ({ template }) => template,
  )
/** The details in the audit trail about an account. */
const toldOf = async (id: string) => {
  const { rows } = await world.database.pool.query(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id where e.object = $1`,
    [`account:${id}`],
  )
  return rows.map(({ payload }) => payload)
}
const actsOn = async ({ id }: Caller) =>
  (
    await world.db
      .selectFrom('audit_entry')
      .select(['actor', 'action'])
      .where('object', '=', `account:${id}`)
      .where('action', 'like', 'account.name-%')
      .orderBy('id')
      .execute()
  ).map(({ actor, action }) => [actor, action])

test('nobody changes their name alone: neither in the profile nor as an administrator', async () => {
  expect((await kamal!.send('PATCH', '/api/me', { name: 'Registrar' })).statusCode).toBe(400)
  const { version, email } = (await admin!.send('GET', `/api/people/${admin!.id}`)).json()
  const renamed = { name: 'Registrar', email, post: null, active: true, reason: 'for a test' }
  const put = admin!.send('PUT', `/api/people/${admin!.id}`, renamed, { 'if-match': `"${version}"` })
  expect(await told(put)).toEqual([403, 'platform.own-name'])
  expect([(await me(kamal!)).name, (await me(admin!)).name]).toEqual(['kamal', 'admin'])
})

test('a person without a register entry requests a name, and gets it once somebody else has confirmed it', async () => {
  const asked = await asks(kamal!, 'Kamal Fernando')
  expect([asked.statusCode, asked.json().name]).toEqual([201, 'Kamal Fernando'])
  const { id } = asked.json()
  expect(await told(asks(kamal!, 'Registrar'))).toEqual([409, 'platform.name-waits'])
  expect(await me(kamal!)).toMatchObject({
    name: 'kamal',
    registered: false,
    nameChange: { id, name: 'Kamal Fernando' },
  })
  expect(await mailsTo(admin!)).toContain('platform.mail.name-asked')

  expect(await told(decides(selvi!, id, true))).toEqual([403, 'platform.not-allowed'])
  expect(await told(decides(kamal!, id, true))).toEqual([403, 'platform.not-allowed'])
  expect((await admin!.send('GET', `/api/people/${kamal!.id}`)).json().nameChange).toMatchObject({ id })
  expect(await told(decides(admin!, id, true))).toEqual([204])
  expect(await told(decides(hr!, id, false))).toEqual([409, 'platform.name-decided'])
  // It is their name now; still they have no register entry.
  expect(await me(kamal!)).toMatchObject({ name: 'Kamal Fernando', registered: false, nameChange: null })
  expect(await mailsTo(kamal!)).toContain('platform.mail.name-confirmed')

  const refused = (await asks(kamal!, 'Vice Chancellor')).json().id
  expect(await told(decides(admin!, refused, false))).toEqual([204])
  const taken = (await asks(kamal!, 'Dean')).json().id
  expect(await told(selvi!.send('DELETE', `/api/me/name-changes/${taken}`))).toEqual([404, 'platform.not-found'])
  expect(await told(kamal!.send('DELETE', `/api/me/name-changes/${taken}`))).toEqual([204])
  expect((await me(kamal!)).name).toBe('Kamal Fernando')
  expect(await mailsTo(kamal!)).toContain('platform.mail.name-refused')
  expect(await actsOn(kamal!)).toEqual([
    [kamal!.id, 'account.name-asked'],
    [admin!.id, 'account.name-confirmed'],
    [kamal!.id, 'account.name-asked'],
    [admin!.id, 'account.name-refused'],
    [kamal!.id, 'account.name-asked'],
    [kamal!.id, 'account.name-withdrawn'],
  ])
})

test('an administrator does not confirm their own request either, and the database enforces it', async () => {
  const { id } = (await asks(admin!, 'Registrar')).json()
  expect(await told(decides(admin!, id, true, admin!))).toEqual([403, 'platform.own-name'])
  const confirms = world.db
    .updateTable('name_change')
    .set({ state: 'confirmed', decided_by: admin!.id, decided_at: new Date() })
    .where('id', '=', id)
  await expect(confirms.execute()).rejects.toThrow('name_change_needs_another')
  expect(await told(decides(hr!, id, false, admin!))).toEqual([204])
})

test('a person in a register has the name in it, from the moment it changes', async () => {
  expect(await me(selvi!)).toMatchObject({ name: 'Selvi Perera', registered: true })
  expect(await told(asks(selvi!, 'Registrar'))).toEqual([422, 'platform.name-of-register', '/name'])
  const { version, email } = (await admin!.send('GET', `/api/people/${selvi!.id}`)).json()
  const renamed = { name: 'Registrar', email, post: null, active: true, reason: 'for a test' }
  const put = admin!.send('PUT', `/api/people/${selvi!.id}`, renamed, { 'if-match': `"${version}"` })
  expect(await told(put)).toEqual([422, 'platform.form-invalid', '/name'])
  const forged = world.db.updateTable('account').set({ name: 'Registrar' }).where('id', '=', selvi!.id)
  await expect(forged.execute()).rejects.toThrow('the name is that of the register')

  const data = { full_name: 'Selvi Fernando' }
  const designation = await anItem(world.db, 'platform/designation', { data: { designation: 'Lecturer' } })
  const whole = { nic: '198512345671', email: 'selvi@example.lk', designation, kind: 'academic' }
  await world.db.transaction().execute(async (trx) => {
    const own = registers(trx, world.library)
    await own.change({ id: entry, register: 'platform/employee', version: 1 }, { ...whole, ...data }, admin!.id)
  })
  expect((await me(selvi!)).name).toBe('Selvi Fernando')
  const { rows } = await world.database.pool.query(
    `select e.actor, p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = 'account.changed' and e.object = $1`,
    [`account:${selvi!.id}`],
  )
  expect(rows).toEqual([
    {
      actor: admin!.id,
      payload: { by: 'the register', before: { name: 'Selvi Perera' }, now: { name: 'Selvi Fernando' } },
    },
  ])
})

test('an entry created with the account vouches for no name until a keeper of the register has changed it', async () => {
  const applicant = {
    ...{ email: 'registrar@example.org', first_name: 'Registrar', full_name: 'Registrar', nic: '198812345678' },
    mobile_no: '0771231232',
  }
  const { id } = (await world.write('/api/auth/accounts', applicant)).json()
  const account = () =>
    world.db
      .selectFrom('account')
      .select(['name', 'registered', 'record_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const { record_id, ...before } = await account()
  expect(before).toEqual({ name: 'Registrar', registered: false })
  expect((await admin!.send('GET', `/api/people/${id}`)).json()).toMatchObject({ name: 'Registrar', registered: false })
  await world.db.transaction().execute(async (trx) => {
    const item = { id: record_id!, register: 'platform/temporary-employee', version: 1 }
    await registers(trx, world.library).change(item, { full_name: 'Ravi Registrar' }, admin!.id)
  })
  expect(await account()).toMatchObject({ name: 'Ravi Registrar', registered: true })
  expect(await toldOf(id)).toContainEqual({
    by: 'the register',
    before: { registered: false },
    now: { registered: true },
  })
})

test('old names with invisible characters stay, and do not prevent other changes', async () => {
  const stored = { name: `Mu${RLO}sic`, code: 'FS' }
  const id = await anItem(world.db, 'platform/faculty', { data: stored })
  const change = (version: number, patch: object) =>
    world.db
      .transaction()
      .execute((trx) =>
        registers(trx, world.library).change({ id, register: 'platform/faculty', version }, patch as never, admin!.id),
      )
  const { version, data } = await change(1, { code: 'FM' })
  expect(data).toMatchObject({ name: stored.name, code: 'FM' })
  await expect(change(version, { name: `Art${RLO}s` })).rejects.toMatchObject({
    fields: [{ field: '/name', code: 'platform.check-name' }],
  })
})

test('wherever a name carries weight, it says whether a register vouches for it', async () => {
  for (const [who, registered] of [
    [selvi!, true],
    [kamal!, false],
  ] as const) {
    const { id } = (await who.send('POST', '/api/cases', { flow: FLOW, data: world.aRequest() })).json()
    const requester = { id: who.id, registered }
    expect((await admin!.send('GET', `/api/cases/${id}`)).json()).toMatchObject({ requester })
    expect((await admin!.send('GET', `/api/people/${who.id}`)).json()).toMatchObject(requester)
  }
})

const RLO = '\u202e'
const hidden = [
  'Regis\ttrar',
  `${RLO}rartsigeR`,
  'Regis\u200btrar',
  'Regis\u00adtrar',
  '\u2066Registrar',
  '\u061cRegistrar',
  '\ufeffRegistrar',
  'Regi\u0085strar',
  '\u200dRegistrar',
  'Registrar\u200c',
  'Regis\u200d\u200dtrar',
  'Regis\u{e0041}trar',
]
// Sri is written with a joiner in Sinhala; Tamil and Persian have words with the non-joiner.
const plain = ['ශ්‍රීමාලි', 'க்‌ஷ', 'Nuwan Jayawardena', "O'Brien, T. (Prof.)", '👩‍🎓']

test('names accept visible characters, and the joiners that Sinhala and Tamil need', async () => {
  expect(hidden.filter((name) => formats['name']!.test(name))).toEqual([])
  expect(plain.filter((name) => !formats['name']!.test(name) || cleanName(name) !== name)).toEqual([])
  // Once cleaned, each of them is a valid name, even if one removal reveals another.
  const awkward = [...hidden, `${RLO} \u200dA`, ' \u200dA', 'A\u200d \u200c']
  expect(awkward.filter((name) => !formats['name']!.test(cleanName(name)))).toEqual([])
  const cleaned = 'select n from unnest($1::text[]) n where not app.is_name(app.as_name(n))'
  expect((await world.database.pool.query(cleaned, [awkward])).rows).toEqual([])
  // The database has the same rule.
  const { rows } = await world.database.pool.query(
    'select array(select n from unnest($1::text[]) n where app.is_name(n)) as wrong, array(select n from unnest($2::text[]) n where not app.is_name(n)) as refused',
    [hidden, plain],
  )
  expect(rows).toEqual([{ wrong: [], refused: [] }])
  const forged = world.db
    .updateTable('account')
    .set({ name: `a${RLO}b` })
    .where('id', '=', kamal!.id)
  await expect(forged.execute()).rejects.toThrow('account_name_is_plain')
})

test('invisible characters are refused in names everywhere, with field and reason', async () => {
  const wrong = `Regis${RLO}trar`
  const said = async (answer: Promise<{ statusCode: number; json(): any }>) => {
    const { statusCode, json } = await answer
    return [statusCode, ...json().errors.map((one: any) => [one.field, one.code])]
  }
  const refused = (status: number, field: string) => [status, [field, 'platform.check-name']]
  expect(await said(asks(kamal!, wrong))).toEqual(refused(400, '/name'))
  const person = { name: wrong, email: 'x@example.lk', reason: 'for a test' }
  expect(await said(admin!.send('POST', '/api/people', person))).toEqual(refused(400, '/name'))
  const view = { name: wrong, query: {} }
  expect((await said(kamal!.send('POST', '/api/inbox/views', view)))[1]).toEqual(['/name', 'platform.check-name'])
  const applicant = {
    email: 'b@example.org',
    first_name: 'A',
    full_name: wrong,
    nic: '198812345679',
    mobile_no: '0771231232',
  }
  expect(await said(world.write('/api/auth/accounts', applicant))).toEqual(refused(422, '/full_name'))
  const office = await world.own.person('office', { role: 'HOD', scope: { kind: 'department', id: world.department } })
  expect(await said(office.send('POST', '/api/bookers', aGuest({ full_name: wrong })))).toEqual(
    refused(422, '/full_name'),
  )
  const faculty = { name: wrong, code: 'FX' }
  const made = admin!.send('POST', '/api/registers/platform/faculty/items', { data: faculty })
  expect((await said(made)).slice(1)).toContainEqual(['/name', 'platform.check-name'])
  const scenario = admin!.send('POST', '/api/studio/models/year-end/scenarios', { name: wrong, steps: [], expect: {} })
  expect(await said(scenario)).toEqual(refused(400, '/name'))
})

test('a name from an identity server is stored without invisible characters', async () => {
  const sent = {
    ...{ subject: 'sub-names', username: 'ravi', name: `Ravi${RLO} Perera\u0007`, email: 'ravi@example.org' },
    ...{ emailVerified: true, roles: [], issuedAt: new Date() },
  }
  const { db, library } = world
  const id = await resolveExternalAccount({ db, library, offers: undefined as never }, sent)
  const account = await db.selectFrom('account').select(['name', 'registered']).where('id', '=', id).executeTakeFirst()
  expect(account).toEqual({ name: 'Ravi Perera', registered: false })
  // The sealed value equals the stored one.
  expect(await toldOf(id)).toContainEqual({ username: 'ravi', name: 'Ravi Perera', subject: 'sub-names' })
})

test('an account of an entry with invisible characters has the name without them, and that name is sealed', async () => {
  const nic = '197912345678'
  const described = { salutation: 'Mr', full_name: 'Sunil', email: 'sunil@example.org', contact_no: '0771231234', nic }
  const { db, library } = world
  await anItem(db, 'platform/employee', {
    data: { ...described, full_name: ` Sunil${RLO} de Silva`, employee_id: 'E77' },
  })
  const { id } = await db.transaction().execute((trx) => accountOf(trx, library, described, { language: 'en' }))
  const account = await db.selectFrom('account').select(['name', 'registered']).where('id', '=', id).executeTakeFirst()
  expect(account).toEqual({ name: 'Sunil de Silva', registered: true })
  expect(await toldOf(id)).toContainEqual(expect.objectContaining({ name: 'Sunil de Silva' }))
})

test('an account taken over by a student has the name in the register, and that name is sealed', async () => {
  const { db, database, write } = world
  const email = 'chandi@example.org'
  const applicant = { first_name: 'Dean', full_name: 'Dean', nic: '198812345691', mobile_no: '0771231232', email }
  const { id } = (await write('/api/auth/accounts', applicant)).json()
  await database.owner.pool.query('update app.account set record_id = null where id = $1', [id])
  const student = await anItem(db, 'platform/student', {
    status: 'active',
    data: { reg_no: 'N/1', full_name: 'Chandi Silva', email, faculty: randomUUID(), programme: await aProgramme(db) },
  })
  expect((await admin!.send('POST', '/api/students/password-links', { items: [student] })).json().sent).toBe(1)
  const account = await db.selectFrom('account').select(['name', 'record_id']).where('id', '=', id).executeTakeFirst()
  expect(account).toEqual({ name: 'Chandi Silva', record_id: student })
  expect(await toldOf(id)).toContainEqual({ record: student, now: { name: 'Chandi Silva' } })
})

test('an upgrade seals the names that its rules have changed, once, and none that no rule explains', async () => {
  const { db, database } = world
  const seal = (row: { actor: string; action: string; object?: string; caseId?: string; payload: object }) =>
    db.transaction().execute((trx) => audit(trx).record(row))
  const made = async (name: string, sealed: string) => {
    const id = await anAccount(db, { name })
    await seal({ actor: id, action: 'account.made', object: `account:${id}`, payload: { name: sealed } })
    return id
  }
  const cleaned = await made('Fay Clean', `Fay${RLO} Clean`)
  const bound = await made('Gita', 'Registrar')
  const record = await anItem(db, 'platform/employee', { data: { full_name: 'Gita Bound' } })
  await db.updateTable('account').set({ record_id: record }).where('id', '=', bound).execute()
  // A submission is sealed with its person's name, too.
  const sender = await anAccount(db, { name: 'Hema Sent' })
  const payload = { submitter: 'Hema\u200b Sent' }
  await seal({ actor: sender, action: 'case.submitted', caseId: randomUUID(), payload })
  const forged = await made('Indra Forged', 'Indra')

  const objects = [cleaned, bound, sender, forged].map((id) => `account:${id}`)
  const sealedByUpgrade = async () => {
    await database.owner.db.transaction().execute((trx) => sealNames(trx as unknown as Kysely<unknown>))
    const { rows } = await database.pool.query<{ commitment: Buffer; salt: Buffer; payload: { now: object } }>(
      `select e.commitment, p.salt, p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.object = any($1::text[]) and e.action = 'account.changed' order by p.payload #>> '{now,name}'`,
      [objects],
    )
    for (const { commitment, salt, payload: stored } of rows)
      expect(commitmentOf(salt, stored).toString('hex')).toBe(commitment.toString('hex'))
    return rows.map((row) => row.payload.now)
  }
  const names = ['Fay Clean', 'Gita Bound', 'Hema Sent'].map((name) => ({ name }))
  expect(await sealedByUpgrade()).toEqual(names)
  expect(await sealedByUpgrade()).toEqual(names)
})
