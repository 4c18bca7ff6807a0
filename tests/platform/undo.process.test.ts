import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { rebuildCase } from '../../api/platform/work/feed/rebuild.ts'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { asOperator } from './fixtures/instances.ts'
import { type Heart, aRequest, heart, people } from './fixtures/two-desks.ts'
import { until } from './kit/poll.ts'
import { lockFedCases, lockFeed } from '../../api/platform/work/rows/feed.ts'

let one: Heart
let who: Awaited<ReturnType<typeof people>>

beforeAll(async () => {
  one = await heart()
  one.feed.start()
  one.jobs.start()
  who = await people(one)
})
afterAll(() => one?.close())

const approve = { data: { outcome: 'approve' } }
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

/** A case whose task waits at the head's desk. */
async function aCase() {
  const { case: begun } = await one.cases.submit(who.requester, aRequest(who.department))
  return { id: begun.id, task: await openTask(begun.id, 'userTask_head') }
}

function openTask(caseId: string, desk: string): Promise<string> {
  return until(`a task at ${desk}`, async () => {
    const row = await one.db
      .selectFrom('task')
      .select('id')
      .where('case_id', '=', caseId)
      .where('desk', '=', desk)
      .where('state', '=', 'open')
      .executeTakeFirst()
    return row?.id
  })
}

/** A case that the head has decided in the browser: undo is possible for twenty seconds. */
async function decidedCase() {
  const begun = await aCase()
  expect(await one.tasks.complete(who.head, begun.task, { ...approve, notBefore: inSeconds(20) })).toMatchObject({
    state: 'accepted',
  })
  return begun
}

async function job(caseId: string): Promise<string> {
  const { process_instance_id: instance } = await one.db
    .selectFrom('flow_case')
    .select('process_instance_id')
    .where('id', '=', caseId)
    .executeTakeFirstOrThrow()
  const [timer] = (await asOperator(one.engine, 'GET', `/job?processInstanceId=${instance}`)) as { id: string }[]
  return timer!.id
}

const isOver = (caseId: string) =>
  until('the case is over', async () => (await one.cases.get(who.requester, caseId)).state === 'ended')

/** The remains of a decision that had no effect. */
async function leftOf({ id, task }: { id: string; task: string }) {
  const command = await one.db
    .selectFrom('command')
    .select(['state', 'attempts'])
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow()
  const mails = await one.db
    .selectFrom('mail')
    .select(['recipient', 'template'])
    .where('case_id', '=', id)
    .orderBy('created_at')
    .execute()
  const { submissions } = await one.cases.get(who.requester, id)
  return {
    command,
    effect: submissions.at(-1)!.effect,
    reason: submissions.at(-1)!.voidReason,
    mails: mails.map(({ recipient, template }) => `${recipient} ${template}`),
  }
}

async function notified(person: Person, caseId: string): Promise<string[]> {
  const rows = await one.db
    .selectFrom('notification')
    .select('title')
    .where('account_id', '=', person.id)
    .where('path', 'like', `%${caseId}%`)
    .execute()
  return rows.map(({ title }) => title)
}

test('a withdrawal takes precedence over a waiting decision, and its author is notified', async () => {
  const begun = await decidedCase()
  await one.cases.withdraw(who.requester, begun.id, 'ill')
  await isOver(begun.id)
  expect(await leftOf(begun)).toEqual({
    command: { state: 'cancelled', attempts: 0 },
    effect: 'void',
    reason: 'withdrawn',
    mails: [`${who.head.email} platform.mail.decision-withdrawn`],
  })
  expect(await notified(who.head, begun.id)).toEqual([expect.stringMatching(/withdrawn before your decision/)])
  expect(await one.tasks.undoable(who.head)).toEqual([])
  await expect(one.tasks.undo(who.head, begun.task)).rejects.toMatchObject({ code: 'platform.task-gone' })
})

test('a deadline takes precedence over a waiting decision, and its author is notified', async () => {
  const begun = await decidedCase()
  await asOperator(one.engine, 'POST', `/job/${await job(begun.id)}/execute`)
  await isOver(begun.id)
  expect((await one.cases.get(who.requester, begun.id)).status.key).toBe('expired')
  expect(await leftOf(begun)).toEqual({
    command: { state: 'cancelled', attempts: 0 },
    effect: 'void',
    reason: 'deadline',
    mails: [`${who.head.email} platform.mail.decision-too-late`],
  })
})

test('an operator who ends the case takes precedence over a waiting decision', async () => {
  const begun = await decidedCase()
  const { process_instance_id: instance } = await one.db
    .selectFrom('flow_case')
    .select('process_instance_id')
    .where('id', '=', begun.id)
    .executeTakeFirstOrThrow()
  await asOperator(one.engine, 'DELETE', `/process-instance/${instance}`)
  await isOver(begun.id)
  expect(await leftOf(begun)).toMatchObject({
    command: { state: 'cancelled' },
    effect: 'void',
    reason: 'canceled',
    mails: [`${who.head.email} platform.mail.decision-without-effect`],
  })
})

test('events found only when a case is rebuilt from the engine are notified all the same', async () => {
  const begun = await decidedCase()
  const roles = one.library.roles
  await one.db.transaction().execute(async (trx) => {
    // Everything else that applies events waits meanwhile.
    await lockFeed(trx)
    const [row] = await lockFedCases(trx, [begun.id])
    await asOperator(one.engine, 'POST', '/message', {
      messageName: 'message_withdrawTwoDesks',
      processInstanceId: row!.process_instance_id,
    })
    const given = { definitions: one.definitions, roles, library: one.library, publicUrl: 'http://localhost' }
    const { principals } = await rebuildCase(trx, row!, one.engine, given)
    expect(principals).toContain(`user:${who.head.id}`)
  })
  expect(await leftOf(begun)).toMatchObject({
    command: { state: 'cancelled' },
    effect: 'void',
    reason: 'moved-on',
    mails: [`${who.head.email} platform.mail.decision-without-effect`],
  })
})

test('a concurrent withdrawal and undo both succeed', async () => {
  for (let round = 0; round < 3; round += 1) {
    const begun = await decidedCase()
    const [undone] = await Promise.allSettled([
      one.tasks.undo(who.head, begun.task),
      one.cases.withdraw(who.requester, begun.id, 'ill'),
    ])
    await isOver(begun.id)
    if (undone.status === 'rejected')
      expect(undone.reason).toMatchObject({ code: expect.stringMatching(/^platform\./) })
    expect((await leftOf(begun)).command.state).toBe('cancelled')
  }
})

test('a decision takes effect though the browser is gone and nobody asks again', async () => {
  const begun = await aCase()
  await one.tasks.complete(who.head, begun.task, { ...approve, notBefore: inSeconds(2) })
  expect(await one.tasks.undoable(who.head)).toHaveLength(1)
  await openTask(begun.id, 'userTask_registrar')
  expect(await one.tasks.undoable(who.head)).toEqual([])
  expect(await leftOf(begun)).toMatchObject({ command: { state: 'done' }, effect: 'done', mails: [] })
  await expect(one.tasks.undo(who.head, begun.task)).rejects.toMatchObject({
    code: expect.stringMatching(/^platform\./),
  })
})
