import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { casesService } from '../../api/platform/work/cases/service.ts'
import { commandSender } from '../../api/platform/work/commands/sender.ts'
import { connect } from '../../api/platform/kernel/db/database.ts'
import { operaton } from '../../api/platform/kernel/engine/operaton/operaton.ts'
import { definitionStore } from '../../api/platform/model/deployed/definitions.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { loadRules } from '../../api/platform/model/deployed/rules.ts'
import { findPerson } from '../../api/platform/people/identity/accounts.ts'
import { tasksService } from '../../api/platform/work/tasks/service.ts'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { aReference } from '../../tests/platform/kit/payments.ts'
import { engine } from '../../tests/platform/kit/clock.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { as, type Case, type Person } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import { aBooking, aFreeRoom, BOOKING } from '../../tests/resource-reservation/booking.ts'
import { aRequest, aSetup, entryOf, type Item, RENEWAL } from '../../tests/year-renewals/renewal.ts'
import type { Bench } from '../main.ts'
import { bareDiagram } from '../platform/bare-engine.ts'
import { many, percentile, rounded, sized } from '../platform/results.ts'

const SIZE = Number(process.env['BENCH_SIZE'] ?? sized(3000, 2))
/** Bookings timed while nothing else runs. */
const ALONE = sized(40, 1)
const CLIENTS = 16
/** Most tasks of one bulk act. */
const CHUNK = 500

const { desks } = yearRenewal

/**
 * Ours: a set-up is opened for many students as one batch, until each has a case; they send it (not measured); head and
 * Dean approve all of them in bulk, until each waits at the last desk. Meanwhile one student keeps booking a room.
 * Baseline: the same diagram under a tenant of its own, which the product ignores, started and completed at those two
 * desks through the engine's REST API.
 */
const bench: Bench = {
  title: `batch-renewal: ${SIZE} renewals opened as a batch and approved in bulk at two desks, against the bare engine`,
  async run(say) {
    const booker = await as('student.yalini')
    const room = await aFreeRoom()
    const book = async () => {
      const began = performance.now()
      await booker.submit(BOOKING, aBooking(room))
      return performance.now() - began
    }
    await book()
    const alone = await many(1, ALONE, book)
    say(`a booking alone: p95 ${rounded(percentile(alone, 0.95))} ms`)

    const setup = await students(await entryOf('student.nuwan'), SIZE)
    const [ma, head, dean] = await Promise.all([as('admin'), as('hod.folk-music'), as('dean.music')])
    const beside: number[] = []
    let busy = true
    const booking = (async () => {
      while (busy) beside.push(await book())
    })()

    const opening = await seconds(async () => {
      await ma.ok('POST', `/api/batches/${RENEWAL}/${setup.id}`)
      await waitAt(setup, desks.request, SIZE)
    })
    say(`opened: ${rounded(SIZE / opening)}/s`)
    const pause = beside.length
    await sendAll(setup)
    beside.splice(pause)
    await waitAt(setup, desks.approveByHead, SIZE)
    const deciding = await seconds(async () => {
      await approveAll(head, setup, desks.approveByHead)
      await waitAt(setup, desks.approveByDean, SIZE)
      await approveAll(dean, setup, desks.approveByDean)
      await waitAt(setup, desks.updateYear, SIZE)
    })
    say(`approved at two desks: ${rounded(SIZE / deciding)}/s`)
    busy = false
    await booking

    const bare = await bareEngine(await anExample(setup))
    const raw = await seconds(() => many(CLIENTS, SIZE, bare))
    const [ours, base] = [SIZE / (opening + deciding), SIZE / raw]
    const [p95, calm] = [percentile(beside, 0.95), percentile(alone, 0.95)]
    return {
      figures: {
        'cases per second': rounded(ours),
        'raw per second': rounded(base),
        'ours to raw': rounded(ours / base),
        'opened per second': rounded(SIZE / opening),
        'booking alone p95 ms': rounded(calm),
        'booking beside it p95 ms': rounded(p95),
        'beside to alone': rounded(p95 / calm),
      },
      promises: [
        { figure: 'ours to raw', atLeast: 0.6 },
        { figure: 'beside to alone', atMost: 2 },
      ],
    }
  },
}
export default bench

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return (performance.now() - began) / 1000
}

/** Students of a new intake with accounts, and a set-up for them. */
async function students(like: Item, count: number): Promise<Item> {
  const admin = await as('admin')
  const name = `b${randomBytes(4).toString('hex')}`
  const { items: years } = await admin.get('/api/registers/year-renewals/academic-year/items?search=2026')
  const data = { name, academic_year: years[0].id, starts_on: '2026-01-05' }
  const { id: intake } = await admin.ok<Item>('POST', '/api/registers/intakes/intake/items', { data })
  await asOwner(
    `with made as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'platform/student', 'active', 'Bench ' || n, i.data || jsonb_build_object(
         'reg_no', $1 || '/' || n, 'email', $1 || n || '@example.org', 'full_name', 'Bench ' || n, 'intake', $5::text, 'year', 1)
       from app.register_item i, generate_series(1, $3::int) n where i.id = $2 returning id, title, data
     ), accounts as (
       insert into app.account (id, username, email, name, record_id, email_confirmed_at)
       select gen_random_uuid(), data ->> 'email', data ->> 'email', title, id, now() from made returning id
     )
     insert into app.role_grant (id, account_id, role, scope_kind, scope_id, origin, reason)
     select gen_random_uuid(), id, 'Undergraduate Student', 'faculty', $4, 'import', 'made for a measurement' from accounts`,
    [name, like.id, count, like.data['faculty'], intake],
  )
  return aSetup({ ...like, data: { ...like.data, intake, year: 1 } }, { department: like.data['department'] })
}

/** Waits until this many renewals of the set-up have reached a desk. */
function waitAt(setup: Item, desk: string, count: number): Promise<true> {
  return until(`${count} renewals at ${desk}`, async () => (await tasksAt(setup, desk)).length >= count, {
    seconds: 3600,
  })
}

function tasksAt(setup: Item, desk: string): Promise<{ id: string; requester_id: string }[]> {
  return asOwner(
    `select t.id, c.requester_id from app.task t join app.flow_case c on c.id = t.case_id
     where c.flow = $1 and c.once_key = $2 and t.desk = $3 and t.state = 'open'`,
    [RENEWAL, setup.id, desk],
  )
}

/** Every student sends the slip; not over HTTP, because signing in that many people would measure passwords. */
async function sendAll(setup: Item): Promise<void> {
  const { databaseUrl, engineUrl, engineSecret, url: publicUrl } = stack()
  const database = connect(databaseUrl, { name: 'bench', max: CLIENTS })
  const { db } = database
  const root = join(import.meta.dirname, '../..')
  const library = loadLibrary(root)
  const definitions = definitionStore(db)
  const bare = operaton({ url: engineUrl, secret: engineSecret })
  const sender = commandSender({ db, engine: bare, library, publicUrl, log: pino({ enabled: false }) })
  const rules = await loadRules(root, library.flows.keys())
  const cases = casesService({ db, library, definitions, sender, engine: bare, rules, publicUrl })
  const tasks = tasksService({ db, library, definitions, sender, cases })
  const example = await aRequest(await as('student.nuwan'), setup)
  const waiting = await tasksAt(setup, desks.request)
  await many(CLIENTS, waiting.length, async () => {
    const { id, requester_id } = waiting.pop()!
    const slip = randomUUID()
    await asOwner(
      `insert into app.file (id, name, content_type, size, sha256, storage_key, owner_id)
       select $1::uuid, name, content_type, size, encode(sha256(uuid_send($1::uuid)), 'hex'), storage_key, $2 from app.file where id = $3`,
      [slip, requester_id, example['slip']],
    )
    const student = await findPerson(db, requester_id)
    await tasks.complete(student!, id, { data: { ...example, slip, bank_reference: aReference() } })
  })
  await database.close()
}

/** Approves everything that waits at a desk, in bulk acts of the largest size. */
async function approveAll(person: Person, setup: Item, desk: string): Promise<void> {
  const ids = (await tasksAt(setup, desk)).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += CHUNK) {
    const body = { kind: 'complete', tasks: ids.slice(at, at + CHUNK), outcome: 'approve' }
    const { id } = await person.ok<{ id: string }>('POST', '/api/bulk', body)
    await until('the bulk is through', async () => (await person.get(`/api/bulk/${id}`)).state === 'done', {
      seconds: 3600,
    })
  }
}

async function anExample(setup: Item): Promise<Case> {
  const [found] = await asOwner<Case>(`select id, reference from app.flow_case where once_key = $1 limit 1`, [setup.id])
  return found!
}

/** The diagram of a case, deployed under a tenant: starts an instance and completes it at both desks. */
async function bareEngine(example: Case): Promise<() => Promise<void>> {
  const { definition, variables, days } = await bareDiagram(example, await as('admin'))
  // Started by the student it waits for the head at once: under a tenant no worker would send its mails.
  const fresh = { ...variables, byBatch: { type: 'Boolean', value: false } }
  return async () => {
    const { id } = await engine<{ id: string }>('POST', `/process-definition/${definition}/start`, {
      businessKey: randomUUID(),
      variables: fresh,
    })
    for (const desk of [desks.approveByHead, desks.approveByDean]) {
      const [task] = await engine<{ id: string }[]>('GET', `/task?processInstanceId=${id}`)
      const outcome = { [`${desk}_outcome`]: { type: 'String', value: 'approve' } }
      await engine('POST', `/task/${task!.id}/complete`, { variables: { ...days, ...outcome } })
    }
  }
}
