import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { addGrants } from '../../api/platform/people/access/grant-rows.ts'
import { addHolder } from '../../api/platform/people/access/holder-rows.ts'
import { readUnits } from '../../api/platform/people/access/units.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { mayOpen } from '../../forms/platform/may-open.ts'
import { type Caller, type TestApp, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anItem } from './kit/rows.ts'

let database: TestDatabase
let own: TestApp
let [music, painting, studio, headOfMusic]: string[] = []
let [admin, sa, head, lecturer]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  music = await anItem(db, 'platform/department')
  painting = await anItem(db, 'platform/department')
  studio = await anItem(db, 'platform/unit', { data: { department: music } })
  headOfMusic = await anItem(db, 'platform/post', {
    data: { role: 'HOD', head: true, department: music, code: 'HOD-M' },
  })
  admin = await own.person('admin', { role: 'ADMIN' })
  await own.person('second-admin', { role: 'ADMIN' })
  sa = await own.person('sa', { role: 'SA' })
  head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: music } })
  lecturer = await own.person('lecturer', { role: 'Lecturer', scope: { kind: 'department', id: music } })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const reason = 'for a test'
const inMusic = () => ({ kind: 'department', id: music! })
const codeOf = async (answer: Promise<{ statusCode: number; json(): any }>) => {
  const { statusCode, json } = await answer
  return [statusCode, statusCode < 300 ? null : json().code]
}
const fieldsOf = async (answer: Promise<{ json(): any }>) =>
  (await answer).json().errors.map(({ field, code }: { field: string; code: string }) => [field, code])
const someone = (...grants: Parameters<TestApp['person']>[1][]) =>
  own.person(`p-${randomUUID().slice(0, 8)}`, ...grants)
const give = (by: Caller, to: Caller, body: object) =>
  by.send('POST', `/api/people/${to.id}/grants`, { reason, ...body })

describe('people administration is closed', () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const doors: [method: 'GET' | 'POST' | 'PUT', url: string, body: object | undefined][] = [
    ['GET', '/api/people', undefined],
    ['GET', `/api/people/${id}`, undefined],
    ['POST', '/api/people', { name: 'X', email: 'x@example.lk', reason }],
    ['PUT', `/api/people/${id}`, { name: 'X', email: 'x@example.lk', post: null, active: true, reason }],
    ['POST', `/api/people/${id}/sign-out`, { reason }],
    ['POST', `/api/people/${id}/second-factor/end`, { reason }],
    ['POST', `/api/people/${id}/password-link`, undefined],
    ['POST', `/api/people/${id}/grants`, { role: 'HOD', scope: null, reason }],
    ['POST', `/api/people/${id}/effect`, {}],
    ['POST', '/api/people/imports', { csv: '', commit: false }],
    ['GET', '/api/roles', undefined],
    ['POST', `/api/grants/${id}/end`, { reason }],
    ['GET', '/api/posts', undefined],
    ['GET', `/api/posts/${id}`, undefined],
    ['POST', `/api/posts/${id}/holders`, { accountId: id, reason }],
    ['POST', `/api/posts/${id}/effect`, { accountId: id }],
    ['POST', `/api/post-holders/${id}/end`, { reason }],
  ]
  const groups: typeof doors = [
    ['GET', '/api/groups', undefined],
    ['PUT', '/api/groups/dataSetup', { roles: [], reason }],
    ['POST', '/api/groups/dataSetup/effect', { roles: [] }],
  ]

  test.each([...doors, ...groups])('%s %s to visitors and to people without its group', async (method, url, body) => {
    expect((await own.send(method, url, body)).statusCode).toBe(401)
    expect(await codeOf(lecturer!.send(method, url, body))).toEqual([403, 'platform.not-allowed'])
  })

  test.each(groups)('%s %s to heads as well', async (method, url, body) => {
    expect(await codeOf(head!.send(method, url, body))).toEqual([403, 'platform.not-allowed'])
  })

  test.each(doors.filter(([, url]) => url.includes(id)))(
    '%s %s is not there for an unknown id',
    async (method, url, body) => {
      const answer = await admin!.send(method, url, body, method === 'PUT' ? { 'if-match': '"1"' } : {})
      expect(answer.statusCode).toBe(404)
    },
  )
})

describe('granting', () => {
  test('is refused to oneself, also to administrators', async () => {
    expect(await codeOf(give(admin!, admin!, { role: 'Registrar', scope: null }))).toEqual([403, 'platform.own-grant'])
    expect(await codeOf(give(head!, head!, { role: 'HOD', scope: { kind: 'unit', id: studio } }))).toEqual([
      403,
      'platform.own-grant',
    ])
  })

  test('is refused beyond one’s own roles and units', async () => {
    const to = await someone()
    for (const body of [
      { role: 'Registrar', scope: null },
      { role: 'HOD', scope: null },
      { role: 'HOD', scope: { kind: 'department', id: painting } },
      { role: 'ADMIN', scope: null },
    ])
      expect(await codeOf(give(head!, to, body))).toEqual([403, 'platform.grant-not-allowed'])
    expect(await codeOf(give(sa!, to, { role: 'ADMIN', scope: null }))).toEqual([403, 'platform.grant-not-allowed'])
  })

  test('names what is wrong with which field', async () => {
    const to = await someone()
    const tomorrow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const wrong = (body: object) => fieldsOf(give(admin!, to, body))
    expect(await wrong({ role: 'King', scope: null })).toEqual([['/role', 'platform.role-unknown']])
    const ofPost = { role: 'Post Holder', scope: { kind: 'post', id: headOfMusic } }
    expect(await wrong(ofPost)).toEqual([['/role', 'platform.role-of-posts']])
    expect(await wrong({ role: 'MA', scope: null })).toEqual([['/scope', 'platform.scope-wanted']])
    expect(await wrong({ role: 'ADMIN', scope: inMusic() })).toEqual([['/scope', 'platform.scope-unwanted']])
    expect(await wrong({ role: 'HOD', scope: { kind: 'division', id: music } })).toEqual([
      ['/scope', 'platform.scope-unknown'],
    ])
    expect(await wrong({ role: 'DR', scope: null, endsAt: tomorrow(-1) })).toEqual([['/endsAt', 'platform.end-past']])
    expect(await wrong({ role: 'DR', scope: null, startsAt: tomorrow(2), endsAt: tomorrow(1) })).toEqual([
      ['/endsAt', 'platform.ends-before-start'],
    ])
    expect((await give(admin!, to, { role: 'DR', scope: null, reason: '  ' })).statusCode).toBe(400)
  })

  test('takes effect at once, under any name of the role, is announced by email and recorded in the audit trail', async () => {
    const to = await someone()
    const given = await give(head!, to, { role: 'HOD', scope: { kind: 'unit', id: studio } })
    expect(given.statusCode).toBe(201)
    expect(given.json()).toMatchObject({ role: 'HOD', state: 'current', reason, grantedBy: { id: head!.id } })
    expect((await to.send('GET', '/api/me')).json().grants).toMatchObject([{ role: 'HOD', scope: { id: studio } }])
    expect((await give(admin!, to, { role: 'DEAN', scope: null })).json()).toMatchObject({ role: 'Dean', scope: null })
    expect((await to.send('GET', '/api/mailbox')).json().items.map(({ template }: any) => template)).toContain(
      'platform.mail.role-given',
    )
    const entries = await database.db
      .selectFrom('audit_entry')
      .innerJoin('audit_payload', 'entry_id', 'id')
      .select(['actor', 'acted_as', 'payload'])
      .where('object', '=', `account:${to.id}`)
      .where('action', '=', 'grant.given')
      .orderBy('id')
      .execute()
    expect(entries).toMatchObject([
      { actor: head!.id, acted_as: `HOD@department:${music}`, payload: { role: 'HOD', reason } },
      { actor: admin!.id, acted_as: 'ADMIN', payload: { role: 'Dean', reason } },
    ])
    expect(await codeOf(give(admin!, to, { role: 'Dean', scope: null }))).toEqual([409, 'platform.grant-overlaps'])
  })

  test('can be ended at once, by anybody who could have granted it', async () => {
    const to = await someone({ role: 'Registrar' })
    const shown = async (by: Caller) => (await by.send('GET', `/api/people/${to.id}`)).json()
    const { id, mayEnd } = (await shown(admin!)).grants[0]
    expect(mayEnd).toBe(true)
    expect((await shown(head!)).grants).toEqual([])
    const end = (by: Caller) => by.send('POST', `/api/grants/${id}/end`, { reason })
    expect(await codeOf(end(head!))).toEqual([403, 'platform.grant-not-allowed'])
    expect(await codeOf(end(to))).toEqual([403, 'platform.own-grant'])
    expect((await to.send('GET', '/api/roles')).statusCode).toBe(200)
    expect((await end(admin!)).json()).toMatchObject({ state: 'ended', endReason: reason })
    expect((await to.send('GET', '/api/roles')).statusCode).toBe(403)
    expect(await codeOf(end(admin!))).toEqual([409, 'platform.grant-ended'])
  })

  test('previews exactly what it then does, and changes nothing by itself', async () => {
    const to = await someone()
    const url = `/api/people/${to.id}/effect`
    expect(await codeOf(head!.send('POST', url, { add: [{ role: 'Dean', scope: null }] }))).toEqual([
      403,
      'platform.grant-not-allowed',
    ])
    const before = (await to.send('GET', '/api/me')).json()
    const effect = (await admin!.send('POST', url, { add: [{ role: 'Registrar', scope: null }] })).json()
    expect((await to.send('GET', '/api/me')).json()).toEqual(before)
    await give(admin!, to, { role: 'Registrar', scope: null })
    const after = (await to.send('GET', '/api/me')).json()
    expect(effect.groups).toEqual({ gained: after.groups, lost: [] })
    const { screens } = loadLibrary(join(import.meta.dirname, '../..'))
    const opened = screens.filter((one) => one.built && mayOpen(after, one) && !mayOpen(before, one))
    expect(opened.length).toBeGreaterThan(3)
    expect(effect.pages.gained.map(({ route }: any) => route)).toEqual(opened.map(({ route }) => route))
    const { grants } = (await admin!.send('GET', `/api/people/${to.id}`)).json()
    const undo = (await admin!.send('POST', url, { end: [grants[0].id] })).json()
    expect(undo.groups).toEqual({ gained: [], lost: after.groups })
    const wide = { add: [{ role: 'Registrar', scope: inMusic() }] }
    expect((await admin!.send('POST', url, wide)).json().warnings).toMatchObject([
      { code: 'platform.effect.held-already' },
    ])
  })
})

describe('people are visible', () => {
  test('elsewhere only with name and post, and only by search', async () => {
    const name = `Elsewhere ${randomUUID()}`
    const other = await someone({ role: 'HOD', scope: { kind: 'department', id: painting! } })
    await database.db.updateTable('account').set({ name, post: 'Head' }).where('id', '=', other.id).execute()
    const list = async (query: string) => (await head!.send('GET', `/api/people?limit=100&${query}`)).json().items
    expect((await list('')).map(({ id }: any) => id)).toEqual(expect.arrayContaining([head!.id, lecturer!.id]))
    expect((await list('')).map(({ id }: any) => id)).not.toContain(other.id)
    expect(await list(`search=${encodeURIComponent(name)}`)).toEqual([
      {
        id: other.id,
        name,
        post: 'Head',
        active: true,
        kind: 'staff',
        username: null,
        registered: false,
        email: null,
        lastSeenAt: null,
        grants: [],
      },
    ])
    expect((await list('search=El')).map(({ id }: any) => id)).not.toContain(other.id)
    // A search by role does not reveal their roles.
    expect(await list(`search=${encodeURIComponent(name)}&role=HOD`)).toEqual([])
    expect(await list(`scope=department:${painting}`)).toEqual([])
    expect((await head!.send('GET', `/api/people/${other.id}`)).json()).toMatchObject({
      email: null,
      grants: [],
      sessions: 0,
    })
    expect((await admin!.send('GET', `/api/people?scope=department:${painting}`)).json().items).toMatchObject([
      { id: other.id, grants: [{ role: 'HOD' }] },
    ])
  })

  test('no further by granting: not for later, not by one’s own gift', async () => {
    const other = await someone({ role: 'Lecturer', scope: { kind: 'department', id: painting! } })
    const sight = async () => (await head!.send('GET', `/api/people/${other.id}`)).json()
    const scope = { kind: 'unit', id: studio }
    const later = await give(head!, other, { role: 'HOD', scope, startsAt: '2090-01-01T00:00:00Z' })
    expect(later.statusCode).toBe(201)
    expect(await sight()).toMatchObject({ email: null, username: null, sessions: 0, grants: [{ role: 'HOD' }] })
    expect((await head!.send('POST', `/api/grants/${later.json().id}/end`, { reason })).statusCode).toBe(200)
    expect(await sight()).toMatchObject({ email: null, username: null, sessions: 0, grants: [] })
    await give(head!, other, { role: 'HOD', scope })
    expect(await sight()).toMatchObject({ email: null, username: null, sessions: 0, grants: [{ role: 'HOD' }] })
    await give(admin!, other, { role: 'Lecturer', scope })
    expect(await sight()).toMatchObject({ email: expect.any(String) })
  })

  test('page by page, by name', async () => {
    const seen: string[] = []
    for (let next: string | null = ''; next !== null;) {
      const page = await admin!.send('GET', `/api/people?limit=2${next && `&cursor=${next}`}`)
      expect(page.statusCode).toBe(200)
      seen.push(...page.json().items.map(({ id }: any) => id))
      next = page.json().next
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining([admin!.id, sa!.id, head!.id, lecturer!.id]))
  })
})

describe('an account', () => {
  const data = (more: object = {}) => ({
    name: 'Nimal',
    email: `${randomUUID()}@example.lk`,
    post: null,
    active: true,
    reason,
    ...more,
  })

  test('is created without roles, and its owner gets a link by email; names and addresses are unique', async () => {
    const email = `${randomUUID()}@example.lk`
    const made = await head!.send('POST', '/api/people', { name: 'Nimal', email, reason })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      name: 'Nimal',
      post: null,
      kind: 'other',
      hasPassword: false,
      mayChange: false,
    })
    const mail = await database.db
      .selectFrom('mail')
      .select(['template', 'body'])
      .where('recipient', '=', email)
      .executeTakeFirst()
    expect(mail).toMatchObject({
      template: 'platform.mail.set-password',
      body: expect.stringContaining('setupPwd?token='),
    })
    expect(await fieldsOf(admin!.send('POST', '/api/people', { name: 'N', email, reason }))).toEqual([
      ['/email', 'platform.email-taken'],
    ])
    const other = { name: 'N', email: `${randomUUID()}@example.lk`, reason }
    expect(await fieldsOf(admin!.send('POST', '/api/people', { ...other, username: 'admin' }))).toEqual([
      ['/username', 'platform.username-taken'],
    ])
    expect(await fieldsOf(admin!.send('POST', '/api/people', { ...other, username: 'a@b' }))).toEqual([
      ['/username', 'platform.username-refused'],
    ])
    expect(await fieldsOf(admin!.send('POST', '/api/people', { ...other, email: 'nobody' }))).toEqual([
      ['/email', 'platform.email-invalid'],
    ])
  })

  test('is changed only by administrators, an administrator’s not by SA, and on the version that was read', async () => {
    const of = await someone()
    const put = (by: Caller, id: string, version: string | null, body = data()) =>
      by.send('PUT', `/api/people/${id}`, body, version === null ? {} : { 'if-match': version })
    expect(await codeOf(put(head!, lecturer!.id, '"1"'))).toEqual([403, 'platform.not-allowed'])
    expect(await codeOf(put(sa!, admin!.id, '"1"'))).toEqual([403, 'platform.not-allowed'])
    expect(await codeOf(sa!.send('POST', `/api/people/${admin!.id}/password-link`))).toEqual([
      403,
      'platform.not-allowed',
    ])
    expect(await codeOf(put(admin!, of.id, null))).toEqual([428, 'platform.version-wanted'])
    expect((await put(sa!, of.id, '"1"')).json()).toMatchObject({ name: 'Nimal', version: 2 })
    expect(await codeOf(put(admin!, of.id, '"1"'))).toEqual([412, 'platform.changed-meanwhile'])
    expect(await codeOf(put(admin!, admin!.id, '"1"', data({ active: false })))).toEqual([403, 'platform.own-grant'])
  })

  test('with a role that SA could not give is out of reach for SA, including future roles and posts', async () => {
    const doors = (id: string): [method: 'POST' | 'PUT', url: string, body: object | undefined][] => [
      ['PUT', `/api/people/${id}`, data()],
      ['POST', `/api/people/${id}/sign-out`, { reason }],
      ['POST', `/api/people/${id}/second-factor/end`, { reason }],
      ['POST', `/api/people/${id}/password-link`, undefined],
    ]
    const vc = await someone({ role: 'Vice Chancellor' })
    const [soon, appointed, plain, colleague] = [await someone(), await someone(), await someone(), await someone()]
    await give(admin!, soon, { role: 'ADMIN', scope: null, startsAt: '2090-01-01T00:00:00Z' })
    await give(admin!, colleague, { role: 'SA', scope: null })
    const post = await anItem(database.db, 'platform/post', {
      data: { role: 'HOD', department: painting, code: 'H-P' },
    })
    await admin!.send('POST', `/api/posts/${post}/holders`, { accountId: appointed.id, reason })
    for (const { id } of [vc, soon, appointed]) {
      for (const [method, url, body] of doors(id))
        expect([url, ...(await codeOf(sa!.send(method, url, body, { 'if-match': '"1"' })))]).toEqual([
          url,
          403,
          'platform.not-allowed',
        ])
      expect((await sa!.send('GET', `/api/people/${id}`)).json().mayChange).toBe(false)
      expect((await admin!.send('PUT', `/api/people/${id}`, data(), { 'if-match': '"1"' })).statusCode).toBe(200)
    }
    for (const { id } of [plain, colleague])
      expect((await sa!.send('PUT', `/api/people/${id}`, data(), { 'if-match': '"1"' })).statusCode).toBe(200)
  })

  test('notifies its old address of a new one; links to the old address never work again', async () => {
    const of = await someone()
    const { email } = (await of.send('GET', '/api/me')).json()
    expect((await sa!.send('POST', `/api/people/${of.id}/password-link`)).statusCode).toBe(202)
    const { body } = await database.db
      .selectFrom('mail')
      .select('body')
      .where('recipient_id', '=', of.id)
      .executeTakeFirstOrThrow()
    const token = /token=([\w-]+)/.exec(body)![1]
    const look = async () => (await own.send('POST', '/api/auth/tokens/look', { token })).statusCode
    expect(await look()).toBe(200)
    const put = (version: number, to: string) =>
      sa!.send('PUT', `/api/people/${of.id}`, data({ email: to }), { 'if-match': `"${version}"` })
    const to = `${randomUUID()}@example.lk`
    expect((await put(1, to)).statusCode).toBe(200)
    expect(await look()).toBe(410)
    expect((await put(2, email)).statusCode).toBe(200)
    expect(await look()).toBe(410)
    const told = await database.db
      .selectFrom('mail')
      .select(['recipient', 'recipient_id'])
      .where('template', '=', 'platform.mail.email-changed')
      .where('recipient', 'in', [email, to])
      .orderBy('id')
      .execute()
    expect(told).toEqual([
      { recipient: email, recipient_id: of.id },
      { recipient: to, recipient_id: of.id },
    ])
  })

  test('is not opened by the demo mailbox: SA reads only their own emails', async () => {
    const of = await someone()
    await admin!.send('POST', `/api/people/${of.id}/password-link`)
    const [mail] = (await of.send('GET', '/api/mailbox')).json().items
    expect(mail.body).toContain('token=')
    expect((await sa!.send('GET', `/api/mailbox/${mail.id}`)).statusCode).toBe(404)
    expect((await sa!.send('GET', '/api/mailbox?limit=100')).json().items.map(({ to }: any) => to)).not.toContain(
      mail.to,
    )
    expect((await admin!.send('GET', `/api/mailbox/${mail.id}`)).statusCode).toBe(200)
  })

  test('that is deactivated is signed out at once, gets no role, and returns without its sessions', async () => {
    const of = await someone({ role: 'Registrar' })
    const put = (version: number, active: boolean) =>
      admin!.send('PUT', `/api/people/${of.id}`, data({ active }), { 'if-match': `"${version}"` })
    expect((await of.send('GET', '/api/me')).statusCode).toBe(200)
    expect((await put(1, false)).json()).toMatchObject({ active: false, sessions: 0 })
    expect((await of.send('GET', '/api/me')).statusCode).toBe(401)
    expect(await codeOf(give(admin!, of, { role: 'DR', scope: null }))).toEqual([409, 'platform.account-closed'])
    expect(await codeOf(admin!.send('POST', `/api/people/${of.id}/password-link`))).toEqual([
      409,
      'platform.account-closed',
    ])
    expect((await put(2, true)).json()).toMatchObject({
      active: true,
      grants: [{ role: 'Registrar', state: 'current' }],
    })
    expect((await of.send('GET', '/api/me')).statusCode).toBe(401)
  })

  test('is signed out everywhere', async () => {
    const of = await someone()
    expect((await signIn(own.app, (await of.send('GET', '/api/me')).json().username)).statusCode).toBe(200)
    expect((await head!.send('POST', `/api/people/${of.id}/sign-out`, { reason })).statusCode).toBe(403)
    expect((await admin!.send('GET', `/api/people/${of.id}`)).json().sessions).toBe(2)
    expect((await admin!.send('POST', `/api/people/${of.id}/sign-out`, { reason })).statusCode).toBe(204)
    expect((await of.send('GET', '/api/me')).statusCode).toBe(401)
    expect((await admin!.send('GET', `/api/people/${of.id}`)).json().sessions).toBe(0)
  })
})

test('without its lost second factors signs in by the password again, when an administrator says so', async () => {
  const of = await someone()
  const name = (await of.send('GET', '/api/me')).json().username
  const end = (by: Caller, id = of.id) => by.send('POST', `/api/people/${id}/second-factor/end`, { reason })
  expect(await codeOf(end(admin!))).toEqual([409, 'platform.second-factor-missing'])
  const passkey = { id: randomUUID(), account_id: of.id, name: 'Telephone', public_key: Buffer.alloc(1), counter: 0 }
  await database.db.insertInto('passkey').values(passkey).execute()
  expect((await signIn(own.app, name)).json().code).toBe('platform.second-factor-wanted')
  expect(await codeOf(end(head!))).toEqual([403, 'platform.not-allowed'])
  expect(await codeOf(end(admin!, admin!.id))).toEqual([403, 'platform.own-second-factor'])
  expect((await end(admin!)).statusCode).toBe(204)
  expect((await of.send('GET', '/api/me')).statusCode).toBe(401)
  expect((await signIn(own.app, name)).statusCode).toBe(200)
  const mails = await database.db.selectFrom('mail').select('template').where('recipient_id', '=', of.id).execute()
  expect(mails).toEqual([{ template: 'platform.mail.second-factor-removed' }])
})

describe('a file of grants', () => {
  const header = 'username,role,scope_kind,scope_code,starts,ends,reason'
  const send = async (by: Caller, lines: string[], commit = true) =>
    (await by.send('POST', '/api/people/imports', { csv: [header, ...lines].join('\r\n'), commit })).json()
  const nameOf = async (of: Caller) => (await of.send('GET', '/api/me')).json().username as string

  test('is refused as a whole when one line is wrong, and each wrong cell is named', async () => {
    const to = await someone()
    const name = await nameOf(to)
    const code = (await readUnits(database.db)).find({ kind: 'department', id: music! })!.name
    const answer = await send(admin!, [
      `${name},DR,,,,,good`,
      `${name},MA,department,${code},31/02/2027,,bad date`,
      `nobody-at-all,King,,,,2020-01-01,`,
      `${name},DR,,,,,again`,
      `admin,Registrar,,,,,to oneself`,
    ])
    expect(answer).toMatchObject({ rows: 5, added: 0 })
    expect(answer.errors.map(({ line, column, code: said, message }: any) => [line, column, said, message])).toEqual([
      [3, 'starts', 'platform.check-format', expect.any(String)],
      [4, 'username', 'platform.person-unknown', expect.any(String)],
      [4, 'role', 'platform.role-unknown', expect.any(String)],
      [4, 'reason', 'platform.import.empty', 'Value is empty'],
      [5, 'username', 'platform.import.duplicated', 'Duplicated value'],
      [6, 'username', 'platform.own-grant', expect.any(String)],
    ])
    expect((await to.send('GET', '/api/me')).json().grants).toEqual([])
  })

  test('is read like any other file: its columns, widths, marks and limits', async () => {
    const name = await nameOf(await someone())
    const told = async (csv: string) => {
      const answer = (await admin!.send('POST', '/api/people/imports', { csv, commit: false })).json()
      return answer.errors.map(({ line, column, code }: any) => [line, column, code])
    }
    expect(await told(`${header},role,colour\n${name},DR,,,,,good,DR,red`)).toEqual([
      [1, '', 'platform.import.column-unknown'],
      [1, 'role', 'platform.import.column-twice'],
    ])
    expect(await told(`username,role\n${name},DR`)).toEqual([[1, 'reason', 'platform.import.column-missing']])
    expect(await told(`${header}\n${name},DR,,,,,good,too much`)).toEqual([[2, '', 'platform.import.too-wide']])
    expect(await told(`\uFEFF${header}\n${name},DR,,,,,good`.replaceAll(',', ';'))).toEqual([])
    expect(await told(`${header}\n${`${name},DR,,,,,good\n`.repeat(2001)}`)).toEqual([
      [1, '', 'platform.import.too-many'],
    ])
    expect(
      await told(
        [
          header,
          `${name},DR,,,,,${'x'.repeat(501)}`,
          `${name},SAR,,,31/12/1999,,too early`,
          `${name},MA,,,,,no`,
          `${name},RO,,,01/01/2101,,too late`,
        ].join('\n'),
      ),
    ).toEqual([
      [2, 'reason', 'platform.check-maxLength'],
      [3, 'starts', 'platform.check-minimum'],
      [4, 'scope_kind', 'platform.scope-wanted'],
      [4, 'reason', 'platform.check-minLength'],
      [5, 'starts', 'platform.check-maximum'],
    ])
  })

  test('gives what the sender could give by hand; existing grants are left alone', async () => {
    const to = await someone()
    const name = await nameOf(to)
    const lines = [`${name},HOD,unit,${studio},,2099-12-31,helps out`]
    expect((await send(head!, [`${name},Registrar,,,,,too much`])).errors).toMatchObject([
      { code: 'platform.grant-not-allowed' },
    ])
    const looked = await send(head!, lines, false)
    expect(looked).toMatchObject({ rows: 1, errors: [], errorCount: 0, added: 1, unchanged: 0 })
    expect(looked.effect).toMatchObject({
      people: 1,
      first: [{ id: to.id, name: expect.any(String), pages: { lost: [] }, tasks: { lost: { value: 0 } } }],
    })
    expect(looked.effect.first[0].pages.gained).toContainEqual({ route: '/people', title: expect.any(String) })
    expect((await to.send('GET', '/api/me')).json().grants).toEqual([])
    const given = { rows: 1, errors: [], errorCount: 0, effect: null }
    expect(await send(head!, lines)).toEqual({ ...given, added: 1, unchanged: 0 })
    expect(await send(head!, lines)).toEqual({ ...given, added: 0, unchanged: 1 })
    const { grants } = (await head!.send('GET', `/api/people/${to.id}`)).json()
    // The last day counts whole, in Colombo.
    expect(grants).toMatchObject([{ role: 'HOD', origin: 'import', endsAt: '2099-12-31T18:30:00.000Z' }])
  })
})

describe('permission groups', () => {
  test('are changed on the version that was read, and apply at once; ADMIN and SA hold them anyway', async () => {
    const named = async () =>
      (await admin!.send('GET', '/api/groups')).json().items.find((one: any) => one.name === 'AuditView')
    const before = await named()
    const to = await someone({ role: 'Nurse' })
    const roles = [...before.roles, 'Nurse']
    const put = (body: object, version = before.version) =>
      admin!.send('PUT', '/api/groups/AuditView', { reason, ...body }, { 'if-match': `"${version}"` })
    expect(await codeOf(admin!.send('PUT', '/api/groups/AuditView', { reason, roles }))).toEqual([
      428,
      'platform.version-wanted',
    ])
    expect(await fieldsOf(put({ roles: ['King'] }))).toEqual([['/roles/0', 'platform.role-unknown']])
    expect((await admin!.send('POST', '/api/groups/AuditView/effect', { roles: ['Nurse'] })).json()).toMatchObject({
      gaining: { value: 1 },
      losing: { value: 0 },
      people: [{ id: to.id, gains: true }],
    })
    expect((await to.send('GET', '/api/me')).json().groups).not.toContain('AuditView')
    const changed = await put({ roles: [...roles, 'ADMIN', 'Nurse'] })
    expect(changed.json()).toMatchObject({ roles, version: before.version + 1, changedBy: { id: admin!.id } })
    expect((await to.send('GET', '/api/me')).json().groups).toContain('AuditView')
    expect((await sa!.send('GET', '/api/me')).json().groups).toContain('AuditView')
    expect(await codeOf(put({ roles }))).toEqual([412, 'platform.changed-meanwhile'])
    expect(await codeOf(admin!.send('PUT', '/api/groups/nothing', { reason, roles }, { 'if-match': '"1"' }))).toEqual([
      404,
      'platform.not-found',
    ])
  })
})

describe('a post', () => {
  test('is given by anybody who may give its role; the previous holder leaves at the same time', async () => {
    const [first, second] = [await someone(), await someone()]
    const appoint = (by: Caller, accountId: string, more: object = {}) =>
      by.send('POST', `/api/posts/${headOfMusic}/holders`, { accountId, reason, ...more })
    const dean = await someone({ role: 'Dean' })
    expect(await codeOf(appoint(dean, first.id))).toEqual([403, 'platform.grant-not-allowed'])
    expect(await codeOf(appoint(head!, head!.id))).toEqual([403, 'platform.own-grant'])
    expect(await fieldsOf(appoint(admin!, randomUUID()))).toEqual([['/accountId', 'platform.person-unknown']])

    const vacant = async () =>
      (await admin!.send('GET', '/api/posts?state=vacant')).json().items.map(({ id }: any) => id)
    expect(await vacant()).toEqual([headOfMusic])
    const one = (await appoint(admin!, first.id)).json()
    expect(one).toMatchObject({ account: { id: first.id }, acting: false, endsAt: null })
    expect(await vacant()).toEqual([])
    expect((await first.send('GET', '/api/me')).json().grants).toMatchObject([
      { role: 'HOD', scope: { id: music } },
      { role: 'Post Holder', scope: { kind: 'post', id: headOfMusic } },
    ])
    expect(await codeOf(appoint(admin!, first.id))).toEqual([409, 'platform.post-held-already'])

    // The role ends with the appointment, not separately.
    const { grants, posts } = (await admin!.send('GET', `/api/people/${first.id}`)).json()
    expect([grants[0].mayEnd, posts[0].holderId]).toEqual([false, one.holderId])
    expect(await codeOf(admin!.send('POST', `/api/grants/${grants[0].id}/end`, { reason }))).toEqual([
      409,
      'platform.grant-elsewhere',
    ])

    const later = new Date(Date.now() + 86_400_000).toISOString()
    expect((await appoint(admin!, second.id, { startsAt: later })).statusCode).toBe(201)
    expect((await first.send('GET', '/api/me')).json().grants).toHaveLength(2)
    expect((await admin!.send('GET', `/api/posts/${headOfMusic}`)).json()).toMatchObject({
      holder: { account: { id: first.id }, endsAt: later },
      next: { account: { id: second.id }, startsAt: later },
      history: [{ account: { id: second.id } }, { account: { id: first.id } }],
      waiting: { value: 0 },
      mayAppoint: true,
    })
    const third = await someone()
    expect(await fieldsOf(appoint(admin!, third.id))).toEqual([['/endsAt', 'platform.post-taken-then']])
    expect((await appoint(admin!, third.id, { acting: true })).json()).toMatchObject({ acting: true })
    const end = (by: Caller) => by.send('POST', `/api/post-holders/${one.holderId}/end`, { reason })
    expect(await codeOf(end(first))).toEqual([403, 'platform.own-grant'])
    expect(await codeOf(end(dean))).toEqual([403, 'platform.grant-not-allowed'])
    expect((await end(admin!)).statusCode).toBe(200)
    expect((await first.send('GET', '/api/me')).json().grants).toEqual([])
    expect(await codeOf(end(admin!))).toEqual([409, 'platform.grant-ended'])
  })

  test('is neither ended nor passed on by somebody who could not give all that its holder has through it', async () => {
    const [holder, next] = [await someone(), await someone()]
    const post = await anItem(database.db, 'platform/post', {
      data: { role: 'HOD', head: false, department: music, code: 'HOD-M-2' },
    })
    const seeded = { account: holder.id, startsAt: null, endsAt: null, by: null, reason }
    const holding = await addHolder(database.db, { ...seeded, post, acting: false })
    // The post had another role when they were appointed.
    await addGrants(database.db, [{ ...seeded, role: 'Dean', scope: null, origin: 'post', holder: holding }])
    const end = (by: Caller, id: string) => by.send('POST', `/api/post-holders/${id}/end`, { reason })
    const appoint = () => head!.send('POST', `/api/posts/${post}/holders`, { accountId: next.id, reason })

    expect(await codeOf(end(head!, holding))).toEqual([403, 'platform.grant-not-allowed'])
    expect(await codeOf(appoint())).toEqual([403, 'platform.grant-not-allowed'])
    expect((await holder.send('GET', '/api/me')).json().grants).toMatchObject([{ role: 'Dean' }])

    expect((await end(admin!, holding)).statusCode).toBe(200)
    const given = await appoint()
    expect(given.statusCode).toBe(201)
    expect((await end(head!, given.json().holderId)).statusCode).toBe(200)
  })
})

test('a name is shown with the post held, and without one with the recorded designation', async () => {
  const of = await someone()
  const put = async (post: string | null) => {
    const { version, name, email } = (await admin!.send('GET', `/api/people/${of.id}`)).json()
    const body = { name, email, post, active: true, reason }
    return admin!.send('PUT', `/api/people/${of.id}`, body, { 'if-match': `"${version}"` })
  }
  const shown = async () => (await of.send('GET', '/api/me')).json().post
  await put('Lecturer')
  const name = `Post ${randomUUID().slice(0, 8)}`
  const item = { data: { name, code: name.replace(' ', '-'), role: 'Librarian' } }
  const post = (await admin!.send('POST', '/api/registers/platform/post/items', item)).json()
  expect(await shown()).toBe('Lecturer')
  const appointed = await admin!.send('POST', `/api/posts/${post.id}/holders`, { accountId: of.id, reason })
  expect(await shown()).toBe(name)
  // An unchanged value is not recorded.
  expect((await put(name)).statusCode).toBe(200)
  const { holderId } = appointed.json()
  expect((await admin!.send('POST', `/api/post-holders/${holderId}/end`, { reason })).statusCode).toBe(200)
  expect(await shown()).toBe('Lecturer')
})

describe('the register entry', () => {
  const day = 86_400_000
  const items = (kind: string) => `/api/registers/platform/${kind}/items`
  const code = () => `C-${randomUUID().slice(0, 8)}`
  const aPost = async (more: object, by = admin!) => {
    const name = code()
    return by.send('POST', items('post'), { data: { name, code: name, role: 'HOD', head: true, ...more } })
  }
  const aDepartment = async () => {
    const faculty = await anItem(database.db, 'platform/faculty')
    const data = { name: code(), code: code(), faculty }
    return (await admin!.send('POST', items('department'), { data })).json()
  }
  const put = (by: Caller, { id, version, data }: any, more: object) =>
    by.send('PUT', `${items('post')}/${id}`, { data: { ...data, ...more } }, { 'if-match': `"${version}"` })
  const setStatus = (by: Caller, kind: string, id: string, status: string) =>
    by.send('POST', `${items(kind)}/${id}/status`, { status })

  test('of a post keeps role, unit and use while it is held or will be; the database enforces it too', async () => {
    const department = (await aDepartment()).id
    const post = (await aPost({ department })).json()
    const [now, later] = [await someone(), await someone()]
    const appoint = (of: Caller, more: object) =>
      admin!.send('POST', `/api/posts/${post.id}/holders`, { accountId: of.id, reason, ...more })
    const nameOf = async (of: Caller) => (await of.send('GET', '/api/me')).json().name
    const soon = new Date(Date.now() + day).toISOString()
    const held = (await appoint(now, { endsAt: soon })).json()
    const refused = async (answer: Promise<any>, holder: Caller) => {
      const { statusCode, json } = await answer
      expect([statusCode, json().code, json().detail ?? json().title]).toEqual([
        409,
        'platform.post-held',
        expect.stringContaining(await nameOf(holder)),
      ])
    }
    await refused(put(admin!, post, { role: 'Dean' }), now)
    await refused(put(admin!, post, { department: (await aDepartment()).id }), now)
    await refused(setStatus(admin!, 'post', post.id, 'Inactive'), now)
    const next = (await appoint(later, { startsAt: soon })).json()
    await admin!.send('POST', `/api/post-holders/${held.holderId}/end`, { reason })
    await refused(setStatus(admin!, 'post', post.id, 'Inactive'), later)
    const directly = database.db.updateTable('register_item').set({ status: 'Inactive' }).where('id', '=', post.id)
    await expect(directly.execute()).rejects.toMatchObject({ constraint: 'post_held' })
    const named = await put(admin!, post, { name: code(), head: false })
    expect(named.statusCode).toBe(200)
    await admin!.send('POST', `/api/post-holders/${next.holderId}/end`, { reason })
    expect((await put(admin!, named.json(), { role: 'Dean' })).statusCode).toBe(200)
    expect((await setStatus(admin!, 'post', post.id, 'Inactive')).statusCode).toBe(200)
  })

  test('of a unit stays in use while posts or roles point to it', async () => {
    const { id } = await aDepartment()
    const post = (await aPost({ department: id })).json()
    const given = await give(admin!, await someone(), { role: 'Lecturer', scope: { kind: 'department', id } })
    const close = () => setStatus(admin!, 'department', id, 'Inactive')
    const answer = await close()
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'platform.unit-in-use'])
    expect(answer.json().detail ?? answer.json().title).toMatch(/1.*1/)
    expect((await setStatus(admin!, 'post', post.id, 'Inactive')).statusCode).toBe(200)
    expect((await close()).json().code).toBe('platform.unit-in-use')
    await admin!.send('POST', `/api/grants/${given.json().id}/end`, { reason })
    expect((await close()).statusCode).toBe(200)
  })

  test('of a post has a unit if its role needs one, and none if it applies everywhere', async () => {
    const department = (await aDepartment()).id
    expect(await fieldsOf(aPost({ role: 'MA' }))).toEqual([['/role', 'platform.scope-wanted']])
    expect(await fieldsOf(aPost({ role: 'ADMIN', department }))).toEqual([['/role', 'platform.scope-unwanted']])
    expect((await aPost({ role: 'MA', department })).statusCode).toBe(201)
    // A post created in another way gives its role to nobody.
    const old = await anItem(database.db, 'platform/post', { data: { role: 'ADMIN', department, code: code() } })
    const appointed = admin!.send('POST', `/api/posts/${old}/holders`, { accountId: (await someone()).id, reason })
    expect(await codeOf(appointed)).toEqual([422, 'platform.post-misplaced'])
  })

  test('of a post gets role, head and unit only from somebody who may grant the role there', async () => {
    const department = (await aDepartment()).id
    expect(await codeOf(aPost({ department }, sa!))).toEqual([403, 'platform.post-not-allowed'])
    const post = (await aPost({ department, head: false })).json()
    expect(await codeOf(put(sa!, post, { head: true }))).toEqual([403, 'platform.post-not-allowed'])
    expect(await codeOf(put(sa!, post, { role: 'SA', department: undefined }))).toEqual([
      403,
      'platform.post-not-allowed',
    ])
    const named = await put(sa!, post, { name: code() })
    expect(named.statusCode).toBe(200)
    expect((await setStatus(sa!, 'post', post.id, 'Inactive')).statusCode).toBe(200)
    expect(await codeOf(setStatus(sa!, 'post', post.id, 'Active'))).toEqual([403, 'platform.post-not-allowed'])
    const csv = `name,code,role\n${code()},${code()},Registrar`
    const imported = await sa!.send('POST', '/api/registers/platform/post/imports', { csv, commit: true })
    expect(imported.json()).toMatchObject({ added: 0, errors: [{ code: 'platform.post-not-allowed' }] })
  })
})
