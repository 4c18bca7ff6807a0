import { expect, test } from '@jest/globals'
import { AUDIT, anAudit, desks } from '../audit/audit.ts'
import { clock, engine, idle } from './kit/clock.ts'
import { expectMail } from './kit/expectations.ts'
import { asOwner, whileLocked } from './kit/owner.ts'
import { type Case, as } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { ready } from './kit/product.ts'
import { pidOf, stack } from './kit/stack.ts'

const REMINDER = 'audit.mail.reminder'
const ESCALATION = 'audit.mail.escalation'

/** An audit that waits for the head of its department. */
async function waiting(): Promise<Case> {
  const asked = await (await as('audit.assistant')).submit(AUDIT, await anAudit())
  await (await as('hod.western-music')).task(asked, desks.giveInformation)
  return asked
}

/** Sets when the reminders and escalations of a case are due: now, or long ago. */
const makeDue = (of: Case, kinds = ['remind', 'escalate']) =>
  asOwner(
    `update app.desk_promise set due_at = clock_timestamp() where done_at is null and kind = any($2)
       and task_id in (select id from app.task where case_id = $1)`,
    [of.id, kinds],
  )

/** A case's reminder and escalation mails, by template and recipient. */
const told = async (of: Case) =>
  (
    await asOwner<{ line: string }>(
      `select template || ' ' || recipient as line from app.mail where case_id = $1 and template = any($2) order by 1`,
      [of.id, [REMINDER, ESCALATION]],
    )
  ).map(({ line }) => line)

const undone = async (of: Case) =>
  (
    await asOwner<{ kind: string }>(
      `select p.kind from app.desk_promise p join app.task t on t.id = p.task_id
       where t.case_id = $1 and p.done_at is null order by 1`,
      [of.id],
    )
  ).map(({ kind }) => kind)

test('a waiting task reminds its assignee once and escalates once, and does neither after the decision', async () => {
  const [head, dean] = await Promise.all(['hod.western-music', 'dean.music'].map(as))
  const asked = await waiting()
  const begun = await asOwner<{ ahead: boolean }>(
    `select p.due_at > t.created_at + interval '4 hours' as ahead from app.desk_promise p join app.task t on t.id = p.task_id
     where t.case_id = $1`,
    [asked.id],
  )
  expect(begun).toEqual([{ ahead: true }, { ahead: true }])
  await clock.keepsPromises()
  expect(await told(asked)).toEqual([])

  await makeDue(asked, ['remind'])
  await clock.keepsPromises()
  await expectMail(head!).about(REMINDER, asked)
  await makeDue(asked)
  await clock.keepsPromises()
  await expectMail(dean!).about(ESCALATION, asked)
  await clock.keepsPromises()
  const all = await told(asked)
  expect(all).toEqual([expect.stringContaining(ESCALATION), expect.stringContaining(REMINDER)])
  const auditor = await as('auditor')
  const entries = async (action: string): Promise<unknown[]> =>
    (await auditor.get(`/api/audit/entries?reference=${asked.reference}&action=${action}`)).items
  // An entry is found a moment after the mail, once it is sealed.
  await until('both are sealed, each once', async () => {
    const sealed = await Promise.all(['desk.reminded', 'desk.escalated'].map(entries))
    return sealed.every(({ length }) => length === 1)
  })

  const other = await waiting()
  const { id: task } = await head!.task(other, desks.giveInformation)
  await head!.decides(
    other,
    'give',
    { answers: [{ request: 'Petty cash book', answer: 'Here.' }] },
    desks.giveInformation,
  )
  await (await as('audit.verifier')).task(other, desks.verify)
  const left = await asOwner(`select from app.desk_promise where task_id = $1`, [task])
  expect(left).toEqual([])
  // Even if the row were still pending, the database refuses mails for what is over.
  await asOwner(
    `insert into app.desk_promise (task_id, kind, due_at, template) values ($1, 'remind', now() - interval '1 day', $2)`,
    [task, REMINDER],
  )
  await clock.keepsPromises()
  const keep = `update app.desk_promise set done_at = now() where task_id = $1`
  await expect(asOwner(keep, [task])).rejects.toThrow('a task that waits no more')
  await asOwner(`delete from app.desk_promise where task_id = $1`, [task])
  expect(await told(other)).toEqual([])
  for (const one of [asked, other]) await (await as('audit.assistant')).withdraws(one)
})

test('a suspended case sends nothing, and catches up when it resumes', async () => {
  const asked = await waiting()
  const [instance] = await engine<{ id: string }[]>('GET', `/process-instance?businessKey=${asked.id}`)
  const pause = (suspended: boolean) => engine('PUT', `/process-instance/${instance!.id}/suspended`, { suspended })
  await pause(true)
  await makeDue(asked)
  await clock.keepsPromises()
  expect([await told(asked), await undone(asked)]).toEqual([[], ['escalate', 'remind']])
  await pause(false)
  await clock.keepsPromises()
  expect([(await told(asked)).length, await undone(asked)]).toEqual([2, []])
  await (await as('audit.assistant')).withdraws(asked)
})

test('workers that crash while writing a reminder leave neither email nor record; then there are both, once', async () => {
  const asked = await waiting()
  const pid = pidOf('workers')
  await makeDue(asked)
  // The mail is written and recorded when the step reaches this lock, and nothing is committed.
  await whileLocked('lock table app.incident in share mode', [], async () => {
    await engine('POST', '/process-definition/key/desk-promises/start', {})
    await until('the worker is in the middle of it', async () => {
      const [seen] = await asOwner(
        `select count(*)::int as waiting from pg_stat_activity
         where wait_event_type = 'Lock' and query like 'update incident%' and pid <> pg_backend_pid()`,
      )
      return seen!['waiting'] > 0
    })
    process.kill(pid, 'SIGKILL')
  })
  await until('the workers run again', async () => stack().parts.workers.pid !== pid && (await ready()), {
    seconds: 120,
  })
  await clock.keepsPromises()
  expect([(await told(asked)).length, await undone(asked)]).toEqual([2, []])
  await (await as('audit.assistant')).withdraws(asked)
}, 200_000)

test('however many runs work at once, each person is notified once', async () => {
  const asked = [await waiting(), await waiting(), await waiting()]
  for (const one of asked) await makeDue(one)
  const begin = () => engine('POST', '/process-definition/key/desk-promises/start', {})
  await Promise.all([begin(), begin(), begin(), begin(), begin(), begin()])
  await idle('desk-promises')
  for (const one of asked) {
    expect([(await told(one)).length, await undone(one)]).toEqual([2, []])
    await (await as('audit.assistant')).withdraws(one)
  }
})
