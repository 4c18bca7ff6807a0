import { randomUUID } from 'node:crypto'
import dayjs from 'dayjs'
import pg from 'pg'
import { send } from '../../tests/platform/kit/people.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import { accountIds, aBooking, BOOKING, halls, someAccounts } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from '../platform/results.ts'

const CLIENTS = sized(16, 2)
const SECONDS = sized(8, 0.3)
const ROUNDS = sized(3, 1)

/** Rows that a booking must leave beside its slot: case, submission, statuses, command, audit, mail, notification … */
const ROWS = 10

/**
 * Ours: over HTTP, a person holds a slot and submits the form for it, and the engine has started the case. A round ends
 * when all cases have started, so that it does not slow the next one. Baseline: the same two steps as bare SQL over as
 * many connections: lock the item, check, insert the hold; lock again, check, make the hold a claim, and insert ten
 * rows in ten statements. First all use one resource, then up to ten.
 */
const bench: Bench = {
  title: `booking-tput: hold and submit over HTTP by ${CLIENTS} clients on one resource and on many, against raw locked inserts`,
  async run(say) {
    const all = [...(await halls({ cost: false })), ...(await halls({ cost: true }))].slice(0, 10)
    const tokens = await someAccounts(CLIENTS)
    const holders = await accountIds(CLIENTS)
    const slots = slotsFrom(dayjs().add(90, 'day'))
    const phases = { hold: [] as number[], submit: [] as number[] }
    // The first bookings warm up; one of their cases serves the baseline.
    const example = await book(tokens[0]!, all[0]!, slots(), phases)
    await perSecond((client) => book(tokens[client]!, all[client % all.length]!, slots(), phases))
    await untilBegun()
    const began = new Date()
    const figures: Record<string, number> = {}
    for (const count of [1, all.length]) {
      const some = all.slice(0, count)
      const rates = { ours: [] as number[], raw: [] as number[] }
      for (let round = 1; round <= ROUNDS; round += 1) {
        rates.raw.push(await withRows(() => raw(some, holders, example, slots)))
        rates.ours.push(await perSecond((client) => book(tokens[client]!, some[client % count]!, slots(), phases)))
        await untilBegun()
        say(`${count}, round ${round}: raw ${rounded(rates.raw.at(-1)!)}/s, ours ${rounded(rates.ours.at(-1)!)}/s`)
      }
      const [ours, bare] = [Math.max(...rates.ours), Math.max(...rates.raw)]
      const on = count === 1 ? 'one resource' : 'many resources'
      figures[`${on}: bookings per second`] = rounded(ours)
      figures[`${on}: raw per second`] = rounded(bare)
      figures[`${on}: ours to raw`] = rounded(ours / bare)
    }
    const p50 = (times: number[]) => rounded(percentile(times, 0.5))
    return {
      figures: {
        ...figures,
        'hold p50 ms': p50(phases.hold),
        'submit p50 ms': p50(phases.submit),
        'of which until the engine has begun it p50 ms': p50(await engineTimes(began)),
      },
      promises: [
        { figure: 'one resource: ours to raw', atLeast: 0.25 },
        { figure: 'many resources: ours to raw', atLeast: 0.25 },
      ],
    }
  },
}
export default bench

interface Slot {
  from: string
  until: string
}

/** A different slot for each booking: consecutive quarters of an hour. */
function slotsFrom(start: dayjs.Dayjs): () => Slot {
  let next = start.startOf('day')
  return () => {
    const from = next
    next = next.add(15, 'minute')
    return { from: from.toISOString(), until: next.toISOString() }
  }
}

/** One booking as the dialog makes it; returns the id of its case. */
async function book(
  token: string,
  hall: { id: string },
  slot: Slot,
  phases: { hold: number[]; submit: number[] },
): Promise<string> {
  const data = aBooking(hall, slot)
  const begun = performance.now()
  const held = await send('POST', '/api/holds', {
    token,
    body: { flow: BOOKING, data: { resource: hall.id, ...slot } },
  })
  const between = performance.now()
  if (held.status !== 201) throw new Error(`the slot could not be held: ${JSON.stringify(held.body)}`)
  const sent = await send('POST', '/api/cases', { token, body: { flow: BOOKING, data } })
  if (sent.status !== 201) throw new Error(`the booking was not taken: ${JSON.stringify(sent.body)}`)
  phases.hold.push(between - begun)
  phases.submit.push(performance.now() - between)
  return sent.body.id as string
}

async function perSecond(one: (client: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      while (performance.now() - began < SECONDS * 1000) {
        await one(client)
        done += 1
      }
    }),
  )
  return done / ((performance.now() - began) / 1000)
}

/** A table for the baseline's rows, while it is measured. */
async function withRows<T>(measure: () => Promise<T>): Promise<T> {
  for (const statement of [
    'create schema bench_rows',
    'create table bench_rows.row (id uuid primary key, case_id uuid not null, data jsonb)',
    'grant usage on schema bench_rows to prakriya_app',
    'grant insert on bench_rows.row to prakriya_app',
  ])
    await asOwner(statement)
  try {
    return await measure()
  } finally {
    await asOwner('drop schema bench_rows cascade')
  }
}

async function raw(
  items: readonly { id: string }[],
  holders: string[],
  caseId: string,
  slots: () => Slot,
): Promise<number> {
  const pool = new pg.Pool({
    connectionString: stack().databaseUrl,
    max: CLIENTS,
    options: '-c search_path=app,public',
  })
  try {
    return await perSecond(async (client) => {
      const { id: item } = items[client % items.length]!
      const slot = slots()
      const range = `[${slot.from},${slot.until})`
      const id = randomUUID()
      const hold = {
        text: `insert into allocation (id, item_id, during, booked, state, holder_id, expires_at)
          values ($1, $2, $3, $3, 'hold', $4, now() + interval '15 minutes')`,
        values: [id, item, range, holders[client]],
      }
      await locked(pool, item, range, id, [hold])
      const claim = {
        text: `update allocation set state = 'claimed', expires_at = null, case_id = $2 where id = $1`,
        values: [id, caseId],
      }
      const rows = Array.from({ length: ROWS }, (_, n) => ({
        text: 'insert into bench_rows.row (id, case_id, data) values ($1, $2, $3)',
        values: [randomUUID(), caseId, JSON.stringify({ n, at: new Date(), what: 'x'.repeat(100) })],
      }))
      await locked(pool, item, range, id, [claim, ...rows])
    })
  } finally {
    await pool.end()
  }
}

/** Lock the item, check that nobody else has the slot, write. */
async function locked(
  pool: pg.Pool,
  item: string,
  range: string,
  own: string,
  writes: readonly pg.QueryConfig[],
): Promise<void> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query('select id from register_item where id = $1 for no key update', [item])
    const taken = await connection.query(
      `select 1 from allocation where item_id = $1 and during && $2 and state <> 'released' and id <> $3`,
      [item, range, own],
    )
    if (taken.rowCount === 0) for (const write of writes) await connection.query(write)
    await connection.query('commit')
  } finally {
    connection.release()
  }
}

/** Waits until the engine has started every case. */
function untilBegun(): Promise<true> {
  return withOwner(async (client) =>
    until(
      'the engine has begun every case',
      async () =>
        (await client.query(`select from app.command where kind = 'start' and state = 'pending'`)).rowCount === 0,
      { seconds: 600 },
    ),
  )
}

/** Milliseconds from each submission's transaction until the engine had started the case. */
function engineTimes(since: Date): Promise<number[]> {
  return withOwner(async (client) => {
    const { rows } = await client.query<{ ms: number }>(
      `select extract(epoch from done_at - created_at)::float8 * 1000 as ms from app.command
       where kind = 'start' and done_at is not null and created_at >= $1`,
      [since],
    )
    return rows.map(({ ms }) => ms)
  })
}

async function withOwner<T>(ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
