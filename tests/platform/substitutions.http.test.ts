import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JobHelpers } from 'graphile-worker'
import { randomUUID } from 'node:crypto'
import { accessTasks } from '../../api/platform/features/access/access-tasks.ts'
import { SETTLE_ACCESS } from '../../api/platform/people/access/dated.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { endGrant } from '../../api/platform/features/access/grants.ts'
import { getPerson } from '../../api/platform/people/identity/accounts.ts'
import { taskRepository } from '../../api/platform/work/rows/tasks.ts'
import { type DeskApp, type Waiting, deskApp } from './fixtures/desk-app.ts'
import { FLOW, library } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'
import { until } from './kit/poll.ts'

let own: DeskApp
let deputy: Caller
let auditor: Caller
beforeAll(async () => {
  own = await deskApp()
  deputy = await own.app.person('deputy', { role: 'Lecturer' })
  auditor = await own.app.person('auditor', { role: 'Deputy Internal Auditor' })
})
afterAll(() => own?.close())

let day = 0
/** A period of its own in later years, so that no two tests overlap; `now`: the next hour. */
function time(when: 'now' | 'later' = 'later') {
  if (when === 'now') return { from: new Date().toISOString(), until: new Date(Date.now() + 3_600_000).toISOString() }
  day += 10
  const at = (more: number) => new Date(Date.UTC(2040, 0, day + more)).toISOString()
  return { from: at(0), until: at(7) }
}
const ask = (absent: Caller, substitute: Caller, more: object = {}) =>
  absent.send('POST', '/api/substitutions', { substitute: substitute.id, ...time(), ...more })
const answer = (who: Caller, id: string, verb: string) => who.send('POST', `/api/substitutions/${id}/${verb}`)
/** A substitution that is in force from now on, until the test ends it. */
async function inForce(absent: Caller, substitute: Caller, more: object = {}) {
  const asked = await ask(absent, substitute, { ...time('now'), ...more })
  expect([asked.statusCode, asked.json().state, asked.json().inForce]).toEqual([201, 'asked', false])
  const { id } = asked.json()
  expect((await answer(substitute, id, 'accept')).json()).toMatchObject({ state: 'accepted', inForce: true })
  return { id, end: async () => expect((await answer(absent, id, 'end')).statusCode).toBe(200) }
}
const act = (who: Caller, id: string, verb: string, body?: object) => who.send('POST', `/api/tasks/${id}/${verb}`, body)
const decide = (who: Caller, id: string, more: object = {}) =>
  act(who, id, 'complete', { data: { outcome: 'approve' }, ...more })
const codeOf = async (asked: ReturnType<typeof decide>) => {
  const { statusCode, json } = await asked
  return statusCode < 300 ? 'done' : json<{ code: string }>().code
}
/** A decision as the database stores it with a task. */
const approval = { outcome: 'approve', command: randomUUID() }
const stored = (id: string) => taskRepository(own.db).get(id)

/** The engine has moved on to the second desk, the Registrar's or another role's. */
async function decidedAndOn({ caseId, id }: Waiting, to = 'Registrar'): Promise<string> {
  await taskRepository(own.db).end(id, 'done', new Date(), null)
  return own.taskOf(caseId, { desk: 'userTask_registrar', to })
}

test('people and period of a substitution are checked, field by field', async () => {
  const asks = (who: Caller, body: object) => who.send('POST', '/api/substitutions', body)
  const [past, present] = ['2020-01-01T00:00:00Z', new Date().toISOString()]
  const { head, asker } = own
  for (const [who, body, status, found] of [
    [own.app as never as Caller, { substitute: deputy.id, ...time() }, 401, 'platform.not-signed-in'],
    [asker, { substitute: deputy.id, ...time() }, 403, 'platform.not-allowed'],
    [head, { substitute: deputy.id, ...time(), absent: deputy.id }, 403, 'platform.not-allowed'],
    [head, { substitute: head.id, ...time() }, 422, 'platform.substitute-oneself'],
    [head, { substitute: asker.id, ...time() }, 422, 'platform.substitute-not-staff'],
    [head, { substitute: randomUUID(), ...time() }, 422, 'platform.substitute-not-staff'],
    [head, { substitute: deputy.id, from: past, until: past }, 422, 'platform.end-past'],
    [
      head,
      { substitute: deputy.id, from: '2041-01-02T00:00:00Z', until: '2041-01-01T00:00:00Z' },
      422,
      'platform.ends-before-start',
    ],
    [head, { substitute: deputy.id, ...time(), flows: ['no/flow'] }, 422, 'platform.flow-unknown'],
    [head, { substitute: deputy.id, ...time(), flows: [] }, 400, 'platform.request-invalid'],
    [head, { substitute: deputy.id, from: present, until: 'tomorrow' }, 400, 'platform.request-invalid'],
    [own.admin, { substitute: own.admin.id, ...time(), absent: head.id }, 422, 'platform.substitute-appointed'],
  ] as const) {
    const refused = await asks(who, body)
    const { code, errors } = refused.json()
    expect([refused.statusCode, code === 'platform.form-invalid' ? errors[0].code : code]).toEqual([status, found])
  }
  expect((await asker.send('GET', '/api/substitutions/people?search=deputy')).statusCode).toBe(403)
  const people = await head.send('GET', '/api/substitutions/people?search=DEP')
  expect(people.json()).toEqual([{ id: deputy.id, name: 'deputy', post: null }])
})

test('both people and auditors see it, each step notifies the other person and is recorded in the audit trail', async () => {
  const { head, secondHead } = own
  const told = async (who: Caller) =>
    (await own.db.selectFrom('mail').select('template').where('recipient_id', '=', who.id).orderBy('id').execute()).map(
      ({ template }) => template.replace('platform.mail.substitution-', ''),
    )
  const asked = (await ask(head, deputy, { flows: [FLOW], amountLimit: 1_000_000, reason: 'Leave' })).json()
  expect(asked).toMatchObject({
    absent: { id: head.id, name: 'head' },
    substitute: { id: deputy.id, name: 'deputy' },
    flows: [{ key: FLOW }],
    amountLimit: 1_000_000,
    reason: 'Leave',
    state: 'asked',
  })
  const seen = async (who: Caller, all = '') => {
    const list = await who.send('GET', `/api/substitutions?limit=1${all}`)
    return list.statusCode === 200 ? list.json().items.map(({ id }: { id: string }) => id) : list.statusCode
  }
  expect([await seen(head), await seen(deputy), await seen(secondHead)]).toEqual([[asked.id], [asked.id], []])
  expect(await seen(auditor, '&all=true')).toEqual([asked.id])
  expect([await seen(own.admin, '&all=true'), await seen(head, '&all=true')]).toEqual([[asked.id], 403])
  // Only the substitute answers, only the two and an administrator end it; for others it does not exist.
  expect([await codeOf(answer(head, asked.id, 'accept')), await codeOf(answer(secondHead, asked.id, 'end'))]).toEqual([
    'platform.not-allowed',
    'platform.not-found',
  ])
  expect((await answer(deputy, asked.id, 'decline')).json()).toMatchObject({ state: 'declined', inForce: false })
  expect(await codeOf(answer(deputy, asked.id, 'accept'))).toBe('platform.substitution-answered')
  const again = (await ask(head, deputy)).json()
  await answer(deputy, again.id, 'accept')
  expect((await answer(own.admin, again.id, 'end')).json()).toMatchObject({
    state: 'ended',
    endedBy: { id: own.admin.id },
  })
  expect(await codeOf(answer(deputy, again.id, 'end'))).toBe('platform.substitution-over')
  expect([await told(head), await told(deputy)]).toEqual([
    ['declined', 'accepted', 'ended'],
    ['asked', 'asked', 'ended'],
  ])
  const entries = await own.db
    .selectFrom('audit_entry')
    .select(['action', 'actor', 'acted_as'])
    .where('object', '=', `substitution:${again.id}`)
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { action: 'substitution.asked', actor: head.id, acted_as: null },
    { action: 'substitution.accepted', actor: deputy.id, acted_as: null },
    { action: 'substitution.ended', actor: own.admin.id, acted_as: 'ADMIN' },
  ])
})

test('nobody is asked twice for the same time, and a substitute cannot pass it on', async () => {
  const { head, secondHead, registrar } = own
  const when = time()
  const first = (await ask(head, deputy, when)).json()
  expect(await codeOf(ask(head, deputy, when))).toBe('platform.substitution-overlaps')
  expect(await codeOf(ask(deputy, head, when))).toBe('platform.substitution-circle')
  expect(await codeOf(ask(deputy, registrar, when))).toBe('platform.absent-substitutes')
  expect(await codeOf(ask(secondHead, head, when))).toBe('platform.substitute-absent')
  // Another person, and another period, are allowed.
  for (const more of [when, {}]) expect((await ask(head, registrar, more)).statusCode).toBe(201)
  await answer(deputy, first.id, 'decline')
  expect((await ask(deputy, secondHead, when)).statusCode).toBe(201)
  // Also with two concurrent requests: the database lets one through.
  const same = time()
  const both = await Promise.all([ask(head, secondHead, same), ask(secondHead, head, same)])
  const won = both.find(({ statusCode }) => statusCode === 201)!.json()
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409])
  const chain = (absent: string, substitute: string) =>
    own.db
      .insertInto('substitution')
      .values({
        id: randomUUID(),
        absent_id: absent,
        substitute_id: substitute,
        asked_by: absent,
        starts_at: same.from,
        ends_at: same.until,
      })
      .execute()
  await expect(chain(won.substitute.id, deputy.id)).rejects.toMatchObject({ constraint: 'substitution_is_no_chain' })
})

test('a substitute sees, takes and decides what is offered to the absent person, and it says whose it is', async () => {
  const { head, registrar } = own
  const one = await own.waiting()
  expect((await deputy.send('GET', `/api/tasks/${one.id}`)).statusCode).toBe(404)
  const stands = await inForce(head, deputy)
  expect((await deputy.send('GET', `/api/cases/${one.caseId}`)).statusCode).toBe(200)
  expect((await deputy.send('GET', `/api/tasks/${one.id}`)).json().blockedBy).toBeNull()
  expect((await act(deputy, one.id, 'claim')).statusCode).toBe(200)
  expect(await stored(one.id)).toMatchObject({ assignee_id: deputy.id, held_for: head.id })
  expect((await act(deputy, one.id, 'release')).statusCode).toBe(200)
  expect(await stored(one.id)).toMatchObject({ assignee_id: null, held_for: null })
  // Decided, undone and decided again, directly from the list.
  expect(await codeOf(decide(deputy, one.id, { notBefore: new Date(Date.now() + 20_000).toISOString() }))).toBe('done')
  expect(await stored(one.id)).toMatchObject({ decided_by: deputy.id, decided_for: head.id })
  expect((await act(deputy, one.id, 'undo')).statusCode).toBe(200)
  expect(await stored(one.id)).toMatchObject({ state: 'open', decided_by: null, decided_for: null })
  expect(await codeOf(decide(deputy, one.id))).toBe('done')
  const noted = await own.db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select(['e.action', 'e.actor', 'e.acted_as', 'p.payload'])
    .where('e.object', '=', `task:${one.id}`)
    .orderBy('e.id')
    .execute()
  expect(noted.map(({ action }) => action)).toEqual([
    'task.claimed',
    'task.released',
    'task.completed',
    'task.completion-undone',
    'task.completed',
  ])
  for (const entry of noted)
    expect(entry).toMatchObject({
      actor: deputy.id,
      acted_as: `HOD@department:${own.department}`,
      payload: expect.objectContaining({ for: head.id }),
    })
  const history = (await head.send('GET', `/api/cases/${one.caseId}/history`)).json()
  expect(JSON.stringify(history)).toContain('deputy decided for head')
  await stands.end()
  // They keep access to what they decided, but not to what waits now.
  expect((await deputy.send('GET', `/api/cases/${one.caseId}`)).statusCode).toBe(200)
  const next = await own.waiting()
  expect((await deputy.send('GET', `/api/tasks/${next.id}`)).statusCode).toBe(404)
  expect((await registrar.send('GET', `/api/tasks/${next.id}`)).statusCode).toBe(404)
})

test('tasks of the absent person may be taken over; when it ends, early or by date, they are free again', async () => {
  const { head, secondHead } = own
  const [held, open] = [await own.waiting(), await own.waiting()]
  await act(head, held.id, 'claim')
  expect(await codeOf(act(deputy, held.id, 'claim'))).toBe('platform.not-found')
  const first = await inForce(head, deputy)
  expect(await codeOf(act(secondHead, held.id, 'claim'))).toBe('platform.task-held')
  expect(await codeOf(act(deputy, held.id, 'claim'))).toBe('done')
  expect(await stored(held.id)).toMatchObject({ assignee_id: deputy.id, held_for: head.id })
  await first.end()
  expect(await stored(held.id)).toMatchObject({ state: 'open', assignee_id: null, held_for: null })
  expect(await codeOf(decide(deputy, held.id))).toBe('platform.not-found')

  const second = await inForce(head, deputy)
  for (const { id } of [open, held]) await act(deputy, id, 'claim')
  const soon = new Date(Date.now() + 20_000).toISOString()
  await decide(deputy, held.id, { notBefore: soon })
  // Its last day has passed, and no job has ended it yet.
  const at = new Date(Date.now() - 1000)
  const [before, now] = [new Date(at.getTime() - 1000), at]
  await own.db
    .updateTable('substitution')
    .set({ starts_at: before, ends_at: now })
    .where('id', '=', second.id)
    .execute()
  expect(await codeOf(decide(deputy, open.id))).toBe('platform.not-allowed')
  // A decision made in time stays; the database refuses late ones.
  expect(await stored(held.id)).toMatchObject({ state: 'accepted', decided_for: head.id })
  const late = taskRepository(own.db).accept(open.id, deputy.id, { ...approval, decidedFor: head.id })
  await expect(late).rejects.toMatchObject({ constraint: 'task_decided_in_stead' })
  const jobs = accessTasks({ db: own.db, library, definitions: definitionStore(own.db), publicUrl: 'http://localhost' })
  await jobs[SETTLE_ACCESS]!({ at: at.toISOString() }, {} as JobHelpers)
  expect(await stored(open.id)).toMatchObject({ state: 'open', assignee_id: null, held_for: null })
  // A decision without effect after the end returns the task to all candidates, not to the substitute.
  await own.db.transaction().execute((trx) => taskRepository(trx).reopen(held.id))
  expect(await stored(held.id)).toMatchObject({ state: 'open', assignee_id: null })
})

test('a substitute who is also offered the task holds it for the absent person, and loses it with that', async () => {
  const { head, secondHead } = own
  const [both, mine] = [await own.waiting(), await own.waiting()]
  await act(head, both.id, 'claim')
  const stands = await inForce(head, secondHead)
  for (const { id } of [both, mine]) expect(await codeOf(act(secondHead, id, 'claim'))).toBe('done')
  expect(await stored(both.id)).toMatchObject({ assignee_id: secondHead.id, held_for: head.id })
  expect(await stored(mine.id)).toMatchObject({ assignee_id: secondHead.id, held_for: null })
  await stands.end()
  expect(await stored(both.id)).toMatchObject({ state: 'open', held_for: null })
  expect(await stored(mine.id)).toMatchObject({ state: 'held', assignee_id: secondHead.id })
})

test('jobs exist for its start and its end', async () => {
  const when = time()
  const { id } = (await ask(own.head, deputy, when)).json()
  await answer(deputy, id, 'accept')
  const { rows } = await own.database.pool.query<{ key: string }>(
    `select key from graphile_worker.jobs where key in ($1, $2) order by run_at`,
    [`access:${when.from}`, `access:${when.until}`],
  )
  expect(rows).toHaveLength(2)
  await answer(deputy, id, 'end')
})

test('it covers what was agreed: some flows, up to an amount, and never unlimited or personal rights', async () => {
  const { head, admin, db } = own
  const priced = async (amount: number | null) => {
    const one = await own.waiting()
    await db.updateTable('flow_case').set({ amount }).where('id', '=', one.caseId).execute()
    return one
  }
  const [cheap, dear, free] = [await priced(1_000), await priced(1_001), await priced(null)]
  const limited = await inForce(head, deputy, { amountLimit: 1_000 })
  expect(await codeOf(decide(deputy, dear.id))).toBe('platform.not-found')
  expect(await codeOf(decide(deputy, free.id))).toBe('platform.not-found')
  expect((await deputy.send('GET', `/api/cases/${dear.caseId}`)).statusCode).toBe(404)
  const past = taskRepository(db).accept(dear.id, deputy.id, { ...approval, decidedFor: head.id })
  await expect(past).rejects.toMatchObject({ constraint: 'task_decided_in_stead' })
  expect(await codeOf(decide(deputy, cheap.id))).toBe('done')
  await limited.end()
  const other = await inForce(head, deputy, { flows: [FLOW] })
  const person = await getPerson(db, deputy.id)
  expect(person.standsIn).toEqual([
    {
      id: other.id,
      absent: { id: head.id, name: 'head' },
      principals: ['HOD', `HOD@department:${own.department}`],
      flows: [FLOW],
      amountLimit: null,
    },
  ])
  await db
    .updateTable('substitution')
    .set({ flows: ['some/other'] })
    .where('id', '=', other.id)
    .execute()
  expect(await codeOf(decide(deputy, dear.id))).toBe('platform.not-found')
  await other.end()
  // An administrator has no substitute; a requester's own desk stays theirs.
  const powerless = await inForce(admin, deputy)
  expect((await getPerson(db, deputy.id)).standsIn[0]!.principals).toEqual([])
  expect([await codeOf(decide(deputy, dear.id)), (await deputy.send('GET', '/api/grants')).statusCode >= 400]).toEqual([
    'platform.not-found',
    true,
  ])
  await powerless.end()
  const returned = await own.waiting(head, { to: `user:${head.id}` })
  const byName = await inForce(head, deputy)
  expect(await codeOf(act(deputy, returned.id, 'claim'))).toBe('platform.not-found')
  await byName.end()
})

test('what the absent person loses, the substitute loses too', async () => {
  const { db, department } = own
  const scope = { kind: 'department', id: department }
  const acting = await own.app.person('acting', { role: 'HOD', scope })
  const one = await own.waiting()
  const stands = await inForce(acting, deputy)
  await act(deputy, one.id, 'claim')
  const { id: grant } = await db
    .selectFrom('role_grant')
    .select('id')
    .where('account_id', '=', acting.id)
    .executeTakeFirstOrThrow()
  const context = { db, library, definitions: definitionStore(db), publicUrl: 'http://localhost' }
  await endGrant(context, await getPerson(db, own.admin.id), grant, { reason: 'Over' })
  expect(await stored(one.id)).toMatchObject({ state: 'open', assignee_id: null })
  expect(await codeOf(decide(deputy, one.id))).toBe('platform.not-found')
  await stands.end()
})

test('nobody decides their own request through a substitute, nor as one', async () => {
  const { head, secondHead, db } = own
  // The head's own request, at the head's desk: not for the substitute, but for the other head.
  const heads = await own.waiting(head)
  const forHead = await inForce(head, secondHead)
  const person = await inForce(own.registrar, deputy)
  expect(await codeOf(decide(head, heads.id))).toBe('platform.own-case')
  await forHead.end()
  const lonely = await inForce(head, deputy)
  for (const verb of ['claim', 'complete'])
    expect(
      await codeOf(act(deputy, heads.id, verb, verb === 'claim' ? undefined : { data: { outcome: 'approve' } })),
    ).toBe('platform.own-case-of-absent')
  expect((await deputy.send('GET', `/api/tasks/${heads.id}`)).json().blockedBy).toBe('platform.own-case-of-absent')
  const past = (by: Caller, decidedFor: string | null) =>
    taskRepository(db).accept(heads.id, by.id, { ...approval, decidedFor })
  await expect(past(deputy, head.id)).rejects.toMatchObject({ constraint: 'task_not_ones_own' })
  await expect(past(head, null)).rejects.toMatchObject({ constraint: 'task_not_ones_own' })
  // The deputy's own request, which would reach them as the head's substitute.
  const deputys = await own.waiting(deputy)
  expect(await codeOf(decide(deputy, deputys.id))).toBe('platform.own-case')
  await lonely.end()
  await person.end()
})

test('two desks need two people, by whatever right each reaches the desk', async () => {
  const { head, registrar, secondHead, db } = own
  const barred = (desk: string, by: string, decidedFor: string | null) =>
    expect(taskRepository(db).accept(desk, by, { ...approval, decidedFor })).rejects.toMatchObject({
      constraint: 'task_four_eyes',
    })
  // Decided in person: not again as the Registrar's substitute, nor after an undo and another assignment.
  const first = await own.waiting()
  const forRegistrar = await inForce(registrar, head)
  const soon = new Date(Date.now() + 20_000).toISOString()
  await decide(head, first.id, { notBefore: soon })
  await act(head, first.id, 'undo')
  await decide(head, first.id)
  const second = await decidedAndOn(first)
  for (const verb of ['claim', 'complete'])
    expect(await codeOf(act(head, second, verb, verb === 'claim' ? undefined : { data: { outcome: 'approve' } }))).toBe(
      'platform.decided-before',
    )
  await barred(second, head.id, registrar.id)
  await forRegistrar.end()

  // Decided for the head: neither the head nor the substitute decides further, nor does the head's substitute.
  const third = await own.waiting()
  const forHead = await inForce(head, deputy)
  await decide(deputy, third.id)
  const fourth = await decidedAndOn(third, `HOD@department:${own.department}`)
  expect(await codeOf(decide(head, fourth))).toBe('platform.decided-before')
  expect(await codeOf(decide(deputy, fourth))).toBe('platform.decided-before')
  await barred(fourth, head.id, null)
  await forHead.end()
  const another = await inForce(head, registrar)
  expect(await codeOf(decide(registrar, fourth))).toBe('platform.absent-decided-before')
  await barred(fourth, registrar.id, head.id)
  await another.end()
  // Somebody who was not involved may.
  expect(await codeOf(decide(secondHead, fourth))).toBe('done')
  // Of two desks that require different people and are decided concurrently, one succeeds.
  const { id: fifth, caseId } = await own.waiting()
  const sixth = await own.taskOf(caseId, { desk: 'userTask_registrar', to: `HOD@department:${own.department}` })
  await db
    .updateTable('task')
    .set({ four_eyes: ['userTask_registrar'] })
    .where('id', '=', fifth)
    .execute()
  const both = await Promise.all([codeOf(decide(head, fifth)), codeOf(decide(head, sixth))])
  expect(both.toSorted()).toEqual(['done', 'platform.decided-before'])
})

test('lists and hints reach the substitute at once', async () => {
  const { head } = own
  const base = await own.app.app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${deputy.token}` }
  const response = await fetch(`${base}/api/events`, { headers, signal: leaving.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
  })().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
  await until('the deputy listens', async () => own.app.hub.size() === 1)
  const stands = await inForce(head, deputy)
  await until('the deputy is told that they may more', async () => text.includes('"me":true'))
  const one = await own.waiting()
  await act(own.secondHead, one.id, 'claim')
  await until('a hint of the task comes', async () => text.includes(one.id))
  // Hints about the list go out before those about its content.
  const inbox = '{"inbox":true,"cases":[],"tasks":[],"me":false}'
  const toldBefore = text.split(inbox).length
  await act(own.secondHead, one.id, 'release')
  await until('and one of the list', async () => text.split(inbox).length > toldBefore)
  await act(own.secondHead, one.id, 'claim')
  const listed = await deputy.send('GET', '/api/tasks?queue=group&limit=100')
  expect(listed.json().items.map(({ id }: { id: string }) => id)).toContain(one.id)
  await stands.end()
  const after = await deputy.send('GET', '/api/tasks?queue=group&limit=100')
  expect(after.json().items).toEqual([])
  leaving.abort()
  await reading
})
