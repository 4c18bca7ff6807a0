import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Logger, runOnce } from 'graphile-worker'
import { begunTasks } from '../../api/platform/work/cases/begun.ts'
import { APTITUDE, type FlowWorld, anAptitudeApplication, anOpenTest, flowWorld } from './kit/flow-world.ts'
import { writeAsStranger } from './kit/proof.ts'

const MINUTE = 60_000

/** By how much the clock of the API is ahead. */
let ahead = 0
const clock = () => new Date(Date.now() + ahead)

let world: FlowWorld
beforeAll(async () => {
  world = await flowWorld([APTITUDE], { clock })
  // The database tells the real time, so the times of each new case are put back by as much as the API is ahead.
  await world.database.owner.pool.query(`
    create table app.test_ahead as select interval '0' as amount;
    grant select on app.test_ahead to prakriya_app;
    create function app.test_puts_back() returns trigger language plpgsql as $$ begin
      new.closes_at := new.closes_at - (select amount from app.test_ahead);
      new.finish_until := new.finish_until - (select amount from app.test_ahead);
      return new;
    end $$;
    create trigger a_test_puts_back before insert on app.flow_case for each row execute function app.test_puts_back()`)
})
afterAll(() => world?.close())

/** Has the API live at this moment. */
async function isNow(moment: number): Promise<void> {
  ahead = moment - Date.now()
  await world.database.owner.pool.query('update app.test_ahead set amount = make_interval(secs => $1)', [ahead / 1000])
}

const begin = (item: string, remoteAddress: string) =>
  world.own.app.inject({
    method: 'POST',
    url: '/api/public/applications/begun',
    payload: { flow: APTITUDE, item },
    remoteAddress,
  })

let sent = 0
/** Applies with a new account. */
function apply(item: string, begun?: string) {
  sent += 1
  const account = { email: `late.${sent}@example.lk`, password: 'Moonstone26', confirm_password: 'Moonstone26' }
  const data = anAptitudeApplication(item, `2006135${String(sent).padStart(5, '0')}`)
  return writeAsStranger(world.own.app, '/api/public/applications', {
    flow: APTITUDE,
    data,
    account,
    ...(begun && { begun }),
  })
}

/** What visitors have begun with an item and not sent. */
const unclaimed = (item: string) =>
  world.database.db
    .selectFrom('begun_form')
    .select('id')
    .where('item', '=', item)
    .where('account_id', 'is', null)
    .execute()

/** Runs the jobs that are due, and those of forms begun as if they were. */
async function runJobs(): Promise<void> {
  const { database, library, definitions } = world
  await database.owner.pool.query(`update graphile_worker._private_jobs set run_at = now() where key like 'begun:%'`)
  await runOnce({
    pgPool: database.pool,
    taskList: begunTasks({ db: database.db, library, definitions, clock }),
    logger: new Logger(() => () => undefined),
    noHandleSignals: true,
  })
}

test('who began before the closing sends within ten minutes of it, and nobody else; the rest is forgotten', async () => {
  ahead = 0
  const item = await anOpenTest(world)
  const [early, slow, late] = await Promise.all([1, 2, 3].map((n) => begin(item, `10.9.0.${n}`)))
  expect([early, slow, late].map((answer) => answer?.statusCode)).toEqual([200, 200, 200])
  const [first, second, third] = [early, slow, late].map((answer) => answer!.json())
  await world.database.owner.pool.query(
    `update app.begun_form set begun_at = begun_at - interval '1 hour' where id = any($1)`,
    [[first.id, second.id]],
  )
  const closing = Date.parse(first.closesAt)

  await isNow(closing + 5 * MINUTE)
  expect((await apply(item, first.id)).statusCode).toBe(201)
  for (const begun of [undefined, third.id]) {
    const refused = await apply(item, begun)
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      [expect.objectContaining({ field: '/test', code: 'platform.closed' })],
    ])
  }
  expect((await begin(item, '10.9.0.4')).statusCode).toBe(422)
  await runJobs()
  expect(await unclaimed(item)).toHaveLength(2)

  await isNow(closing + 11 * MINUTE)
  expect((await apply(item, second.id)).statusCode).toBe(422)
  await runJobs()
  expect(await unclaimed(item)).toEqual([])
})

test('a network begins at most six hundred forms an hour; others and the form itself are not concerned', async () => {
  ahead = 0
  const item = await anOpenTest(world)
  for (let number = 1; number <= 600; number++) expect((await begin(item, '10.8.0.1')).statusCode).toBe(200)
  const refused = await begin(item, '10.8.0.1')
  expect([refused.statusCode, refused.json()]).toMatchObject([
    429,
    { code: 'platform.too-many-requests', title: 'Too many requests; please wait a little' },
  ])
  expect(await unclaimed(item)).toHaveLength(600)
  expect((await begin(item, '10.8.0.2')).statusCode).toBe(200)
  const open = { url: `/api/public/flows/${APTITUDE}/open`, remoteAddress: '10.8.0.1' }
  expect((await world.own.app.inject(open)).statusCode).toBe(200)
})
