import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { type Caller, type TestApp, askForToken, signIn, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anItem } from './kit/rows.ts'

const PASSWORD = 'Prakriya2026'
let database: TestDatabase
let own: TestApp
let [nuwan, selvi]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  nuwan = await own.person('nuwan', { role: 'Undergraduate Student' })
  selvi = await own.person('selvi')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const mailsTo = async (who: Caller) =>
  (
    await database.db
      .selectFrom('mail')
      .select(['template', 'body'])
      .where('recipient_id', '=', who.id)
      .orderBy('created_at')
      .execute()
  ).map(({ template }) => template)

/** The same person on another device. */
async function elsewhere(who: Caller, username: string): Promise<Caller> {
  const token = (await signIn(own.app, username)).json().access_token
  return {
    ...who,
    token,
    send: (method, url, body) => own.send(method, url, body, { authorization: `Bearer ${token}` }),
  }
}

async function aPhoto(who: Caller, format: 'png' | 'txt' = 'png'): Promise<string> {
  const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a1f2b' } }).withExif({
    IFD0: { Copyright: 'Taken at 6.9N 79.8E' },
  })
  const content = format === 'png' ? await picture.png().toBuffer() : Buffer.from('words')
  const form = new FormData()
  form.set('file', new File([new Uint8Array(content)], `photo.${format}`))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const sent = await who.send('POST', '/api/files', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type')!,
  })
  return sent.json().id
}

test('visitors have no account', async () => {
  const routes = [
    ['PATCH', '/api/me', {}],
    ['PUT', '/api/me/photo', { file: null }],
    ['POST', '/api/me/password', { current: 'x', password: 'y' }],
    ['GET', '/api/me/sessions'],
    ['GET', '/api/me/data'],
    ['POST', '/api/me/totp', { password: 'x' }],
  ] as const
  for (const [method, url, body] of routes) expect((await own.send(method, url, body)).statusCode).toBe(401)
})

test('people change their language and emails, and nothing else of their account', async () => {
  for (const wrong of [{ language: 'fr' }, { name: 'Registrar' }, { username: 'boss' }, { mails: { tasks: 'no' } }])
    expect((await nuwan!.send('PATCH', '/api/me', wrong)).statusCode).toBe(400)
  const change = { language: 'si', mails: { cases: false, newTasks: true } }
  expect((await nuwan!.send('PATCH', '/api/me', change)).statusCode).toBe(204)
  expect((await nuwan!.send('GET', '/api/me')).json()).toMatchObject({
    name: 'nuwan',
    username: 'nuwan',
    language: 'si',
    mails: { tasks: true, cases: false, newTasks: true, digest: true },
    student: true,
    photo: null,
    record: null,
    secondFactor: { totp: false, passkeys: 0, recoveryCodes: 0, wanted: false },
  })
})

test('a photo is the person’s own picture, visible to signed-in people only, never in its original form', async () => {
  const [picture, text, hers] = [await aPhoto(nuwan!), await aPhoto(nuwan!, 'txt'), await aPhoto(selvi!)]
  for (const file of [text, hers]) {
    const refused = await nuwan!.send('PUT', '/api/me/photo', { file })
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([422, 'platform.photo-no-picture'])
  }
  expect((await selvi!.send('GET', `/api/files/${picture}`)).statusCode).toBe(404)
  expect((await nuwan!.send('PUT', '/api/me/photo', { file: picture })).statusCode).toBe(204)
  expect((await nuwan!.send('GET', '/api/me')).json().photo).toBe(picture)
  expect((await own.send('GET', `/api/files/${picture}?size=small`)).statusCode).toBe(404)
  for (const size of ['small', 'medium', 'original']) {
    const seen = await selvi!.send('GET', `/api/files/${picture}?size=${size}`)
    expect([size, seen.statusCode, seen.headers['content-type']]).toEqual([size, 200, 'image/webp'])
    expect((await sharp(seen.rawPayload).metadata()).exif).toBeUndefined()
  }
  expect((await nuwan!.send('GET', `/api/files/${picture}`)).headers['content-type']).toBe('image/png')
  await nuwan!.send('PUT', '/api/me/photo', { file: null })
  expect((await selvi!.send('GET', `/api/files/${picture}`)).statusCode).toBe(404)
})

test('people see their sessions, and end them: access through them ends at once', async () => {
  const there = await elsewhere(selvi!, 'selvi')
  const list = async () => (await selvi!.send('GET', '/api/me/sessions')).json().items
  const sessions = await list()
  expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true])
  expect(sessions[0]).toMatchObject({ method: 'password', userAgent: 'lightMyRequest', address: '127.0.0.1' })
  const other = sessions.find(({ current }: { current: boolean }) => !current).id
  expect((await nuwan!.send('DELETE', `/api/me/sessions/${other}`)).statusCode).toBe(404)
  expect((await there.send('GET', '/api/me')).statusCode).toBe(200)
  expect((await selvi!.send('DELETE', `/api/me/sessions/${other}`)).statusCode).toBe(204)
  expect((await there.send('GET', '/api/me')).statusCode).toBe(401)
  const [third, fourth] = [await elsewhere(selvi!, 'selvi'), await elsewhere(selvi!, 'selvi')]
  expect((await selvi!.send('POST', '/api/me/sessions/end-others')).statusCode).toBe(204)
  for (const gone of [third, fourth]) expect((await gone.send('GET', '/api/me')).statusCode).toBe(401)
  expect(await list()).toHaveLength(1)
})

test('changing a password needs the old one, follows the rule, and ends all other sessions', async () => {
  const kamal = await own.person('kamal')
  const change = (current: string, password: string) => kamal.send('POST', '/api/me/password', { current, password })
  const told = async (answer: ReturnType<typeof change>) => {
    const { errors } = (await answer).json()
    return [errors[0].field, errors[0].code]
  }
  expect(await told(change('wrong', 'Kandyan42drums'))).toEqual(['/current', 'platform.password-wrong'])
  expect(await told(change(PASSWORD, 'short1A'))).toEqual(['/password', 'platform.password-rule'])
  expect(await told(change(PASSWORD, 'Password1'))).toEqual(['/password', 'platform.password-common'])
  const there = await elsewhere(kamal, 'kamal')
  expect((await change(PASSWORD, 'Kandyan42drums')).statusCode).toBe(204)
  expect((await there.send('GET', '/api/me')).statusCode).toBe(401)
  expect((await kamal.send('GET', '/api/me')).json().setPasswordAt).toMatch(/^20/)
  expect((await signIn(own.app, 'kamal')).statusCode).toBe(401)
  const form = { grant_type: 'password', username: 'kamal', password: 'Kandyan42drums' }
  expect((await askForToken(own.app, form)).statusCode).toBe(200)
  expect(await mailsTo(kamal)).toEqual(['platform.mail.password-changed'])
})

test('a stolen session cannot guess the password either', async () => {
  const thief = await own.person('thief')
  const guess = () => thief.send('POST', '/api/me/totp', { password: 'no' })
  for (let n = 0; n < 10; n += 1) expect((await guess()).statusCode).toBe(422)
  expect((await guess()).statusCode).toBe(429)
})

test('people can download everything about them: nothing about others, and no credentials', async () => {
  const saman = await own.person('saman', { role: 'HOD', scope: { kind: 'department', id: '12' } })
  const record = await anItem(database.db, 'platform/employee', { data: { nic: '199012345678' } })
  await database.db.updateTable('account').set({ record_id: record }).where('id', '=', saman.id).execute()
  await saman.send('POST', '/api/me/totp', { password: PASSWORD })
  const [mine, hers] = [await aCase(database.db, saman.id), await aCase(database.db, selvi!.id)]
  const library = loadLibrary(`${import.meta.dirname}/../..`)
  await database.db.transaction().execute(async (trx) => {
    await audit(trx).record({ actor: saman.id, action: 'a.thing-done', payload: { of: 'somebody else' } })
    await mail(trx, { library, publicUrl: 'http://localhost:4400' }).send({
      to: saman.id,
      template: 'platform.mail.set-password',
      values: { link: 'http://localhost:4400/applicant/account/setupPwd?token=SECRET-of_a.link', until: 'tomorrow' },
    })
  })
  for (const [author_id, body] of [
    [saman.id, 'See /track#RB-1/SECRET'],
    [selvi!.id, 'somebody else'],
  ] as const)
    await database.db.insertInto('case_comment').values({ id: randomUUID(), case_id: mine, author_id, body }).execute()
  const answer = await saman.send('GET', '/api/me/data')
  expect(answer.headers).toMatchObject({
    'content-disposition': "attachment; filename*=UTF-8''prakriya-saman.json",
    'cache-control': 'no-store',
  })
  const data = answer.json()
  expect(data).toMatchObject({
    account: [{ username: 'saman', email: 'saman@example.lk' }],
    record: [{ register: 'platform/employee', data: { nic: '199012345678' } }],
    grants: [{ role: 'HOD', scope_id: '12' }],
    sessions: [{ address: '127.0.0.1' }],
    cases: [{ id: mine }],
    comments: [{ kind: 'comment', body: 'See /track#RB-1/…' }],
    questions: [],
    mails: [{ template: 'platform.mail.set-password', body: expect.stringContaining('token=…') }],
  })
  expect(data.acts.map(({ action }: { action: string }) => action)).toEqual(['session.opened', 'a.thing-done'])
  for (const secret of [hers, 'SECRET', '$argon2id', 'somebody else', 'sealed', 'hash'])
    expect([secret, answer.body.includes(secret)]).toEqual([secret, false])
})

test('a long history comes in pieces, each item once', async () => {
  const busy = await own.person('busy')
  await database.pool.query(
    `insert into app.notification (id, account_id, icon_name, icon_color, heading, title)
     select gen_random_uuid(), $1, 'bell', 'blue', 'h', n::text from generate_series(1, 1234) n`,
    [busy.id],
  )
  const { notifications } = (await busy.send('GET', '/api/me/data')).json()
  expect(new Set(notifications.map(({ title }: { title: string }) => title)).size).toBe(1234)
  expect(notifications).toHaveLength(1234)
})
