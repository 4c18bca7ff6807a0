import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JobHelpers } from 'graphile-worker'
import { randomUUID } from 'node:crypto'
import { newTaskTasks } from '../../api/platform/features/task-mail/new-tasks.ts'
import { taskLinks } from '../../api/platform/features/task-mail/links.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { type DeskApp, type Waiting, deskApp } from './fixtures/desk-app.ts'
import { aRequest } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'

let own: DeskApp
beforeAll(async () => {
  own = await deskApp()
})
afterAll(() => own?.close())

const emailOf = async ({ id }: Caller) =>
  (await own.db.selectFrom('account').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const linkTo = async ({ id }: Pick<Waiting, 'id'>, to: Caller) =>
  taskLinks(own.db).issue(id, { id: to.id, email: await emailOf(to) })
// As a browser without a session.
const look = (token: string) => own.app.send('GET', `/api/task-links/${token}`)
const decide = (token: string, data: object = { outcome: 'approve' }) =>
  own.app.send('POST', `/api/task-links/${token}`, { data })
const told = async (asked: ReturnType<typeof look>) => {
  const answer = await asked
  return answer.statusCode < 300 ? answer.json().state : `${answer.statusCode} ${answer.json().code}`
}
const stored = (id: string) => taskRepository(own.db).get(id)
const change = (who: Caller, set: object) => own.db.updateTable('account').set(set).where('id', '=', who.id).execute()

test('an invalid link opens nothing, and reveals nothing', async () => {
  const task = await own.waiting()
  const token = await linkTo(task, own.head)
  const [other] = [await linkTo(await own.waiting(), own.head)]
  const forged = Buffer.concat([
    Buffer.from(token, 'base64url').subarray(0, 16),
    Buffer.from(other, 'base64url').subarray(16),
  ]).toString('base64url')
  for (const one of ['none', `${token.slice(0, -4)}AAAA`, forged, randomUUID()]) {
    expect(await told(look(one))).toBe('410 platform.link-over')
    expect(await told(decide(one))).toBe('410 platform.link-over')
  }
  expect((await stored(task.id)).state).toBe('open')
})

test('viewing shows what there is to decide, nothing sensitive, and changes nothing however often it is done', async () => {
  const request = { ...aRequest(own.department), data: { ...aRequest(own.department).data, nic: '199912345678' } }
  const asked = await own.asker.send('POST', '/api/cases', request)
  expect(asked.statusCode).toBe(201)
  const id = await own.taskOf(asked.json().id)
  const token = await linkTo({ id }, own.head)
  const entries = async () =>
    (await own.db.selectFrom('audit_entry').select('id').where('case_id', '=', asked.json().id).execute()).length
  const before = await entries()
  const [first] = [await look(token), await look(token), await look(token)]
  expect(first.headers['cache-control']).toBe('no-store')
  expect(first.json()).toMatchObject({
    state: 'open',
    task: id,
    reader: { name: 'head' },
    for: null,
    reference: asked.json().reference,
    requester: { name: 'asker' },
    data: { purpose: request.data.purpose },
    decisions: [],
    form: { key: 'tests/approval', schema: { required: ['outcome'] } },
  })
  expect(first.body).not.toContain('199912345678')
  expect(await entries()).toBe(before)
  expect(await stored(id)).toMatchObject({ state: 'open', assignee_id: null })
})

test('one press decides, under the reader’s own right and recorded as by email; an invalid answer leaves the link valid', async () => {
  const task = await own.waiting()
  const token = await linkTo(task, own.head)
  const wrong = await decide(token, { outcome: 'perhaps' })
  expect([wrong.statusCode, wrong.json().errors[0].field]).toEqual([422, '/outcome'])
  const answers = await Promise.all([decide(token), decide(token), decide(token)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  expect(await stored(task.id)).toMatchObject({ state: 'accepted', decided_by: own.head.id, outcome: 'approve' })
  const noted = await own.db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select(['e.actor', 'e.acted_as', 'p.payload'])
    .where('e.object', '=', `task:${task.id}`)
    .execute()
  expect(noted).toMatchObject([
    {
      actor: own.head.id,
      acted_as: `HOD@department:${own.department}`,
      payload: { outcome: 'approve', through: 'mail' },
    },
  ])
  expect(await told(look(token))).toBe('410 platform.link-used')
  expect(await told(decide(token))).toBe('410 platform.link-used')
})

test('a faster decision is named', async () => {
  const task = await own.waiting()
  const token = await linkTo(task, own.head)
  await own.secondHead.send('POST', `/api/tasks/${task.id}/claim`)
  expect((await look(token)).json()).toMatchObject({
    code: 'platform.task-held',
    title: expect.stringMatching(/^second-head /),
  })
  await own.secondHead.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
  for (const answer of [await look(token), await decide(token)])
    expect([answer.statusCode, answer.json().code, answer.json().title]).toEqual([
      409,
      'platform.task-decided',
      expect.stringMatching(/^second-head has decided/),
    ])
  expect((await stored(task.id)).outcome).toBe('reject')
})

test('people who may not decide now may not by email either: an ended role, an own request, four eyes', async () => {
  const leaving = await own.app.person('leaving', {
    role: 'HOD',
    scope: { kind: 'department', id: own.department },
  })
  const task = await own.waiting()
  const token = await linkTo(task, leaving)
  expect(await told(look(token))).toBe('open')
  await own.db.updateTable('role_grant').set({ ends_at: new Date() }).where('account_id', '=', leaving.id).execute()
  const refused = await look(token)
  expect(refused.json().code).toBe('platform.link-not-yours')
  expect(refused.body).not.toContain(task.reference)
  expect(await told(decide(token))).toBe('409 platform.link-not-yours')

  const theirs = await own.waiting(own.head)
  expect(await told(decide(await linkTo(theirs, own.head)))).toBe('403 platform.own-case')

  const both = await own.app.person(
    'both',
    { role: 'Registrar' },
    {
      role: 'HOD',
      scope: { kind: 'department', id: own.department },
    },
  )
  const first = await own.waiting()
  expect(await told(decide(await linkTo(first, both)))).toMatch(/done|accepted/)
  await taskRepository(own.db).end(first.id, 'done', new Date(), null)
  const second = await own.taskOf(first.caseId, { desk: 'userTask_registrar', to: 'Registrar' })
  const next = await linkTo({ id: second }, both)
  expect([await told(look(next)), await told(decide(next))]).toEqual(Array(2).fill('403 platform.decided-before'))
  expect((await stored(second)).state).toBe('open')
})

test('a link ends after a week, with a new password, with another address and with the account', async () => {
  const ends = async (act: (who: Caller, token: string) => Promise<unknown>) => {
    const who = await own.app.person(`ending-${randomUUID()}`, {
      role: 'HOD',
      scope: { kind: 'department', id: own.department },
    })
    const token = await linkTo(await own.waiting(), who)
    expect(await told(look(token))).toBe('open')
    await act(who, token)
    return told(decide(token))
  }
  const over = '410 platform.link-over'
  expect(
    await ends((who) =>
      own.database.owner.pool.query(
        `update app.task_link set created_at = now() - interval '8 days', expires_at = now() - interval '1 day'
         where account_id = $1`,
        [who.id],
      ),
    ),
  ).toBe(over)
  expect(await ends((who) => change(who, { password_changed_at: new Date(Date.now() + 1000) }))).toBe(over)
  expect(await ends((who) => change(who, { email: `${randomUUID()}@example.lk` }))).toBe(over)
  expect(await ends((who) => change(who, { active: false }))).toBe(over)
})

test('with a second factor, a link leads to the sign-in and decides nothing', async () => {
  const careful = await own.app.person('careful', {
    role: 'HOD',
    scope: { kind: 'department', id: own.department },
  })
  const task = await own.waiting()
  const token = await linkTo(task, careful)
  await own.db
    .insertInto('passkey')
    .values({ id: randomUUID(), account_id: careful.id, name: 'key', public_key: Buffer.alloc(1), counter: 0 })
    .execute()
  expect((await look(token)).json()).toEqual({ state: 'sign-in', task: task.id })
  expect(await told(decide(token))).toBe('409 platform.link-sign-in')
  expect((await stored(task.id)).state).toBe('open')
})

/** Mails about new tasks, as the job writes them. */
async function newTaskMails(task: string, ...to: Caller[]) {
  const job = newTaskTasks({ ...own.parts })['mail-new-task']!
  await job({ task }, {} as JobHelpers)
  const rows = await own.db
    .selectFrom('mail')
    .select(['recipient_id', 'body'])
    .where('template', '=', 'platform.mail.new-task')
    .where(
      'recipient_id',
      'in',
      to.map(({ id }) => id),
    )
    .where('once', '=', `task:${task}`)
    .execute()
  return to.flatMap(({ id }) => rows.filter((row) => row.recipient_id === id).map(({ body }) => body))
}

test('people who want an email for each new task get one, with a link that decides it', async () => {
  const { head, secondHead, otherHead, admin } = own
  expect((await head.send('GET', '/api/me')).json().mails).toEqual({
    tasks: true,
    cases: true,
    newTasks: false,
    digest: true,
  })
  for (const one of [head, otherHead, admin])
    expect((await one.send('PATCH', '/api/me', { mails: { newTasks: true } })).statusCode).toBe(204)
  // Even with mails about tasks switched off.
  await head.send('PATCH', '/api/me', { mails: { tasks: false } })
  // ADMIN sees everything, but gets a mail only about its own tasks: here as a substitute of another head.
  await own.db
    .insertInto('substitution')
    .values({
      id: randomUUID(),
      absent_id: otherHead.id,
      substitute_id: admin.id,
      starts_at: new Date(Date.now() - 60_000),
      ends_at: new Date(Date.now() + 3_600_000),
      asked_by: otherHead.id,
      state: 'accepted',
      answered_at: new Date(),
    })
    .execute()
  const task = await own.waiting()
  const [mail, ...others] = await newTaskMails(task.id, head, secondHead, otherHead, admin)
  expect(others).toEqual([])
  expect(mail).toContain(task.reference)
  expect(await newTaskMails(task.id, head)).toHaveLength(1)
  const [, token] = /\/decide\/([\w-]{64})\n/.exec(mail!)!
  expect(await told(decide(token!))).toMatch(/done|accepted/)
  expect((await stored(task.id)).decided_by).toBe(head.id)
})

test('nobody gets an email about what they may not decide, started themselves, or what is decided or old', async () => {
  const { head, registrar } = own
  for (const one of [head, registrar]) await change(one, { mail_new_tasks: true })
  const theirs = await own.waiting(head)
  expect(await newTaskMails(theirs.id, head)).toEqual([])
  // The result of their decision, although the next desk is theirs as well.
  const task = await own.waiting()
  await registrar.send('POST', `/api/tasks/${await own.taskOf(task.caseId, { to: 'Registrar' })}/complete`, {
    data: { outcome: 'approve' },
  })
  expect(await newTaskMails(await own.taskOf(task.caseId, { to: 'Registrar' }), registrar)).toEqual([])
  const taken = await own.waiting()
  await own.secondHead.send('POST', `/api/tasks/${taken.id}/claim`)
  expect(await newTaskMails(taken.id, head)).toEqual([])
  const old = await own.waiting()
  await own.db
    .updateTable('task')
    .set({ created_at: new Date(Date.now() - 3 * 86_400_000) })
    .where('id', '=', old.id)
    .execute()
  expect(await newTaskMails(old.id, head)).toEqual([])
})
