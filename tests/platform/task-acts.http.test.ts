import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { type DeskApp, deskApp } from './fixtures/desk-app.ts'
import type { Caller } from './kit/app.ts'
import { markTaskHanded } from '../../api/platform/work/tasks/act-repository.ts'

let own: DeskApp
let [ama, bela, chan, lecturer]: Caller[] = []
beforeAll(async () => {
  own = await deskApp()
  const inDepartment = (role: string) => ({ role, scope: { kind: 'department', id: own.department } })
  ama = await own.app.person('ama', inDepartment('MA'))
  bela = await own.app.person('bela', inDepartment('MA'))
  chan = await own.app.person('chan', inDepartment('MA'))
  lecturer = await own.app.person('lecturer', { role: 'Lecturer' })
})
afterAll(() => own?.close())

const act = (who: Caller, id: string, verb: string, body?: object) => who.send('POST', `/api/tasks/${id}/${verb}`, body)
/** The result: the code of a refusal, or the assignee. */
const outcome = async (asked: ReturnType<Caller['send']>) => {
  const answer = await asked
  const { code, errors, assignee } = answer.json()
  if (answer.statusCode < 300) return assignee?.name ?? 'nobody'
  return code === 'platform.form-invalid' ? errors[0].code : code
}
/** A task shared by the clerks of the department; its head leads the desk. */
const clerks = () => own.waiting(own.asker, { to: `MA@department:${own.department}` })
const view = async (who: Caller, id: string) => (await who.send('GET', `/api/tasks/${id}`)).json()
const mays = async (who: Caller, id: string) =>
  Object.entries((await view(who, id)).may).flatMap(([name, may]) => (may ? [name] : []))
const counts = async (who: Caller) => {
  const found = (await who.send('GET', '/api/tasks/count')).json()
  return Object.fromEntries(['open', 'mine', 'later'].map((queue) => [queue, found[queue].value]))
}
const mailsTo = async (who: Caller, caseId: string) =>
  (
    await own.db
      .selectFrom('mail')
      .select(['template', 'body'])
      .where('recipient_id', '=', who.id)
      .where('case_id', '=', caseId)
      .orderBy('id')
      .execute()
  ).map(({ template, body }) => [template.replace('platform.mail.', ''), body] as const)
const audited = (taskId: string) =>
  own.db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select(['e.actor', 'e.acted_as', 'e.action', 'p.payload'])
    .where('e.object', '=', `task:${taskId}`)
    .orderBy('e.id')
    .execute()
const soon = () => new Date(Date.now() + 86_400_000).toISOString()
const approve = { data: { outcome: 'approve' } }

test('acts are for people the task is offered to; for others it does not exist, and the requester has none', async () => {
  const { id } = await clerks()
  for (const [verb, body] of [
    ['assign', { to: bela!.id }],
    ['delegate', { to: lecturer!.id, words: 'Well?' }],
    ['resolve', { opinion: 'Fine' }],
    ['follow-up', { at: soon() }],
    ['priority', { priority: 75 }],
    ['due', { at: soon(), reason: 'It is late' }],
    ['question', { question: 'Why?' }],
  ] as const) {
    expect([verb, (await act(own.otherHead, id, verb, body)).statusCode]).toEqual([verb, 404])
    expect([verb, (await act(own.asker, id, verb, body)).statusCode]).toEqual([verb, 403])
    expect([verb, (await act(ama!, id, verb, { ...body, more: 1 })).statusCode]).toEqual([verb, 400])
  }
  for (const [verb, body] of [
    ['priority', { priority: 60 }],
    ['follow-up', { at: 'tomorrow' }],
    ['due', { at: soon() }],
    ['question', { question: '' }],
  ] as const)
    expect([verb, (await act(ama!, id, verb, body)).statusCode]).toEqual([verb, 400])
  expect((await own.asker.send('GET', `/api/tasks/${id}/people?for=assign`)).statusCode).toBe(403)
})

test('a free task is assigned to a colleague at the desk, who is notified; others cannot get it', async () => {
  const { id, caseId } = await clerks()
  expect(await outcome(act(ama!, id, 'assign', { to: lecturer!.id }))).toBe('platform.assignee-not-offered')
  expect(await outcome(act(ama!, id, 'assign', { to: own.admin.id }))).toBe('platform.assignee-not-offered')
  expect(await outcome(act(ama!, id, 'assign', { to: randomUUID() }))).toBe('platform.person-unknown')
  const people = await ama!.send('GET', `/api/tasks/${id}/people?for=assign`)
  expect(people.json().items.map(({ name }: { name: string }) => name)).toEqual(['bela', 'chan'])
  expect(await outcome(act(ama!, id, 'assign', { to: bela!.id, reason: 'You know the hall.' }))).toBe('bela')
  const [told] = await mailsTo(bela!, caseId)
  expect(told).toEqual(['task-assigned', expect.stringContaining('ama has given you a task')])
  expect(told![1]).toContain('You know the hall.')
  expect(told![1]).toContain(`/tasks/${id}`)
  const { items: notifications } = (await bela!.send('GET', '/api/notification')).json()
  expect(notifications[0]).toMatchObject({ path: `/tasks/${id}`, title: expect.stringContaining('ama') })
  // Only the assignee can pass it on; the next one has no tasks yet.
  expect(await outcome(act(ama!, id, 'assign', { to: chan!.id }))).toBe('platform.task-held')
  const next = (await bela!.send('GET', `/api/tasks/${id}/people?for=assign&search=CH`)).json().items
  expect(next).toEqual([{ id: chan!.id, name: 'chan', post: null, load: 0 }])
  expect(await outcome(act(bela!, id, 'assign', { to: chan!.id }))).toBe('chan')
  const entries = (await audited(id)).map(({ action, actor, payload }) => [action, actor, payload])
  expect(entries).toEqual([
    ['task.assigned', ama!.id, expect.objectContaining({ to: bela!.id, reason: 'You know the hall.' })],
    ['task.assigned', bela!.id, expect.objectContaining({ from: bela!.id, to: chan!.id })],
  ])
})

test('a task cannot be assigned to somebody who may not decide it: their own request, or an earlier decision', async () => {
  const theirs = await own.waiting(own.secondHead)
  expect(await outcome(act(own.head, theirs.id, 'assign', { to: own.secondHead.id }))).toBe(
    'platform.assignee-own-case',
  )
  const people = await own.head.send('GET', `/api/tasks/${theirs.id}/people?for=assign`)
  expect(people.json().items.map(({ name }: { name: string }) => name)).toEqual([])
  const grants = [{ role: 'Registrar' }, { role: 'HOD', scope: { kind: 'department', id: own.department } }]
  const both = await own.app.person('both', ...grants)
  const { id, caseId } = await own.waiting()
  await act(both, id, 'complete', approve)
  const second = await own.taskOf(caseId, { desk: 'userTask_registrar', to: 'Registrar' })
  const refused = await act(own.registrar, second, 'assign', { to: both.id })
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'platform.assignee-decided-before'])
  expect(refused.json().title).toContain('both')
})

test('of two concurrent acts one is told who was faster, and when', async () => {
  for (const [first, second] of [
    [
      ['assign', () => ({ to: chan!.id })],
      ['assign', () => ({ to: chan!.id })],
    ],
    [
      ['follow-up', () => ({ at: soon() })],
      ['question', () => ({ question: 'Why?' })],
    ],
    [
      ['delegate', () => ({ to: lecturer!.id, words: 'Well?' })],
      ['follow-up', () => ({ at: soon() })],
    ],
  ] as const) {
    const { id } = await clerks()
    const answers = await Promise.all([act(ama!, id, first[0], first[1]()), act(bela!, id, second[0], second[1]())])
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
    expect([first[0], second[0], ...statuses]).toEqual([first[0], second[0], 200, 409])
    const loser = answers.find(({ statusCode }) => statusCode === 409)!.json()
    const { assignee } = answers.find(({ statusCode }) => statusCode === 200)!.json()
    expect(loser).toMatchObject({ code: 'platform.task-held' })
    expect(loser.title).toMatch(new RegExp(`^${assignee.name} has taken this already, on .+ \\d\\d:\\d\\d$`))
  }
})

test('a leader of the unit reassigns a task; both people are notified', async () => {
  const { id, caseId } = await clerks()
  await act(ama!, id, 'claim')
  expect(await mays(own.head, id)).toEqual(expect.arrayContaining(['reassign', 'priority', 'due']))
  expect(await mays(bela!, id)).toEqual(['talk'])
  expect(await outcome(act(bela!, id, 'assign', { to: chan!.id }))).toBe('platform.task-held')
  expect(await outcome(act(own.head, id, 'assign', { to: own.head.id }))).toBe('platform.assignee-not-offered')
  expect(await outcome(act(own.head, id, 'assign', { to: bela!.id, reason: 'ama is away' }))).toBe('bela')
  expect((await mailsTo(ama!, caseId)).map(([template]) => template)).toEqual(['task-taken'])
  expect((await mailsTo(bela!, caseId)).map(([template]) => template)).toEqual(['task-assigned'])
  expect((await audited(id)).at(-1)).toMatchObject({
    action: 'task.reassigned',
    acted_as: `HOD@department:${own.department}`,
    payload: { from: ama!.id, to: bela!.id, reason: 'ama is away' },
  })
  expect(await outcome(act(ama!, id, 'complete', approve))).toBe('platform.task-held')
  // A request based on an outdated assignee changes nothing.
  expect(await markTaskHanded(own.db, id, { from: ama!.id, to: chan!.id })).toBe(false)
})

test('a colleague asked for an opinion holds the task and returns it with the opinion, but does not decide', async () => {
  const { id, caseId } = await clerks()
  expect(await outcome(act(ama!, id, 'delegate', { to: own.asker.id, words: 'Well?' }))).toBe(
    'platform.colleague-unsuitable',
  )
  expect(await outcome(act(ama!, id, 'delegate', { to: ama!.id, words: 'Well?' }))).toBe(
    'platform.colleague-unsuitable',
  )
  expect((await view(lecturer!, id)).code).toBe('platform.not-found')
  const asked = await act(ama!, id, 'delegate', { to: lecturer!.id, words: 'Is the hall sound?' })
  expect(asked.json()).toMatchObject({ assignee: { name: 'lecturer' }, delegatedBy: { name: 'ama' }, state: 'held' })
  const [told] = await mailsTo(lecturer!, caseId)
  expect(told).toEqual(['opinion-asked', expect.stringContaining('Is the hall sound?')])

  expect(await mays(lecturer!, id)).toEqual(['release', 'resolve', 'followUp', 'talk'])
  expect((await view(lecturer!, id)).blockedBy).toBe('platform.asked-for-opinion')
  expect(await outcome(act(lecturer!, id, 'complete', approve))).toBe('platform.not-allowed')
  expect(await outcome(act(lecturer!, id, 'delegate', { to: bela!.id, words: 'You?' }))).toBe(
    'platform.asked-for-opinion',
  )
  expect(await outcome(act(lecturer!, id, 'assign', { to: bela!.id }))).toBe('platform.asked-for-opinion')
  expect(await outcome(act(ama!, id, 'complete', approve))).toBe('platform.task-held')
  expect(await outcome(act(ama!, id, 'resolve', { opinion: 'Mine' }))).toBe('platform.opinion-not-asked')

  expect(await outcome(act(lecturer!, id, 'resolve', { opinion: 'It is sound.' }))).toBe('ama')
  expect((await mailsTo(ama!, caseId)).at(-1)).toEqual(['opinion-given', expect.stringContaining('It is sound.')])
  const comments = (await ama!.send('GET', `/api/cases/${caseId}/comments`)).json().items
  expect(comments).toMatchObject([
    { kind: 'comment', author: { name: 'ama' }, body: 'Is the hall sound?', mentions: [{ name: 'lecturer' }] },
    { kind: 'opinion', author: { name: 'lecturer' }, body: 'It is sound.', task: 'Approve' },
  ])
  expect(await outcome(act(ama!, id, 'complete', approve))).toBe('nobody')
  expect((await audited(id)).map(({ action }) => action)).toEqual([
    'task.claimed',
    'task.delegated',
    'task.resolved',
    'task.completed',
  ])
})

test('also a colleague at the same desk does not decide while holding it for an opinion', async () => {
  const { id } = await clerks()
  await act(ama!, id, 'delegate', { to: bela!.id, words: 'Well?' })
  expect(await outcome(act(bela!, id, 'complete', approve))).toBe('platform.asked-for-opinion')
  const forced = own.db.updateTable('task').set({ decided_by: bela!.id }).where('id', '=', id).execute()
  await expect(forced).rejects.toMatchObject({ constraint: 'asked_do_not_decide' })
  // Released it returns to the person who asked, who can also continue without the opinion.
  expect(await outcome(act(bela!, id, 'release'))).toBe('ama')
  await act(ama!, id, 'delegate', { to: bela!.id, words: 'And now?' })
  expect(await mays(ama!, id)).toEqual(['claim', 'talk'])
  expect(await outcome(act(ama!, id, 'claim'))).toBe('ama')
  expect(await outcome(act(bela!, id, 'resolve', { opinion: 'Late' }))).toBe('platform.opinion-not-asked')
})

test('a request for an opinion lasts as long as the right of the person who asked: with their role the task is free again', async () => {
  const dayana = await own.app.person('dayana', { role: 'MA', scope: { kind: 'department', id: own.department } })
  const { id } = await clerks()
  await act(dayana, id, 'delegate', { to: lecturer!.id, words: 'Well?' })
  const grant = await own.db
    .selectFrom('role_grant')
    .select('id')
    .where('account_id', '=', dayana.id)
    .executeTakeFirstOrThrow()
  const ended = await own.admin.send('POST', `/api/grants/${grant.id}/end`, { reason: 'She left' })
  expect(ended.statusCode).toBeLessThan(300)
  const { state, assignee_id, delegated_by } = await taskRepository(own.db).get(id)
  expect({ state, assignee_id, delegated_by }).toEqual({ state: 'open', assignee_id: null, delegated_by: null })
  expect((await view(lecturer!, id)).code).toBe('platform.not-found')
})

test('a task put off leaves the list until its day; released it is there for all at once', async () => {
  const eve = await own.app.person('eve', { role: 'MA', scope: { kind: 'department', id: own.department } })
  const { id } = await clerks()
  const before = await counts(eve)
  expect(await outcome(act(eve, id, 'follow-up', { at: '2020-01-01T00:00:00Z' }))).toBe('platform.moment-past')
  expect(await outcome(act(eve, id, 'follow-up', { at: null }))).toBe('platform.task-not-held')
  const at = soon()
  const answer = await act(eve, id, 'follow-up', { at })
  expect(answer.json()).toMatchObject({ assignee: { name: 'eve' }, followUpAt: at })
  expect(await counts(eve)).toEqual({ open: before['open'] - 1, mine: 0, later: 1 })
  expect(await outcome(act(ama!, id, 'follow-up', { at: soon() }))).toBe('platform.task-held')
  await act(eve, id, 'follow-up', { at: null })
  expect(await counts(eve)).toMatchObject({ mine: 1, later: 0 })
  await act(eve, id, 'follow-up', { at })
  expect((await act(eve, id, 'release')).json()).toMatchObject({ state: 'open', followUpAt: null })
  expect(await counts(eve)).toEqual(before)
})

test('priority is set by anybody who could take it, the due date by leaders; both are recorded', async () => {
  const { id } = await clerks()
  expect((await act(ama!, id, 'priority', { priority: 75 })).json()).toMatchObject({ priority: 75, state: 'open' })
  await act(bela!, id, 'claim')
  expect(await outcome(act(ama!, id, 'priority', { priority: 25 }))).toBe('platform.task-held')
  expect((await act(own.head, id, 'priority', { priority: 50 })).json()).toMatchObject({ priority: 50 })
  const due = { at: soon(), reason: 'The concert is on Friday' }
  expect(await outcome(act(bela!, id, 'due', due))).toBe('platform.not-allowed')
  expect(await outcome(act(own.head, id, 'due', { ...due, at: '2020-01-01T00:00:00Z' }))).toBe('platform.moment-past')
  expect((await act(own.head, id, 'due', due)).json()).toMatchObject({ dueAt: due.at, assignee: { name: 'bela' } })
  expect((await audited(id)).slice(-1)).toMatchObject([
    { action: 'task.due-set', payload: { due: due.at, before: null, reason: due.reason } },
  ])
  await act(bela!, id, 'complete', approve)
  expect(await outcome(act(own.head, id, 'due', due))).toBe('platform.task-decided')
})

test('a question to the requester puts the task off, and the answer returns it to the person who asked', async () => {
  const finn = await own.app.person('finn', { role: 'MA', scope: { kind: 'department', id: own.department } })
  const { id, caseId, reference } = await clerks()
  const asked = await act(finn, id, 'question', { question: 'How many guests?' })
  expect(asked.json()).toMatchObject({ asked: true, assignee: { name: 'finn' } })
  expect(await counts(finn)).toMatchObject({ mine: 0, later: 1 })
  expect(await outcome(act(finn, id, 'question', { question: 'And when?' }))).toBe('platform.question-open')
  expect(await mays(finn, id)).not.toContain('question')
  const [letter] = await mailsTo(own.asker, caseId)
  expect(letter).toEqual(['question', expect.stringContaining('How many guests?')])
  expect(letter![1]).toContain(`/cases/${caseId}`)

  const [question] = (await own.asker.send('GET', `/api/cases/${caseId}`)).json().questions
  expect(question).toMatchObject({ task: 'Approve', question: 'How many guests?', open: true, answer: null })
  const answer = (who: Caller, body: object, of = caseId) =>
    who.send('POST', `/api/cases/${of}/questions/${question.id}/answer`, body)
  expect((await answer(finn, { answer: 'Ten' })).statusCode).toBe(403)
  expect((await answer(own.otherHead, { answer: 'Ten' })).statusCode).toBe(404)
  expect((await answer(own.asker, { answer: 'Ten' }, (await own.waiting()).caseId)).statusCode).toBe(404)
  const answered = await answer(own.asker, { answer: 'Thirty.' })
  expect(answered.json().questions).toMatchObject([{ open: false, answer: 'Thirty.' }])
  expect((await answer(own.asker, { answer: 'Forty.' })).json().code).toBe('platform.question-over')

  expect(await counts(finn)).toMatchObject({ mine: 1, later: 0 })
  expect((await mailsTo(finn, caseId)).at(-1)).toEqual(['question-answered', expect.stringContaining('Thirty.')])
  expect(await view(finn, id)).toMatchObject({
    task: { asked: false, reference },
    questions: [{ answer: 'Thirty.', answeredBy: { name: 'asker' }, askedBy: { name: 'finn' } }],
  })
  expect((await audited(id)).map(({ action }) => action)).toEqual([
    'task.claimed',
    'question.asked',
    'question.answered',
  ])
})

test('the history of a case tells who had it; the requester does not see what passes between colleagues', async () => {
  const { id, caseId } = await clerks()
  await act(ama!, id, 'assign', { to: bela!.id })
  await act(bela!, id, 'delegate', { to: lecturer!.id, words: 'Well?' })
  await act(lecturer!, id, 'resolve', { opinion: 'Fine' })
  await act(bela!, id, 'question', { question: 'Why?' })
  const history = async (who: Caller) =>
    (await who.send('GET', `/api/cases/${caseId}/history`))
      .json()
      .items.filter(({ kind }: { kind: string }) => kind === 'claimed' || kind === 'asked')
      .map(({ text }: { text: string }) => text)
  expect(await history(bela!)).toEqual([
    'ama gave to bela: Approve',
    'bela asked lecturer for an opinion: Approve',
    'lecturer gave an opinion to bela: Approve',
    'bela asked the requester: Approve',
  ])
  expect(await history(own.asker)).toEqual(['bela asked the requester: Approve'])
})

test('a question is withdrawn by the person who asked, and ends when the task is decided', async () => {
  const { id, caseId } = await clerks()
  const questions = async () => (await own.asker.send('GET', `/api/cases/${caseId}`)).json().questions
  await act(ama!, id, 'question', { question: 'How many guests?' })
  const withdraw = (who: Caller) => who.send('DELETE', `/api/tasks/${id}/question`)
  expect(await outcome(withdraw(bela!))).toBe('platform.task-held')
  expect((await withdraw(ama!)).json()).toMatchObject({ asked: false })
  expect(await outcome(withdraw(ama!))).toBe('platform.question-over')
  expect(await questions()).toEqual([])
  await act(ama!, id, 'question', { question: 'And when?' })
  const [{ id: question }] = await questions()
  await act(ama!, id, 'complete', approve)
  expect(await questions()).toEqual([])
  const late = await own.asker.send('POST', `/api/cases/${caseId}/questions/${question}/answer`, { answer: 'At nine' })
  expect([late.statusCode, late.json().code]).toEqual([409, 'platform.question-over'])
})

test('nobody asks themselves, or about what they may not decide', async () => {
  const theirs = await own.waiting(own.secondHead)
  for (const [verb, body] of [
    ['question', { question: 'Why?' }],
    ['delegate', { to: lecturer!.id, words: 'Well?' }],
    ['follow-up', { at: soon() }],
  ] as const)
    expect([verb, await outcome(act(own.secondHead, theirs.id, verb, body))]).toEqual([verb, 'platform.own-case'])
})
