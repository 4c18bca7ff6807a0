import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Logger, runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { vault } from '../../api/platform/kernel/keys.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { trackingTasks } from '../../api/platform/features/tracking/resending.ts'
import { type GuestWorld, PUBLIC_URL, aGuest, guestWorld } from './kit/guests.ts'
import { proof } from './kit/proof.ts'

let world: GuestWorld
beforeAll(async () => {
  world = await guestWorld()
})
afterAll(() => world?.close())
beforeEach(() => world.database.owner.pool.query('truncate app.throttle'))

/** Requests a token; without a proof until one is required. */
const track = (body: { reference: string; secret: string }, remoteAddress = '10.2.0.1', headers = {}) =>
  world.own.app.inject({ method: 'POST', url: '/api/public/tracking', payload: body, remoteAddress, headers })

/** A guest's case, and the requests of its page. */
async function aTrackedCase() {
  const guest = aGuest()
  const { reference, trackingSecret: secret } = (await world.book(guest)).json()
  const { id, requester_id } = await world.db
    .selectFrom('flow_case')
    .select(['id', 'requester_id'])
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  const { token } = (await track({ reference, secret })).json()
  const send = (method: 'GET' | 'POST', url: string, payload?: object, headers = {}) =>
    world.own.app.inject({
      method,
      url,
      ...(payload && { payload }),
      headers: { authorization: `Tracking ${token}`, ...headers },
    })
  const page = async () => (await send('GET', '/api/public/tracking/case')).json()
  return { guest, reference, secret, id, requester: requester_id, token, send, page }
}

/** A task as the feed makes it. */
async function aTask(caseId: string, principal: string): Promise<string> {
  const id = randomUUID()
  const form = world.library.forms.get('tests/approval')!
  await world.db.transaction().execute(async (trx) => {
    const tasks = taskRepository(trx)
    const desk = { desk: 'userTask_approveByHead', name: 'Approve', definitionId: 'two-desks:1' }
    const more = { dueAt: null, followUpAt: null, priority: 50, createdAt: new Date().toISOString() }
    await tasks.create({ id, caseId, ...desk, formKey: form.key, formHash: form.hash, ...more })
    await tasks.addCandidate(id, principal)
    await tasks.refreshInbox([id])
  })
  return id
}

const noted = (caseId: string, action: string) =>
  world.db
    .selectFrom('audit_entry')
    .select('acted_as')
    .where('case_id', '=', caseId)
    .where('action', '=', action)
    .execute()

test('a wrong secret is refused like an unknown case number; guessing gets harder, and does not lock out the owner', async () => {
  const { reference, secret } = await aTrackedCase()
  const wrong = { reference, secret: secret.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A')) }
  const refused = (answer: { statusCode: number; json(): { code: string; title: string } }) => {
    const { code, title } = answer.json()
    return [answer.statusCode, code, title]
  }
  const one = refused(await track(wrong))
  expect(one.slice(0, 2)).toEqual([422, 'platform.tracking-refused'])
  expect(refused(await track({ reference: 'TD-2026-999999', secret }))).toEqual(one)
  for (let n = 0; n < 4; n += 1) await track(wrong)
  const dear = await track(wrong)
  expect([dear.statusCode, dear.json().difficulty]).toEqual([428, 1])
  expect((await track({ reference, secret }, '10.2.0.1', await proof(world.own.app, 1))).statusCode).toBe(200)
  expect((await track({ reference, secret }, '10.2.0.9')).statusCode).toBe(200)
})

test('the token opens its case and nothing else, and only while it is valid', async () => {
  const mine = await aTrackedCase()
  const other = await aTrackedCase()
  for (const url of ['/api/me', '/api/cases', `/api/cases/${mine.id}`, '/api/tasks'])
    expect((await mine.send('GET', url)).statusCode).toBe(401)
  // Public data is requested as a visitor.
  expect((await mine.send('GET', `/api/files/${randomUUID()}`)).statusCode).toBe(404)
  const person = await world.own.person(`signed-in-${randomUUID()}`, { role: 'ADMIN' })
  expect((await person.send('GET', '/api/public/tracking/case')).statusCode).toBe(401)
  expect((await world.own.send('GET', '/api/public/tracking/case')).statusCode).toBe(401)

  // Of their own case as of others', only the task of this case.
  const foreign = await aTask(other.id, `user:${mine.requester}`)
  const answer = await mine.send('POST', `/api/public/tracking/tasks/${foreign}/complete`, {
    data: { outcome: 'approve' },
  })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'platform.not-found'])

  const [caseId, expires, mac] = mine.token.split('.')
  for (const token of [
    `${other.id}.${expires}.${mac}`,
    `${caseId}.${Number(expires) + 9}.${mac}`,
    `${caseId}.${expires}`,
    'x',
  ]) {
    const refused = await mine.send('GET', '/api/public/tracking/case', undefined, {
      authorization: `Tracking ${token}`,
    })
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'platform.tracking-over'])
  }
  await world.db
    .updateTable('case_tracking')
    .set({ secret_hash: Buffer.alloc(32) })
    .where('case_id', '=', mine.id)
    .execute()
  expect((await mine.send('GET', '/api/public/tracking/case')).statusCode).toBe(401)
})

test('the page shows the case in words, and nothing of the people who handle it', async () => {
  const { id, requester, guest, reference, page } = await aTrackedCase()
  await world.db
    .updateTable('register_item')
    .set({ data: sql`data || '{"full_name": "Registered Name"}'` })
    .where('id', '=', (eb) => eb.selectFrom('account').select('record_id').where('account.id', '=', requester))
    .execute()
  await aTask(id, `HOD@department:${world.department}`)
  const shown = await page()
  expect(shown).toMatchObject({
    reference,
    data: { purpose: 'Recital' },
    tasks: [],
    waitsWith: [{ name: 'Approve', principals: [`HOD, ${world.department}`] }],
    confirmUntil: expect.any(String),
  })
  expect(JSON.stringify(shown)).not.toMatch(new RegExp(`Registered Name|${requester}|${guest.email}`))
})

test('a question from a desk is mailed with the address of the case, and answered there', async () => {
  const { id, requester, reference, send, page } = await aTrackedCase()
  const head = await world.own.person(`head-${randomUUID()}`, {
    role: 'HOD',
    scope: { kind: 'department', id: world.department },
  })
  const task = await aTask(id, `HOD@department:${world.department}`)
  expect((await page()).questions).toEqual([])
  const asked = await head.send('POST', `/api/tasks/${task}/question`, { question: 'How many guests?' })
  expect(asked.statusCode).toBe(200)
  const mails = await world.db.selectFrom('mail').selectAll().where('recipient_id', '=', requester).execute()
  const { body } = mails.find(({ template }) => template === 'platform.mail.question')!
  expect(body).toContain('How many guests?')
  const [, secret] = body.match(new RegExp(`/track#${reference}/(\\S+)`))!
  expect((await track({ reference, secret: secret! })).statusCode).toBe(200)

  const { questions } = await page()
  expect(questions).toEqual([
    {
      id: expect.any(String),
      question: 'How many guests?',
      askedAt: expect.any(String),
      answer: null,
      answeredAt: null,
      open: true,
    },
  ])
  const answer = (of: string, words: object) => send('POST', `/api/public/tracking/questions/${of}/answer`, words)
  expect((await answer(randomUUID(), { answer: 'Ten' })).statusCode).toBe(404)
  expect((await answer(questions[0].id, { answer: '' })).statusCode).toBe(400)
  const answered = await answer(questions[0].id, { answer: 'Thirty.' })
  expect(answered.json().questions).toMatchObject([{ answer: 'Thirty.', open: false }])
  expect((await answer(questions[0].id, { answer: 'Ten.' })).json().code).toBe('platform.question-over')
  expect(await noted(id, 'question.answered')).toEqual([{ acted_as: 'tracking' }])
  const other = await aTrackedCase()
  expect(
    (await other.send('POST', `/api/public/tracking/questions/${questions[0].id}/answer`, { answer: 'x' })).statusCode,
  ).toBe(404)
})

test('what waits for the requester is answered there, once; the audit trail says how', async () => {
  const { id, requester, send, page } = await aTrackedCase()
  const task = await aTask(id, `user:${requester}`)
  expect((await page()).tasks).toEqual([
    { id: task, name: 'Approve', dueAt: null, form: { key: 'tests/approval', hash: expect.any(String) } },
  ])
  const complete = (data: object) => send('POST', `/api/public/tracking/tasks/${task}/complete`, { data })
  expect((await complete({ outcome: 'perhaps' })).statusCode).toBe(422)
  const answered = await complete({ outcome: 'approve' })
  expect([answered.statusCode, answered.json().tasks]).toEqual([200, []])
  expect((await complete({ outcome: 'approve' })).statusCode).toBe(409)
  expect(await noted(id, 'task.completed')).toEqual([{ acted_as: 'tracking' }])
})

test('the case is withdrawn there, and a limited number of files is uploaded for it', async () => {
  const { id, send } = await aTrackedCase()
  const cut = await send('POST', '/api/public/tracking/files', '--b\r\ncontent-disposition: form-data; na' as never, {
    'content-type': 'multipart/form-data; boundary=b',
  })
  expect([cut.statusCode, cut.json().detail]).toEqual([400, expect.stringContaining('ends too early')])
  const upload = () => {
    const body = '--b\r\ncontent-disposition: form-data; name="file"; filename="slip.txt"\r\n\r\npaid\r\n--b--\r\n'
    return send('POST', '/api/public/tracking/files', body as never, {
      'content-type': 'multipart/form-data; boundary=b',
    })
  }
  expect((await upload()).statusCode).toBe(201)
  for (let n = 1; n < 9; n += 1) await upload()
  expect((await upload()).statusCode).toBe(429)

  const gone = await send('POST', '/api/public/tracking/withdraw', { reason: 'Fallen ill' })
  expect([gone.statusCode, gone.json().withdrawable]).toEqual([200, false])
  expect(await noted(id, 'case.withdrawn')).toEqual([{ acted_as: 'tracking' }])
})

test('the address is mailed again to its owner only; everybody gets the same answer', async () => {
  const { guest, reference, secret } = await aTrackedCase()
  const stranger = aGuest()
  const resend = (body: object) => world.write('/api/public/tracking/resend', body)
  const answers = [
    await resend({ reference, email: stranger.email }),
    await resend({ reference: 'TD-2026-999999', email: guest.email }),
    await resend({ reference, email: guest.email.toUpperCase() }),
  ]
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(() => [202, 'null']))
  const taskList = trackingTasks({
    db: world.db,
    library: world.library,
    publicUrl: PUBLIC_URL,
    vault: vault('only for tests, and long enough for it'),
  })
  await runOnce({
    pgPool: world.database.pool,
    taskList,
    logger: new Logger(() => () => undefined),
    noHandleSignals: true,
  })
  expect(await world.mailsTo(stranger.email)).toEqual([])
  const mails = await world.mailsTo(guest.email)
  expect(mails.map(({ template }) => template)).toEqual([
    'platform.mail.tracking-address',
    'platform.mail.confirm-case',
  ])
  expect(mails[0]!.body).toContain(`${PUBLIC_URL}/track#${reference}/${secret}`)
})
