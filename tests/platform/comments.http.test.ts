import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { type DeskApp, type Waiting, deskApp } from './fixtures/desk-app.ts'
import type { Caller } from './kit/app.ts'
import { until } from './kit/poll.ts'

let own: DeskApp
let clerk: Caller
let lecturer: Caller
beforeAll(async () => {
  own = await deskApp()
  clerk = await own.app.person('clerk', { role: 'MA', scope: { kind: 'department', id: own.department } })
  lecturer = await own.app.person('lecturer', { role: 'Lecturer' })
})
afterAll(() => own?.close())

const say = (who: Caller, { caseId }: Waiting, body: object) => who.send('POST', `/api/cases/${caseId}/comments`, body)
const read = (who: Caller, { caseId }: Waiting) => who.send('GET', `/api/cases/${caseId}/comments`)
const bodies = async (who: Caller, of: Waiting) =>
  (await read(who, of)).json().items.map(({ body }: { body: string }) => body)
const codeOf = async (asked: ReturnType<Caller['send']>) => {
  const answer = await asked
  const { code, errors } = answer.statusCode < 300 ? { code: 'done', errors: [] } : answer.json()
  return code === 'platform.form-invalid' ? errors[0].code : code
}
async function aFileOf(who: Caller): Promise<string> {
  const boundary = 'x'
  const part = 'Content-Disposition: form-data; name="file"; filename="plan.txt"\r\nContent-Type: text/plain'
  const body = `--${boundary}\r\n${part}\r\n\r\nThe plan\r\n--${boundary}--\r\n`
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const sent = await who.send('POST', '/api/files', body, type)
  expect(sent.statusCode).toBe(201)
  return sent.json().id
}

test('comments are for the people who handle a case: its requester sees none, and for others it does not exist', async () => {
  const one = await own.waiting()
  const written = await say(own.head, one, { body: 'The hall is free.', taskId: one.id })
  expect([written.statusCode, written.json()]).toEqual([
    201,
    expect.objectContaining({
      author: { id: own.head.id, name: 'head' },
      kind: 'comment',
      mine: true,
      task: 'Approve',
    }),
  ])
  expect((await read(own.secondHead, one)).json().items).toMatchObject([{ body: 'The hall is free.', mine: false }])
  for (const [who, status] of [
    [own.asker, 403],
    [own.otherHead, 404],
    [lecturer, 404],
  ] as const) {
    const answers = [await read(who, one), await say(who, one, { body: 'Hello' })]
    answers.push(await who.send('GET', `/api/cases/${one.caseId}/people`))
    answers.push(await who.send('PUT', `/api/tasks/${one.id}/presence`, { typing: false }))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => status))
  }
  expect((await say(own.head, one, { body: '' })).statusCode).toBe(400)
  const elsewhere = await own.waiting()
  expect(await codeOf(say(own.head, one, { body: 'Here', taskId: elsewhere.id }))).toBe('platform.not-found')
  // A head who asks is their own requester, unless the department's role admits them.
  const theirs = await own.waiting(lecturer, { to: `user:${lecturer.id}` })
  expect((await read(lecturer, theirs)).statusCode).toBe(403)
  expect((await lecturer.send('GET', `/api/tasks/${theirs.id}`)).json()).toMatchObject({
    may: { talk: false },
    comments: 0,
  })
})

test('only its author reads a note, not even administrators; a comment can be deleted by its author, an opinion cannot', async () => {
  const one = await own.waiting()
  await say(own.head, one, { body: 'Ask her about the piano', private: true })
  const { id } = (await say(own.head, one, { body: 'Wrong case' })).json()
  expect(await bodies(own.head, one)).toEqual(['Ask her about the piano', 'Wrong case'])
  expect(await bodies(own.admin, one)).toEqual(['Wrong case'])
  const seen = async (who: Caller) => (await who.send('GET', `/api/tasks/${one.id}`)).json().comments
  expect([await seen(own.head), await seen(own.admin)]).toEqual([2, 1])
  expect(await codeOf(say(own.head, one, { body: 'x', private: true, mentions: [own.admin.id] }))).toBe(
    'platform.note-is-private',
  )
  expect((await own.admin.send('DELETE', `/api/comments/${id}`)).statusCode).toBe(404)
  expect((await own.head.send('DELETE', `/api/comments/${id}`)).statusCode).toBe(204)
  expect((await own.head.send('DELETE', `/api/comments/${id}`)).statusCode).toBe(404)
  expect(await bodies(own.admin, one)).toEqual([])
  await own.head.send('POST', `/api/tasks/${one.id}/delegate`, { to: lecturer.id, words: 'Well?' })
  await lecturer.send('POST', `/api/tasks/${one.id}/resolve`, { opinion: 'Fine' })
  const opinion = (await read(own.admin, one)).json().items.at(-1)
  // They have returned it, and with it access to the case.
  expect((await read(lecturer, one)).statusCode).toBe(404)
  expect(await codeOf(lecturer.send('DELETE', `/api/comments/${opinion.id}`))).toBe('platform.opinion-stays')
})

test('mentioned people are notified, and mentioning somebody who may not read it is refused by name', async () => {
  const one = await own.waiting()
  const refused = await say(own.head, one, { body: 'Look', mentions: [own.secondHead.id, lecturer.id, own.asker.id] })
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'platform.mention-cannot-see'])
  expect(refused.json().title).toContain('lecturer, asker')
  expect(await codeOf(say(own.head, one, { body: 'Look', mentions: [randomUUID()] }))).toBe('platform.person-unknown')
  expect(await bodies(own.head, one)).toEqual([])

  const mentions = [own.secondHead.id, own.head.id]
  const said = await say(own.head, one, { body: 'Look at the dates', mentions, taskId: one.id })
  expect(said.json().mentions).toEqual([
    { id: own.head.id, name: 'head' },
    { id: own.secondHead.id, name: 'second-head' },
  ])
  const mails = await own.db
    .selectFrom('mail')
    .select(['recipient_id', 'body'])
    .where('case_id', '=', one.caseId)
    .where('template', '=', 'platform.mail.mentioned')
    .execute()
  expect(mails).toEqual([{ recipient_id: own.secondHead.id, body: expect.stringContaining('Look at the dates') }])
  expect(mails[0]!.body).toContain(`/tasks/${one.id}`)
  const { items: notifications } = (await own.secondHead.send('GET', '/api/notification')).json()
  expect(notifications[0]).toMatchObject({ path: `/tasks/${one.id}`, title: expect.stringContaining('mentions you') })
})

test('people to mention are those involved in the case, and by name anybody who may read it', async () => {
  const one = await own.waiting()
  const people = async (search = '') =>
    (await own.head.send('GET', `/api/cases/${one.caseId}/people${search}`))
      .json()
      .items.map(({ name }: { name: string }) => name)
  expect(await people()).toEqual(['second-head'])
  expect(await people('?search=ADM')).toEqual(['admin'])
  expect(await people('?search=head')).toEqual(['second-head'])
})

test('files in a comment are readable by its readers, and by nobody else', async () => {
  const one = await own.waiting()
  expect(await codeOf(say(own.head, one, { body: 'See', files: [await aFileOf(clerk)] }))).toBe('platform.file-unknown')
  const file = await aFileOf(own.head)
  const get = async (who: Caller) => (await who.send('GET', `/api/files/${file}`)).statusCode
  expect(await get(own.secondHead)).toBe(404)
  const said = (await say(own.head, one, { body: 'See the plan', files: [file] })).json()
  expect(said.files).toEqual([{ id: file, name: 'plan.txt', contentType: 'text/plain', size: 8 }])
  expect(await Promise.all([own.secondHead, own.asker, own.otherHead].map(get))).toEqual([200, 404, 404])
  await own.head.send('DELETE', `/api/comments/${said.id}`)
  expect(await get(own.secondHead)).toBe(404)
})

test('people with the same task open see each other arrive, type and leave; nobody is sent what they know', async () => {
  const one = await own.waiting()
  const heard: string[] = []
  const listener = {
    account: own.head.id,
    refresh: async () => undefined,
    concerns: () => false,
    visible: async (ids: { cases: string[]; tasks: string[] }) => (heard.push(...ids.tasks), ids),
    send: () => undefined,
  }
  own.app.hub.add(listener)
  const look = async (who: Caller, typing = false) =>
    expect((await who.send('PUT', `/api/tasks/${one.id}/presence`, { typing })).statusCode).toBe(204)
  const looking = async (who: Caller) => (await who.send('GET', `/api/tasks/${one.id}`)).json().looking
  const told = (times: number) =>
    until(`${times} hints`, async () => {
      if (heard.filter((task) => task === one.id).length !== times) throw new Error(heard.join(', '))
      return true
    })
  await look(own.head)
  await told(1)
  await look(own.secondHead)
  await told(2)
  expect(await looking(own.head)).toEqual([{ id: own.secondHead.id, name: 'second-head', typing: false }])
  expect(await looking(own.asker)).toEqual([])
  await look(own.secondHead, true)
  await told(3)
  await look(own.secondHead, true)
  expect(await looking(own.head)).toMatchObject([{ typing: true }])
  expect((await own.secondHead.send('DELETE', `/api/tasks/${one.id}/presence`)).statusCode).toBe(204)
  // A repeated comment was notified once.
  await told(4)
  expect(await looking(own.head)).toEqual([])

  await look(own.secondHead)
  await told(5)
  await own.db
    .updateTable('task_presence')
    .set({ seen_at: new Date(Date.now() - 41_000) })
    .where('account_id', '=', own.secondHead.id)
    .execute()
  expect(await looking(own.head)).toEqual([])
  // Their browser stopped reporting: others learn of it with their own next report.
  await look(own.head)
  await told(6)
  own.app.hub.remove(listener)
})
