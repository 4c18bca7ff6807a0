import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { grantsOfPost } from '../../api/platform/features/access/posts.ts'
import { addGrants } from '../../api/platform/people/access/grant-rows.ts'
import { addHolder } from '../../api/platform/people/access/holder-rows.ts'
import type { Operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { getPerson, grantRole } from '../../api/platform/people/identity/accounts.ts'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { FLOW, aVisit, roundTrip } from './fixtures/round-trip.ts'
import { type Heart, heart } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'
import { anAccount, anItem } from './kit/rows.ts'

let one: Heart
let department: string
let [requester, head, keeper, clerk]: Person[] = []
/** A hook right before a message reaches the engine. */
let beforeMessage: (engine: Operaton, instanceId: string) => Promise<unknown> = async () => undefined

beforeAll(async () => {
  one = await heart({
    other: roundTrip,
    over: (engine) => ({
      ...engine,
      correlate: async (given) => (await beforeMessage(engine, given.instanceId), engine.correlate(given)),
    }),
  })
  one.feed.start()
  one.jobs.start()
  const { db } = one
  const post = await anItem(db, 'platform/post', { data: { name: 'Keeper', code: randomUUID(), role: 'Registrar' } })
  const faculty = await anItem(db, 'platform/faculty', { data: { keeper: post } })
  department = await anItem(db, 'platform/department', { data: { name: 'Dance', code: randomUUID(), faculty } })
  requester = await holding()
  head = await holding(['HOD', { kind: 'department', id: department }])
  clerk = await holding(['Division MA', null], ['HOD', { kind: 'department', id: department }])
  keeper = await holderOf(post)
})
afterAll(() => one.close())

async function holding(...grants: [role: string, scope: { kind: string; id: string } | null][]): Promise<Person> {
  const id = await anAccount(one.db)
  for (const [role, scope] of grants) await grantRole(one.db, id, { role, scope })
  return getPerson(one.db, id)
}

/** A holder of a post, with its role. */
async function holderOf(post: string): Promise<Person> {
  const account = await anAccount(one.db)
  const seeded = { account, startsAt: null, endsAt: null, by: null, reason: 'for a test' }
  const holder = await addHolder(one.db, { ...seeded, post, acting: false })
  const grants = grantsOfPost({ id: post, role: 'Registrar', above: null })
  await addGrants(
    one.db,
    grants.map((grant) => ({ ...seeded, ...grant, origin: 'post', holder })),
  )
  return getPerson(one.db, account)
}

const taskOf = (person: Person, reference: string, desk: string) =>
  until(`a task at ${desk}`, async () => {
    const { items } = await one.tasks.list(person, { search: reference })
    return items.find((task) => task.desk === desk)
  })

/** Decides at a desk once the case is there. */
async function decide(person: Person, reference: string, desk: string, data: object) {
  const task = await taskOf(person, reference, desk)
  await one.tasks.complete(person, task.id, { data })
  return task
}

/** A case that waits for the keeper, after the head has approved it. */
async function approvedByHead(more: object = {}) {
  const { case: begun } = await one.cases.submit(requester!, aVisit(department, more))
  await decide(head!, begun.reference, 'userTask_head', { outcome: 'approve', reason: 'fits' })
  return begun
}

const slotsOf = (caseId: string) =>
  one.db
    .selectFrom('allocation')
    .select(['purpose', 'state'])
    .select(({ fn }) => fn<Date>('lower', ['booked']).as('from'))
    .where('case_id', '=', caseId)
    .where('state', '<>', 'released')
    .orderBy('purpose')
    .execute()

test('a correction becomes the current data, with everything derived; the requester stays', async () => {
  const begun = await approvedByHead({ guests: 4 })
  await decide(keeper!, begun.reference, 'userTask_keeper', { outcome: 'return', return_to: 'requester', reason: '?' })
  const task = await taskOf(requester!, begun.reference, 'userTask_correct')
  expect((await one.tasks.get(requester!, task.id)).case.data).toEqual(begun.data)

  const taken = await one.cases.submit(requester!, aVisit(department))
  const { from, until: end } = taken.case.data as { from: string; until: string }
  const later = (hours: number) => new Date(Date.parse(end) + hours * 3_600_000).toISOString()
  const complete = (change: object) => {
    const data = { department, purpose: 'A party', from: later(0), until: later(6), ...change }
    return one.tasks.complete(requester!, task.id, { data, notBefore: new Date(Date.now() + 20_000).toISOString() })
  }
  const other = await anItem(one.db, 'platform/department')
  await expect(complete({ department: other })).rejects.toMatchObject({
    fields: [{ field: '/department', code: 'platform.cannot-change' }],
  })
  await expect(complete({ from, until: end })).rejects.toMatchObject({ code: 'platform.slot-taken' })
  expect((await one.cases.get(requester!, begun.id)).data).toEqual(begun.data)

  expect(await complete({})).toMatchObject({ state: 'done' })
  const corrected = await one.cases.get(head!, begun.id)
  expect(corrected).toMatchObject({
    data: { department, purpose: 'A party', from: later(0), until: later(6) },
    subject: { purpose: 'A party' },
    facts: { hours: 6 },
    scope: begun.scope,
  })
  expect(await slotsOf(begun.id)).toEqual([{ purpose: 'booking', state: 'claimed', from: new Date(later(0)) }])
  const variables = await one.cases.variables(head!, begun.id)
  const said = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  expect(said).toMatchObject({ long: true, guests: null })
  await taskOf(head!, begun.reference, 'userTask_head')
})

test('a case returns to a desk that has decided before, never forward past one', async () => {
  const begun = await approvedByHead()
  const task = await taskOf(keeper!, begun.reference, 'userTask_keeper')
  const earlier = [{ id: 'userTask_head', name: 'Approve as head', by: { id: head!.id, name: head!.name } }]
  expect((await one.tasks.get(keeper!, task.id)).earlierDesks).toEqual(earlier)
  const back = (person: Person, id: string, return_to: string) =>
    one.tasks.complete(person, id, { data: { outcome: 'return', return_to } })
  for (const desk of ['userTask_keeper', 'userTask_correct', 'userTask_none'])
    await expect(back(keeper!, task.id, desk)).rejects.toMatchObject({
      fields: [{ field: '/return_to', code: 'platform.desk-not-decided' }],
    })
  await back(keeper!, task.id, 'userTask_head')

  const again = await taskOf(head!, begun.reference, 'userTask_head')
  expect((await one.tasks.get(head!, again.id)).earlierDesks).toEqual([])
  await expect(back(head!, again.id, 'userTask_keeper')).rejects.toMatchObject({ code: 'platform.form-invalid' })
})

test('a decision provides what the flow requires of its desk', async () => {
  const { case: begun } = await one.cases.submit(requester!, aVisit(department, { purpose: 'A rehearsal' }))
  const task = await taskOf(head!, begun.reference, 'userTask_head')
  const approve = (more: object) => one.tasks.complete(head!, task.id, { data: { outcome: 'approve', ...more } })
  await expect(approve({})).rejects.toMatchObject({ fields: [{ field: '/reason', code: 'platform.field-required' }] })
  await approve({ reason: 'fits' })
})

test('the requester asks for another time while the case waits for that; the old slot stays until it is decided', async () => {
  const begun = await approvedByHead()
  await taskOf(keeper!, begun.reference, 'userTask_keeper')
  expect((await one.cases.get(head!, begun.id)).acts).toEqual([])
  expect((await one.cases.get(requester!, begun.id)).acts).toMatchObject([{ name: 'move', form: 'tests/another-time' }])
  const { from, until: end } = aVisit(department).data
  const move = (person: Person, name = 'move', data: object = { from, until: end }, key = randomUUID()) =>
    one.cases.act(person, begun.id, name, { data, key })
  await expect(move(head!)).rejects.toMatchObject({ code: 'platform.not-allowed' })
  await expect(move(requester!, 'fly')).rejects.toMatchObject({ code: 'platform.not-found' })
  await expect(move(requester!, 'move', { from })).rejects.toMatchObject({ fields: [{ field: '/until' }] })
  const long = { from, until: new Date(Date.parse(end) + 3_600_000).toISOString() }
  await expect(move(requester!, 'move', long)).rejects.toMatchObject({
    fields: [{ field: '/until', code: 'platform.check-maximum' }],
  })

  const key = randomUUID()
  await Promise.all([1, 2].map(() => move(requester!, 'move', undefined, key)))
  const moved = await until('the case has moved', async () => {
    const found = await one.cases.get(requester!, begun.id)
    return found.state === 'ended' && found
  })
  expect(moved.statuses['status']).toMatchObject({ key: 'moved' })
  expect(moved.submissions.filter(({ act }) => act === 'move')).toMatchObject([{ effect: 'done', desk: null }])
  expect((await one.cases.history(head!, begun.id)).filter(({ kind }) => kind === 'acted')).toHaveLength(1)
  expect(await slotsOf(begun.id)).toMatchObject([
    { purpose: 'booking', from: new Date(begun.data['from'] as string) },
    { purpose: 'move', from: new Date(from) },
  ])
  await expect(move(requester!)).rejects.toMatchObject({ code: 'platform.act-not-possible' })
})

test('a late act has no effect, and releases what it had taken', async () => {
  const begun = await approvedByHead()
  await taskOf(keeper!, begun.reference, 'userTask_keeper')
  const { from, until: end } = aVisit(department).data
  // The keeper decides while the act is being sent.
  beforeMessage = async () => {
    beforeMessage = async () => undefined
    await decide(keeper!, begun.reference, 'userTask_keeper', { outcome: 'approve' })
  }
  await expect(one.cases.act(requester!, begun.id, 'move', { data: { from, until: end } })).rejects.toMatchObject({
    code: 'platform.act-not-possible',
  })
  expect(await slotsOf(begun.id)).toMatchObject([{ purpose: 'booking' }])
  const { submissions, endReason } = await one.cases.get(requester!, begun.id)
  expect(submissions.find(({ act }) => act === 'move')).toMatchObject({ effect: 'void' })
  expect(endReason).not.toBe('withdrawn')
})

test('until the feed reports that another time is being decided, a further request takes nothing away from it', async () => {
  const begun = await approvedByHead()
  await taskOf(keeper!, begun.reference, 'userTask_keeper')
  const move = (times: { from: string; until: string }) =>
    one.cases.act(requester!, begun.id, 'move', { data: { from: times.from, until: times.until } })
  const { from } = aVisit(department).data
  await one.db.transaction().execute(async (trx) => {
    // The feed waits for this lock.
    await sql`select pg_advisory_xact_lock(7001004)`.execute(trx)
    await move({ from, until: new Date(Date.parse(from) + 3_600_000).toISOString() })
    await expect(move(aVisit(department).data)).rejects.toMatchObject({ code: 'platform.act-not-possible' })
  })
  expect(await slotsOf(begun.id)).toMatchObject([{ purpose: 'booking' }, { purpose: 'move', from: new Date(from) }])
})

test('of a concurrent act and withdrawal, one takes effect', async () => {
  const begun = await approvedByHead()
  await taskOf(keeper!, begun.reference, 'userTask_keeper')
  const { from, until: end } = aVisit(department).data
  await Promise.allSettled([
    one.cases.withdraw(requester!, begun.id, 'no need'),
    one.cases.act(requester!, begun.id, 'move', { data: { from, until: end } }),
  ])
  // The command that conflicted in the engine is retried, and then refused.
  const ended = await until('both are answered', async () => {
    const found = await one.cases.get(requester!, begun.id)
    return found.state === 'ended' && found.submissions.every(({ effect }) => effect !== 'pending') && found
  })
  const moved = ended.submissions.some(({ act, effect }) => act === 'move' && effect === 'done')
  expect(ended.statuses['status']!.key === 'moved').toBe(moved)
  await until('the withdrawal is answered', async () => {
    const { endReason } = await one.cases.get(requester!, begun.id)
    return (endReason === 'withdrawn') === !moved
  })
  expect(await slotsOf(begun.id)).toHaveLength(moved ? 2 : 1)
})

test('a case sent for somebody else is theirs, and neither of the two decides it', async () => {
  const request = { ...aVisit(department), for: { accountId: requester!.id } }
  await expect(one.cases.submit(head!, request)).rejects.toMatchObject({ code: 'platform.not-allowed' })
  const nobody = { ...request, for: { accountId: randomUUID() } }
  await expect(one.cases.submit(clerk!, nobody)).rejects.toMatchObject({
    fields: [{ field: '/for/accountId', code: 'platform.person-unknown' }],
  })
  const { case: begun } = await one.cases.submit(clerk!, request)
  expect(begun).toMatchObject({ requester: { id: requester!.id }, sentBy: { id: clerk!.id }, withdrawable: false })
  expect(await one.cases.get(requester!, begun.id)).toMatchObject({ sentBy: { id: clerk!.id }, withdrawable: true })
  const [sent] = await one.cases.history(requester!, begun.id)
  expect(sent!.text).toBe(`${clerk!.name} sent the request for ${requester!.name}`)

  const task = await taskOf(clerk!, begun.reference, 'userTask_head')
  expect((await one.tasks.get(clerk!, task.id)).blockedBy).toBe('platform.own-case')
  await decide(head!, begun.reference, 'userTask_head', { outcome: 'approve' })
})

test('a desk for several kinds of unit is offered at the case’s own; without any, an incident reports it', async () => {
  const begun = await approvedByHead()
  const offered = await taskOf(keeper!, begun.reference, 'userTask_keeper')
  expect(keeper!.principals).toContain(`Post Holder@post:${begun.scope['keeper']}`)
  expect((await one.tasks.get(keeper!, offered.id)).blockedBy).toBeNull()
  const incidents = (caseId: string) =>
    one.db.selectFrom('incident').select(['kind', 'element']).where('case_id', '=', caseId).execute()
  expect(await incidents(begun.id)).toEqual([])

  const alone = await anItem(one.db, 'platform/department')
  const itsHead = await holding(['HOD', { kind: 'department', id: alone }])
  const { case: other } = await one.cases.submit(requester!, { flow: FLOW, data: aVisit(alone).data })
  expect(other.scope).toEqual({ department: alone })
  await decide(itsHead, other.reference, 'userTask_head', { outcome: 'approve' })
  const told = await until('somebody hears', async () => (await incidents(other.id))[0])
  expect(told).toEqual({ kind: 'task-nobody-can-see', element: 'userTask_keeper' })
})

test('the holder of a post named in a case sees it before it arrives, whatever name the role has there', async () => {
  const { case: begun } = await one.cases.submit(requester!, aVisit(department))
  const alone = await anItem(one.db, 'platform/department')
  // With a head of its own, or its task would go to the acting head.
  await holding(['HOD', { kind: 'department', id: alone }])
  const { case: other } = await one.cases.submit(requester!, aVisit(alone))
  const seen = await one.cases.list(keeper!, { flow: FLOW, limit: 50 })
  const ids = seen.items.map(({ id }) => id)
  expect([ids.includes(begun.id), ids.includes(other.id)]).toEqual([true, false])
  expect((await one.cases.get(keeper!, begun.id)).id).toBe(begun.id)
  await expect(one.cases.get(keeper!, other.id)).rejects.toMatchObject({ code: 'platform.not-found' })
})
