import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { asOperator } from './fixtures/instances.ts'
import { FLOW, type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'

let one: Heart
let who: Awaited<ReturnType<typeof people>>
/** A hook right before a withdrawal reaches the engine. */
let beforeWithdrawal: (engine: Operaton, instanceId: string) => Promise<unknown> = async () => undefined

beforeAll(async () => {
  one = await heart({
    over: (engine) => ({
      ...engine,
      correlate: async (given) => (await beforeWithdrawal(engine, given.instanceId), engine.correlate(given)),
    }),
  })
  one.feed.start()
  one.jobs.start()
  who = await people(one)
})
afterAll(() => one.close())

async function aCase(request = aRequest(who.department)) {
  const { case: begun } = await one.cases.submit(who.requester, request)
  const task = await until(
    'the head has a task',
    async () => (await one.tasks.list(who.head, { search: begun.reference })).items[0],
  )
  return { id: begun.id, reference: begun.reference, task }
}

test('an invalid form is refused field by field, and nothing is written', async () => {
  const submit = (data: object) => one.cases.submit(who.requester, { flow: FLOW, data })
  await expect(submit({})).rejects.toMatchObject({ code: 'platform.form-invalid' })
  const wrong = (change: object) => submit({ ...aRequest(who.department).data, ...change })
  await expect(wrong({ purpose: '' })).rejects.toMatchObject({ fields: [{ field: '/purpose' }] })
  await expect(wrong({ caseId: 'mine' })).rejects.toMatchObject({ code: 'platform.form-invalid' })
  const unknown = wrong({ department: randomUUID() })
  await expect(unknown).rejects.toMatchObject({ fields: [{ field: '/department', code: 'platform.item-unknown' }] })
  const count = await one.cases.list(who.requester, { mine: true, search: 'A concert' })
  expect(count.items.every(({ flow }) => flow === FLOW)).toBe(true)
  await expect(one.cases.submit(who.requester, { flow: 'tests/nothing', data: {} })).rejects.toMatchObject({
    code: 'platform.not-found',
  })
})

test('the same key starts one case, and a different request under it is refused', async () => {
  const request = { ...aRequest(who.department), key: randomUUID() }
  const all = await Promise.all([1, 2, 3].map(() => one.cases.submit(who.requester, request)))
  expect(new Set(all.map((each) => each.case.id)).size).toBe(1)
  expect(all.filter((each) => !each.repeated)).toHaveLength(1)
  const other = { ...aRequest(who.department), key: request.key }
  await expect(one.cases.submit(who.requester, other)).rejects.toMatchObject({
    code: 'platform.idempotency-key-reused',
  })
})

test('of twenty who want one slot at once, one gets it; case numbers have no gap', async () => {
  const request = aRequest(who.department)
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => one.cases.submit(who.requester, request)))
  expect(all.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  for (const each of all)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'platform.slot-taken' })
  const [before, after] = [all.find((each) => each.status === 'fulfilled')!.value.case, (await aCase()).reference]
  const number = (reference: string) => Number(reference.split('-').at(-1))
  expect(number(after)).toBe(number(before.reference) + 1)
})

test('the server sets the values that route a case, as scalars', async () => {
  const begun = await aCase({
    ...aRequest(who.department),
    data: { ...aRequest(who.department).data, guests: 12 } as never,
  })
  const variables = await one.cases.variables(who.requester, begun.id)
  expect(Object.fromEntries(variables.map(({ name, value }) => [name, value]))).toEqual({
    caseId: begun.id,
    requesterId: who.requester.id,
    departmentId: who.department,
    divisionId: 'none',
    facultyId: 'none',
    guests: 12,
    workday1: expect.stringMatching(/T16:15:00\+05:30$/),
    workday3: expect.stringMatching(/T16:15:00\+05:30$/),
  })
})

test('a case is visible to its requester, the roles in its manifest and the people who had its tasks; to nobody else', async () => {
  const begun = await aCase()
  for (const person of [who.requester, who.head, who.admin]) {
    expect((await one.cases.get(person, begun.id)).id).toBe(begun.id)
    const mine = person === who.requester
    expect((await one.cases.list(person, { mine, search: begun.reference })).items).toHaveLength(1)
  }
  for (const person of [who.otherHead, who.registrar, await who.holding()]) {
    for (const read of [one.cases.get, one.cases.history, one.cases.path, one.cases.variables]) {
      await expect(read(person, begun.id)).rejects.toMatchObject({ code: 'platform.not-found' })
    }
    expect((await one.cases.list(person, { search: begun.reference })).items).toEqual([])
    expect(await one.cases.visible(person, [begun.id])).toEqual([])
  }
  await one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })
  await until('the Registrar sees it', async () => one.cases.get(who.registrar, begun.id))
})

test('reading somebody else’s sensitive fields leaves one entry; the requester leaves none', async () => {
  const request = aRequest(who.department)
  const begun = await aCase({ ...request, data: { ...request.data, nic: '991234567V' } as never })
  for (const person of [who.requester, who.head, who.head, who.admin]) await one.cases.get(person, begun.id)
  const reads = await one.db
    .selectFrom('audit_entry')
    .select(['actor', 'acted_as'])
    .where('case_id', '=', begun.id)
    .where('action', '=', 'sensitive.read')
    .orderBy('id')
    .execute()
  expect(reads).toEqual([
    { actor: who.head.id, acted_as: `HOD@department:${who.department}` },
    { actor: who.admin.id, acted_as: 'ADMIN' },
  ])
})

test('only the requester withdraws, and only while the diagram waits for it', async () => {
  const begun = await aCase()
  await expect(one.cases.withdraw(who.head, begun.id, 'no')).rejects.toMatchObject({ code: 'platform.not-allowed' })
  await expect(one.cases.withdraw(who.otherHead, begun.id, 'no')).rejects.toMatchObject({ code: 'platform.not-found' })
  expect(await one.cases.get(who.requester, begun.id)).toMatchObject({ withdrawable: true })
  await one.cases.withdraw(who.requester, begun.id, 'The plans have changed')
  const ended = await until('the case ended', async () => {
    const view = await one.cases.get(who.requester, begun.id)
    return view.state === 'ended' && view
  })
  expect(ended).toMatchObject({ endReason: 'withdrawn', withdrawable: false, waitsWith: [] })
  await expect(one.tasks.complete(who.head, begun.task.id, { data: { outcome: 'approve' } })).rejects.toMatchObject({
    code: 'platform.task-gone',
  })
  await expect(one.cases.withdraw(who.requester, begun.id, 'again')).rejects.toMatchObject({
    code: 'platform.not-withdrawable',
  })
  const history = await one.cases.history(who.requester, begun.id)
  expect(history.find(({ kind }) => kind === 'withdrawn')).toMatchObject({ reason: 'The plans have changed' })
})

test('a withdrawal overtaken by the deadline is undone, and the requester is notified', async () => {
  const begun = await aCase()
  beforeWithdrawal = async (engine, instanceId) => {
    const [job] = (await asOperator(engine, 'GET', `/job?processInstanceId=${instanceId}`)) as { id: string }[]
    await asOperator(engine, 'POST', `/job/${job!.id}/execute`)
  }
  const late = one.cases.withdraw(who.requester, begun.id, 'too late')
  await expect(late).rejects.toMatchObject({ code: 'platform.not-withdrawable' })
  beforeWithdrawal = async () => undefined
  const view = await until('the case ended', async () => {
    const seen = await one.cases.get(who.requester, begun.id)
    return seen.state === 'ended' && seen
  })
  expect(view).toMatchObject({ status: { key: 'expired' }, endReason: 'endEvent_late' })
  const told = await one.db
    .selectFrom('mail')
    .select(['template', 'recipient_id'])
    .where('case_id', '=', begun.id)
    .execute()
  expect(told).toEqual([{ template: 'platform.mail.withdrawal-without-effect', recipient_id: who.requester.id }])
})
