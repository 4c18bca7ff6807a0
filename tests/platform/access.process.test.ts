import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { accessTasks } from '../../api/platform/features/access/access-tasks.ts'
import { effectOfGrants, endGrant, giveGrant } from '../../api/platform/features/access/grants.ts'
import { changePerson } from '../../api/platform/features/access/person-changes.ts'
import { appointHolder, effectOfAppointment, endAppointment } from '../../api/platform/features/access/appointments.ts'
import { relay } from '../../api/platform/work/commands/relay.ts'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { connect } from '../../api/platform/kernel/db/database.ts'
import { getPerson, grantRole } from '../../api/platform/people/identity/accounts.ts'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { registersService } from '../../api/platform/work/registers/service.ts'
import { type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'
import { anAccount, anItem } from './kit/rows.ts'
import { stack } from './kit/stack.ts'

let one: Heart
let jobs: ReturnType<typeof relay>
let deps: Parameters<typeof appointHolder>[0]
let admin: Person
beforeAll(async () => {
  one = await heart()
  one.feed.start()
  const { db, library, definitions, database, sender, log } = one
  deps = { db, library, definitions, publicUrl: 'http://localhost' }
  jobs = relay({ database, sender, tasks: accessTasks(deps), log })
  jobs.start()
  admin = (await people(one)).admin
})
afterAll(async () => {
  await jobs.stop()
  await one.close()
})

const reason = 'for a test'
const now = (person: Person) => getPerson(one.db, person.id)

/** A department of a faculty with the post of its head, a Dean, and a requester. */
async function aDepartment() {
  const faculty = await anItem(one.db, 'platform/faculty', { data: { code: randomUUID() } })
  const data = { name: 'Painting', code: randomUUID(), faculty }
  const department = await anItem(one.db, 'platform/department', { data })
  const post = await anItem(one.db, 'platform/post', {
    data: { role: 'HOD', head: true, department, code: randomUUID() },
  })
  const person = async (role?: string, scope?: { kind: string; id: string }) => {
    const id = await anAccount(one.db)
    if (role) await grantRole(one.db, id, { role, scope: scope ?? null })
    return getPerson(one.db, id)
  }
  const dean = await person('Dean', { kind: 'faculty', id: faculty })
  const requester = await person()
  return { department, post, dean, requester, person }
}

type Place = Awaited<ReturnType<typeof aDepartment>>

const appoint = (place: Place, to: Person, more: object = {}) =>
  appointHolder(deps, admin, place.post, { accountId: to.id, reason, ...more })

/** A case that waits for the head of the department: its task as an operator sees it, once it is offered. */
async function aTask({ department, requester }: Place) {
  const { case: begun } = await one.cases.submit(requester, aRequest(department))
  const everybodys = () => one.tasks.list(admin, { search: begun.reference })
  const task = await until('the task is there', async () => (await everybodys()).items[0])
  return { id: task.id, caseId: begun.id, reference: begun.reference }
}

const finds = async (person: Person, { reference }: { reference: string }) =>
  (await one.tasks.list(await now(person), { search: reference })).items.length === 1

const vacancies = (caseId: string) =>
  one.db
    .selectFrom('incident')
    .select(['message', 'resolved_at'])
    .where('case_id', '=', caseId)
    .where('kind', '=', 'task-nobody-can-see')
    .execute()

test('a change of head moves the grant and not the tasks; tasks that the former head held are free again', async () => {
  const place = await aDepartment()
  const [former, next] = [await place.person(), await place.person()]
  await appoint(place, former)
  const [taken, open] = [await aTask(place), await aTask(place)]
  await one.tasks.claim(await now(former), taken.id)

  const effect = await effectOfAppointment(deps, admin, place.post, { accountId: next.id })
  expect(effect).toMatchObject({
    successor: { tasksTaken: { value: 2, more: false } },
    predecessor: { id: former.id, released: { value: 1, more: false } },
  })
  expect((await one.tasks.get(admin, taken.id)).task.assignee).toMatchObject({ id: former.id })

  await appoint(place, next)
  for (const task of [taken, open]) expect([await finds(former, task), await finds(next, task)]).toEqual([false, true])
  await expect(one.tasks.claim(former, open.id)).rejects.toMatchObject({ code: 'platform.not-found' })
  const entry = await one.db
    .selectFrom('audit_entry')
    .innerJoin('audit_payload', 'entry_id', 'id')
    .select(['actor', 'payload'])
    .where('object', '=', `task:${taken.id}`)
    .where('action', '=', 'task.released')
    .executeTakeFirst()
  expect(entry).toMatchObject({ actor: 'system:access', payload: { from: former.id } })
  await one.tasks.complete(await now(next), taken.id, { data: { outcome: 'approve' } })
})

test('the tasks of a vacant post are offered to the next level, and operators see why', async () => {
  const place = await aDepartment()
  const former = await place.person()
  const { holderId } = await appoint(place, former)
  const before = await aTask(place)
  expect(await vacancies(before.caseId)).toEqual([])
  await endAppointment(deps, admin, holderId, { reason })

  // A task that already waited, and one that arrives while the post is vacant.
  const during = await aTask(place)
  for (const task of [before, during]) {
    await until('the Dean finds it', () => finds(place.dean, task))
    expect(await vacancies(task.caseId)).toMatchObject([
      { resolved_at: null, message: expect.stringMatching(/nobody holds HOD, .*: .* waits, Dean, .* stands in/) },
    ])
  }
  await one.tasks.claim(await now(place.dean), during.id)

  const next = await place.person()
  await appoint(place, next)
  for (const task of [before, during]) {
    expect([await finds(place.dean, task), await finds(next, task)]).toEqual([false, true])
    expect(await vacancies(task.caseId)).toMatchObject([{ resolved_at: expect.any(Date) }])
  }
})

test('moving a post or a unit changes at once who covers a vacancy', async () => {
  const place = await aDepartment()
  const own = registersService(deps)
  const facultyOf = async ({ department }: Place) =>
    (await own.item(admin, 'platform/department', department)).data['faculty'] as string
  const faculty = await facultyOf(place)
  const librarian = await place.person('Librarian', { kind: 'faculty', id: faculty })
  const post = await anItem(one.db, 'platform/post', { data: { role: 'Librarian', faculty } })
  const task = await aTask(place)
  await until('the Dean finds it', () => finds(place.dean, task))
  const change = async (kind: string, id: string, data: object) => {
    const { version, data: before } = await own.item(admin, `platform/${kind}`, id)
    await own.change(admin, `platform/${kind}`, id, version, { ...before, ...data } as JsonObject)
  }
  await change('post', post, { name: post, code: `L-${post.slice(0, 8)}`, head: true })
  expect([await finds(place.dean, task), await finds(librarian, task)]).toEqual([false, true])
  await change('post', post, { head: false })
  expect([await finds(place.dean, task), await finds(librarian, task)]).toEqual([true, false])

  const other = await aDepartment()
  await change('department', place.department, {
    name: place.department,
    code: `D-${post.slice(0, 8)}`,
    faculty: await facultyOf(other),
  })
  expect([await finds(place.dean, task), await finds(other.dean, task)]).toEqual([false, true])
})

test('if the covering post is vacant too, the next level covers both', async () => {
  const place = await aDepartment()
  const task = await aTask(place)
  await until('the Dean finds it', () => finds(place.dean, task))
  const grant = await one.db
    .selectFrom('role_grant')
    .select('id')
    .where('account_id', '=', place.dean.id)
    .executeTakeFirstOrThrow()
  const effect = await effectOfGrants(deps, admin, place.dean.id, { end: [grant.id] })
  expect(effect.tasks).toMatchObject({ lost: { value: 1 }, gained: { value: 0 } })
  await endGrant(deps, admin, grant.id, { reason })
  const registrar = await place.person('Registrar')
  expect([await finds(place.dean, task), await finds(registrar, task)]).toEqual([false, true])
})

test('a scheduled end takes effect on time, without help', async () => {
  const place = await aDepartment()
  const [former, next] = [await place.person(), await place.person()]
  await appoint(place, former)
  const task = await aTask(place)
  await one.tasks.claim(await now(former), task.id)
  await appoint(place, next, { startsAt: new Date(Date.now() + 3_000).toISOString() })
  expect((await one.tasks.get(admin, task.id)).task).toMatchObject({ state: 'held' })
  await until('it is free for the new head', () => finds(next, task))
  expect((await now(former)).grants).toEqual([])
})

test('a job locked by a killed process continues within seconds', async () => {
  const place = await aDepartment()
  const [former, next] = [await place.person(), await place.person()]
  await appoint(place, former)
  const at = new Date(Date.now() + 60_000).toISOString()
  await appoint(place, next, { startsAt: at })
  const owner = connect(stack().ownerDatabaseUrl, { name: 'access-test', max: 1 })
  const job = `access:${at}`
  await sql`update graphile_worker._private_jobs
    set locked_by = ${`pool-${randomUUID()}`}, locked_at = now() - interval '10 seconds', run_at = now()
    where key = ${job}`.execute(owner.db)
  await until('the job has run', async () => {
    const { rows } = await sql`select from graphile_worker._private_jobs where key = ${job}`.execute(owner.db)
    return rows.length === 0
  })
  await owner.close()
})

test('a deactivated account releases its tasks, and its post is vacant until it is reactivated', async () => {
  const place = await aDepartment()
  const head = await place.person()
  await appoint(place, head)
  const task = await aTask(place)
  await one.tasks.claim(await now(head), task.id)
  const { name, email } = head
  const change = (version: number, active: boolean) =>
    changePerson(deps, admin, head.id, version, { name, email, post: null, active, reason })
  await change(1, false)
  expect(await finds(place.dean, task)).toBe(true)
  await change(2, true)
  expect([await finds(place.dean, task), await finds(head, task)]).toEqual([false, true])
})

test('nobody can take a task at the moment their grant ends', async () => {
  const place = await aDepartment()
  const head = await place.person()
  const { holderId } = await appoint(place, head)
  const task = await aTask(place)
  const person = await now(head)
  await Promise.allSettled([endAppointment(deps, admin, holderId, { reason }), one.tasks.claim(person, task.id)])
  expect((await one.tasks.get(admin, task.id)).task).toMatchObject({ state: 'open', assignee: null })
})

test('a head’s own request goes to the next level, marked as such, while nobody else holds the post', async () => {
  const place = await aDepartment()
  const head = await place.person()
  await appoint(place, head)
  const task = await aTask({ ...place, requester: head })
  await until('the Dean finds it', () => finds(place.dean, task))
  const [listed] = (await one.tasks.list(await now(place.dean), { search: task.reference })).items
  expect(listed!.standsInFor).toBe(`HOD, ${place.department}`)
  expect(await one.tasks.get(await now(head), task.id)).toMatchObject({ blockedBy: 'platform.own-case' })

  const deputy = await place.person()
  const scope = { kind: 'department', id: place.department }
  const { id } = await giveGrant(deps, admin, deputy.id, { role: 'HOD', scope, reason })
  expect([await finds(place.dean, task), await finds(deputy, task)]).toEqual([false, true])
  await endGrant(deps, admin, id, { reason })
  expect([await finds(place.dean, task), await finds(deputy, task)]).toEqual([true, false])
  await one.tasks.complete(await now(place.dean), task.id, { data: { outcome: 'approve' } })
})
