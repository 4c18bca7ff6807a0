import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { getPerson } from '../../api/platform/people/identity/accounts.ts'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'

let one: Heart
let who: Awaited<ReturnType<typeof people>>
let secondHead: Person

beforeAll(async () => {
  one = await heart()
  one.feed.start()
  one.jobs.start()
  who = await people(one)
  secondHead = await who.holding('HOD', { kind: 'department', id: who.department })
})
afterAll(() => one.close())

async function aCase(requester = who.requester) {
  const { case: begun } = await one.cases.submit(requester, aRequest(who.department))
  return { id: begun.id, reference: begun.reference, task: await openTask(who.head, begun.reference) }
}

function openTask(person: Person, reference: string) {
  return until(`a task of ${reference}`, async () => (await one.tasks.list(person, { search: reference })).items[0])
}

const approve = { data: { outcome: 'approve' } }

test('people a task is not offered to can neither see nor take nor decide it', async () => {
  const { task, id } = await aCase()
  for (const person of [who.otherHead, who.registrar]) {
    for (const act of [() => one.tasks.get(person, task.id), () => one.tasks.claim(person, task.id)])
      await expect(act()).rejects.toMatchObject({ code: 'platform.not-found' })
    await expect(one.tasks.complete(person, task.id, approve)).rejects.toMatchObject({ code: 'platform.not-found' })
    expect(await one.tasks.visible(person, [task.id])).toEqual([])
  }
  // The requester sees the case, so the existence of a task is no secret.
  await expect(one.tasks.complete(who.requester, task.id, approve)).rejects.toMatchObject({
    code: 'platform.not-allowed',
  })
  expect((await one.cases.get(who.requester, id)).submissions).toHaveLength(1)
})

test('an invalid form is refused, and the task stays open', async () => {
  const { task } = await aCase()
  for (const data of [{}, { outcome: 'perhaps' }, { outcome: 'approve', userTask_registrar_outcome: 'approve' }])
    await expect(one.tasks.complete(who.head, task.id, { data })).rejects.toMatchObject({
      code: 'platform.form-invalid',
    })
  expect(await one.tasks.get(who.head, task.id)).toMatchObject({ task: { state: 'open' }, blockedBy: null })
})

test('of two who take a task at once, one has it, and the other learns who and when', async () => {
  const { task, reference } = await aCase()
  const both = await Promise.allSettled([one.tasks.claim(who.head, task.id), one.tasks.claim(secondHead, task.id)])
  const [winner, loser] = both[0].status === 'fulfilled' ? [who.head, secondHead] : [secondHead, who.head]
  const lost = both.find((each) => each.status === 'rejected')!
  const held = { code: 'platform.task-held', values: { name: winner.name, at: expect.stringMatching(/^\d{4}-/) } }
  expect(lost.reason).toMatchObject(held)
  await expect(one.tasks.complete(loser, task.id, approve)).rejects.toMatchObject(held)
  await expect(one.tasks.release(loser, task.id)).rejects.toMatchObject(held)
  const queue = async (person: Person, name: 'open' | 'mine' | 'group') =>
    (await one.tasks.list(person, { queue: name, search: reference })).items.map(({ id }) => id)
  expect(await queue(winner, 'mine')).toEqual([task.id])
  expect(await queue(winner, 'open')).toEqual([])
  expect(await queue(winner, 'group')).toEqual([])
  expect(await queue(loser, 'group')).toEqual([task.id])
  expect(await one.tasks.release(winner, task.id)).toMatchObject({ state: 'open', assignee: null })
  expect(await queue(loser, 'open')).toEqual([task.id])
})

test('of two who decide at once, one decision counts, and the other is told who was faster', async () => {
  const { task, id, reference } = await aCase()
  const both = await Promise.allSettled([
    one.tasks.complete(who.head, task.id, approve),
    one.tasks.complete(secondHead, task.id, { data: { outcome: 'reject' } }),
  ])
  expect(both.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  const lost = both.find((each) => each.status === 'rejected')!
  const winner = both[0].status === 'fulfilled' ? who.head : secondHead
  expect(lost.reason).toMatchObject({ code: 'platform.task-decided', values: { name: winner.name } })
  const { submissions } = await one.cases.get(who.requester, id)
  expect(submissions).toHaveLength(2)
  expect(reference).toMatch(/^TD-\d{4}-\d{6}$/)
  // It is still reported long afterwards.
  await until('the task is over', async () =>
    (await one.cases.get(who.requester, id)).waitsWith.every(({ desk }) => desk !== 'userTask_head'),
  )
  const late = one.tasks.complete(winner === who.head ? secondHead : who.head, task.id, approve)
  await expect(late).rejects.toMatchObject({ code: 'platform.task-decided', values: { name: winner.name } })
})

test('nobody decides their own request, or at two desks that exclude each other; not even an administrator', async () => {
  const headAsks = await aCase(who.head)
  expect(await one.tasks.get(who.head, headAsks.task.id)).toMatchObject({ blockedBy: 'platform.own-case' })
  for (const act of [
    () => one.tasks.claim(who.head, headAsks.task.id),
    () => one.tasks.complete(who.head, headAsks.task.id, approve),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'platform.own-case' })
  await one.tasks.complete(secondHead, headAsks.task.id, approve)

  const { task, reference, id } = await aCase()
  await one.tasks.complete(who.admin, task.id, approve)
  const next = await openTask(who.registrar, reference)
  await expect(one.tasks.complete(who.admin, next.id, approve)).rejects.toMatchObject({
    code: 'platform.decided-before',
  })
  await one.tasks.complete(who.registrar, next.id, approve)
  const { submissions } = await one.cases.get(who.requester, id)
  expect(submissions.map(({ actedAs }) => actedAs)).toEqual([null, 'ADMIN', 'Registrar'])
})

test('the post moves, not the task: a new head finds it, the former one does not', async () => {
  const { task, reference } = await aCase()
  const former = await who.holding('HOD', { kind: 'department', id: who.department })
  expect((await one.tasks.list(former, { search: reference })).items).toHaveLength(1)
  await one.db
    .updateTable('role_grant')
    .set({ starts_at: sql`now() - interval '2 days'`, ends_at: sql`now() - interval '1 day'` })
    .where('account_id', '=', former.id)
    .execute()
  const now = await getPerson(one.db, former.id)
  expect((await one.tasks.list(now, { search: reference })).items).toEqual([])
  await expect(one.tasks.complete(now, task.id, approve)).rejects.toMatchObject({ code: 'platform.not-found' })
})

test('the inbox pages without gaps, counts to 99 and filters by field, desk and status', async () => {
  const department = (await people(one)).department
  const head = await who.holding('HOD', { kind: 'department', id: department })
  const begun = await Promise.all(
    Array.from({ length: 7 }, () => one.cases.submit(who.requester, aRequest(department))),
  )
  await until('all are there', async () => (await one.tasks.count(head)).open.value === 7)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await one.tasks.list(head, { limit: 3, ...(cursor && { cursor }) })
    expect(page.count).toEqual({ value: 7, more: false })
    seen.push(...page.items.map(({ caseId }) => caseId))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(seen.toSorted()).toEqual(begun.map(({ case: { id } }) => id).toSorted())
  const count = async (query: object) => (await one.tasks.list(head, query)).items.length
  expect(await count({ filters: { department } })).toBe(7)
  expect(await count({ filters: { department }, desk: 'userTask_head', status: 'requested' })).toBe(7)
  expect(await count({ desk: 'userTask_registrar' })).toBe(0)
  expect(await count({ filters: { department: 'elsewhere' } })).toBe(0)
})
