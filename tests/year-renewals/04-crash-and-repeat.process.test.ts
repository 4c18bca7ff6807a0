import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { aRequest, aSetup, entryOf, type Item, RENEWAL, SETUP, standsIn } from './renewal.ts'

let owner: Database, app: Database
let ma: Person
beforeAll(async () => {
  const { ownerDatabaseUrl, databaseUrl } = stack()
  owner = connect(ownerDatabaseUrl, { name: 'test-renewals-owner', max: 2, onError: () => undefined })
  app = connect(databaseUrl, { name: 'test-renewals', max: 4, onError: () => undefined })
  ma = await as('ma.music')
})
afterAll(async () => {
  await owner.close()
  await app.close()
})

/** Gives accounts to students of an intake and year without one, as their password link does. */
async function withAccounts(like: Item, count: number): Promise<void> {
  const { department, intake, year } = like.data
  await sql`
    with chosen as (
      select i.id, i.title, i.data ->> 'email' as email, i.data -> 'faculty' #>> '{}' as faculty
      from app.register_item i
      where i.register = 'platform/student' and i.status = 'active' and i.data ->> 'department' = ${department}
        and i.data ->> 'intake' = ${intake} and (i.data ->> 'year')::int = ${year}
        and not exists (select from app.account a where a.record_id = i.id)
      order by i.id limit ${count}
    ), made as (
      insert into app.account (id, username, email, name, record_id, email_confirmed_at)
      select gen_random_uuid(), email, email, title, id, now() from chosen returning id, record_id
    )
    insert into app.role_grant (id, account_id, role, scope_kind, scope_id, origin, reason)
    select gen_random_uuid(), made.id, 'Undergraduate Student', 'faculty', chosen.faculty, 'import', 'for a test'
    from made join chosen on chosen.id = made.record_id`.execute(owner.db)
}

const progress = (setup: Item) => ma.get(`/api/batches/${RENEWAL}/${setup.id}`)

test('the API crashes during a batch, which continues; stopped, it leaves the others alone; nobody has two', async () => {
  const like = await standsIn('student.piumi', 2)
  await withAccounts(like, 40)
  const setup = await aSetup(like, { department: like.data['department'] })
  const { latest: begun } = await ma.ok('POST', `/api/batches/${RENEWAL}/${setup.id}`)
  expect(begun.total).toBeGreaterThan(20)
  const pid = pidOf('api')
  process.kill(pid, 'SIGKILL')
  await until('the API runs again', async () => stack().parts.api.pid !== pid && (await ready()), { seconds: 120 })
  await until('the batch is through', async () => (await progress(setup)).latest.state === 'done', { seconds: 90 })
  const { latest, counts } = await progress(setup)
  expect(latest).toMatchObject({ total: begun.total, done: begun.total, refused: 0 })
  expect(counts['to-open']).toBe(0)
  const { rows } = await sql<{ cases: number; people: number; started: number }>`
    select count(*)::int as cases, count(distinct c.requester_id)::int as people,
      count(*) filter (where exists (select from app.command where case_id = c.id and kind = 'start'))::int as started
    from app.flow_case c where c.once_key = ${setup.id}`.execute(owner.db)
  expect(rows[0]).toEqual({ cases: begun.total, people: begun.total, started: begun.total })

  const other = await aSetup(like, { department: like.data['department'] })
  await ma.ok('POST', `/api/batches/${RENEWAL}/${other.id}`)
  const stopped = await ma.ok('POST', `/api/batches/${RENEWAL}/${other.id}/stop`)
  expect(stopped.latest.state).toBe('stopped')
  const after = await progress(other)
  expect(after.latest.done).toBe(stopped.latest.done)
  expect(after.counts['to-open']).toBe(begun.total - stopped.latest.done)
})

test('the database refuses a second renewal of a student for a set-up, from any source', async () => {
  const again = sql`
    insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, status, once_key)
    select ${randomUUID()}::uuid, ${randomUUID()}, flow, flow_hash, process_definition_id, requester_id, status, once_key
    from flow_case where flow = ${RENEWAL} and once_key is not null limit 1`
  await expect(again.execute(app.db)).rejects.toThrow('flow_case_once')
})

test('a worker whose task is repeated writes the year and the fee once', async () => {
  const student = await as('student.tharindu')
  const entry = await standsIn('student.tharindu', 2)
  const renewal = await student.submit(RENEWAL, await aRequest(student, await aSetup(entry)))
  await (await as('hod.music')).decides(renewal, 'approve')
  await (await as('dean.music')).decides(renewal, 'approve')
  await ma.decides(renewal, 'update', {}, yearRenewal.desks.updateYear)
  await expectCase(renewal).toBe('Year Updated')
  const run = runOnce({
    db: app.db,
    library: loadLibrary(join(import.meta.dirname, '../..')),
    publicUrl: stack().url,
  })
  const runs = app.db.selectFrom('worker_run').selectAll().where('case_id', '=', renewal.id)
  const workers = await discoverWorkers()
  const repeat = async (topic: string, variables: Record<string, string>) => {
    const [done] = await runs.where('topic', '=', topic).execute()
    const task = { id: done!.external_task_id, topic, element: 'serviceTask_x', caseId: renewal.id, variables }
    const lock = { held: () => true, confirm: async () => true }
    return run({ worker: workers.get(topic)!, task, lock, log: pino({ enabled: false }) })
  }
  const lookups = { field: '/year', was: '/setup#/data/from_year', becomes: '/setup#/data/to_year' }
  expect(await repeat('platform.change-record', lookups)).toMatchObject({ kind: 'completed' })
  expect(await entryOf('student.tharindu')).toMatchObject({ version: entry.version + 1, data: { year: 3 } })
  expect(await repeat('platform.take-fee', { amount: '/subject/fee' })).toMatchObject({ kind: 'completed' })
  const posted = sql<{ amount: number }>`
    select l.amount::float8 as amount from app.ledger_line l join app.ledger_entry e on e.id = l.entry_id
    where e.case_id = ${renewal.id} and l.account_id = 'fees:year-renewals'`
  expect((await posted.execute(owner.db)).rows).toEqual([{ amount: -250_000 }])
})

test('a set-up belongs to its unit, and moves forward: an MA of the faculty creates one for it, and for no other', async () => {
  const { data } = await entryOf('student.selvi')
  const { data: like } = await aSetup(await entryOf('student.piumi'))
  const make = (faculty: unknown) =>
    ma.send('POST', `/api/registers/${SETUP}/items`, { data: { ...like, name: `By the MA ${randomUUID()}`, faculty } })
  expect((await make(data['faculty'])).status).toBe(403)
  expect((await make(like['faculty'])).status).toBe(201)
  const name = `Backwards ${randomUUID()}`
  const backwards = { ...like, name, from_year: 3, to_year: 3, opens: like['closes'], closes: like['opens'] }
  const refused = await ma.send('POST', `/api/registers/${SETUP}/items`, { data: backwards })
  expect(refused.body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual(['/closes', '/to_year'])
})
