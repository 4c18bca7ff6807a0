import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Listener } from '../../api/platform/http/events.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { type DeskApp, deskApp } from './fixtures/desk-app.ts'
import { library } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'
import { until } from './kit/poll.ts'

let own: DeskApp
beforeAll(async () => {
  own = await deskApp()
})
afterAll(() => own?.close())

const save = (who: Caller, id: string, data: object, version?: number) =>
  who.send('PUT', `/api/tasks/${id}/draft`, { data, ...(version && { version }) })
const draft = async (who: Caller, id: string) => (await who.send('GET', `/api/tasks/${id}`)).json().draft
const soon = () => new Date(Date.now() + 20_000).toISOString()
const complete = (who: Caller, id: string, more: object = {}) =>
  who.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' }, ...more })

test('a draft is for people the task is offered to, and only its author sees it', async () => {
  const { id } = await own.waiting()
  expect((await save(own.otherHead, id, {})).statusCode).toBe(404)
  expect((await save(own.asker, id, {})).json().code).toBe('platform.not-allowed')
  expect((await save(own.head, 'no-such-task', {})).statusCode).toBe(404)
  expect((await own.head.send('PUT', `/api/tasks/${id}/draft`, { data: 'text' })).statusCode).toBe(400)
  expect((await save(own.head, id, { reason: 'half a sen' })).statusCode).toBe(200)
  expect(await draft(own.secondHead, id)).toBeNull()
  expect((await own.otherHead.send('DELETE', `/api/tasks/${id}/draft`)).statusCode).toBe(404)
  expect(await draft(own.head, id)).toMatchObject({ data: { reason: 'half a sen' }, version: 1, conflict: null })
})

test('saving a draft notifies the author’s other devices, and nobody else', async () => {
  const { id } = await own.waiting()
  const told: string[] = []
  const listener = (account: string): Listener => ({
    account,
    refresh: async () => {},
    concerns: () => false,
    visible: async () => ({ cases: [], tasks: [] }),
    send: ({ tasks }) => void told.push(...tasks.map((task) => `${account} ${task}`)),
  })
  const both = [listener(own.head.id), listener(own.secondHead.id)]
  for (const each of both) own.app.hub.add(each)
  await save(own.head, id, { reason: 'at the desk' })
  await until('the other device knows', async () => told.length > 0)
  for (const each of both) own.app.hub.remove(each)
  expect(told).toEqual([`${own.head.id} ${id}`])
})

test('of two devices, the later continues from the saved draft, or is warned', async () => {
  const { id } = await own.waiting()
  const both = await Promise.all([save(own.head, id, { reason: 'desk' }), save(own.head, id, { reason: 'phone' })])
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('platform.draft-changed')
  expect((await save(own.head, id, { reason: 'one' }, 1)).json()).toMatchObject({ version: 2 })
  expect((await save(own.head, id, { reason: 'other' }, 1)).statusCode).toBe(409)
  expect(await draft(own.head, id)).toMatchObject({ data: { reason: 'one' }, version: 2 })
  expect((await own.head.send('DELETE', `/api/tasks/${id}/draft`)).statusCode).toBe(204)
  expect((await save(own.head, id, { reason: 'gone' }, 2)).statusCode).toBe(409)
  expect(await draft(own.head, id)).toBeNull()
  expect((await own.head.send('DELETE', `/api/tasks/${id}/draft`)).statusCode).toBe(204)
})

test('the slower person learns who was faster, and loses nothing they typed', async () => {
  const { id } = await own.waiting()
  await save(own.head, id, { reason: 'Because I' })
  await own.secondHead.send('POST', `/api/tasks/${id}/claim`)
  expect((await draft(own.head, id)).conflict).toMatch(/second-head has taken this already/)
  expect((await save(own.head, id, { reason: 'Because I think' }, 1)).statusCode).toBe(200)
  expect((await complete(own.secondHead, id)).statusCode).toBe(200)
  const kept = await draft(own.head, id)
  expect(kept.data).toEqual({ reason: 'Because I think' })
  expect(kept.conflict).toMatch(/second-head has decided this already/)
  expect((await save(own.head, id, { reason: 'Too late' }, 2)).json().code).toBe('platform.task-decided')
})

test('a case that has moved on and a form that has changed are reported in words', async () => {
  const { id, caseId } = await own.waiting()
  await save(own.head, id, { reason: 'x' })
  await own.db.updateTable('flow_case').set({ version: 99 }).where('id', '=', caseId).execute()
  expect((await draft(own.head, id)).conflict).toMatch(/The case has moved on since you began/)
  const other = library.forms.get('tests/request')!.hash
  await own.db.updateTable('task').set({ form_hash: other }).where('id', '=', id).execute()
  expect((await draft(own.head, id)).conflict).toMatch(/The form has changed since you began/)
  const ended = await own.waiting()
  await save(own.head, ended.id, { reason: 'x' })
  await taskRepository(own.db).end(ended.id, 'void', new Date(), 'deleted')
  expect(await draft(own.admin, ended.id)).toBeNull()
  expect((await draft(own.head, ended.id)).conflict).toMatch(/no longer needed/)
})

test('a draft is deleted when its author’s decision takes effect; undone, the decision is a draft again', async () => {
  const { id } = await own.waiting()
  await save(own.head, id, { reason: 'first thoughts' })
  const decided = { data: { outcome: 'reject', reason: 'second thoughts' } }
  await own.head.send('POST', `/api/tasks/${id}/complete`, { ...decided, notBefore: soon() })
  expect(await draft(own.head, id)).toMatchObject({ data: { reason: 'first thoughts' }, conflict: null })
  expect((await own.head.send('POST', `/api/tasks/${id}/undo`)).json().state).toBe('open')
  expect(await draft(own.head, id)).toMatchObject({ data: decided.data, version: 2, conflict: null })
  expect((await complete(own.head, id)).json().state).toBe('done')
  expect(await draft(own.head, id)).toBeNull()
})

test('decisions that can be undone are listed until they are sent, for their author', async () => {
  const { id, reference } = await own.waiting()
  const undoable = async (who: Caller) => (await who.send('GET', '/api/tasks/undoable')).json()
  const notBefore = soon()
  await complete(own.head, id, { notBefore })
  expect(await undoable(own.head)).toEqual([
    { task: id, reference, title: expect.any(String), outcome: { key: 'approve', text: 'approve' }, until: notBefore },
  ])
  expect(await undoable(own.admin)).toEqual([])
  expect((await own.secondHead.send('POST', `/api/tasks/${id}/undo`)).statusCode).toBe(403)
  await own.head.send('POST', `/api/tasks/${id}/undo`)
  expect(await undoable(own.head)).toEqual([])
  await complete(own.head, id)
  expect(await undoable(own.head)).toEqual([])
})
