import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { connect } from '../../api/platform/kernel/db/database.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { send } from '../../tests/platform/kit/people.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import { accountIds, resources, someAccounts } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { rounded, sized } from '../platform/results.ts'

const CLIENTS = sized(200, 4)
const RACERS = sized(16, 2)
const SECONDS = sized(8, 0.3)

const bench: Bench = {
  title: `booking-race: ${CLIENTS} clients on one slot; then ${RACERS} on overlapping ranges, against raw locked inserts`,
  async run(say) {
    const { created, refused, other } = await oneSlot(say)
    const item = (await resources())[1]!.id
    const holders = await accountIds(RACERS)
    // Rounds alternate, so that a slowdown of the machine affects both.
    const rates = { ours: [] as number[], raw: [] as number[] }
    let deadlocks = 0
    for (let round = 0; round < 3; round += 1) {
      rates.raw.push(await raw(item, holders))
      const ours = await primitive(item, holders)
      rates.ours.push(ours.perSecond)
      deadlocks += ours.deadlocks
      say(`round ${round + 1}: raw ${rounded(rates.raw.at(-1)!)}/s, ours ${rounded(ours.perSecond)}/s`)
    }
    const best = (values: number[]): number => Math.max(...values)
    return {
      figures: {
        created,
        refused,
        other,
        deadlocks,
        'ours to raw': rounded(best(rates.ours) / best(rates.raw)),
      },
      promises: [
        { figure: 'created', atLeast: 1, atMost: 1 },
        { figure: 'refused', atLeast: CLIENTS - 1 },
        { figure: 'other', atMost: 0 },
        { figure: 'deadlocks', atMost: 0 },
        { figure: 'ours to raw', atLeast: 0.4 },
      ],
    }
  },
}
export default bench

/** Every client is a different person and requests the same hour. */
async function oneSlot(say: (line: string) => void): Promise<{ created: number; refused: number; other: number }> {
  const people = await someAccounts(CLIENTS)
  say(`${people.length} people are signed in`)
  const slot = {
    resource: (await resources())[0]!.id,
    from: '2031-03-05T09:00:00+05:30',
    until: '2031-03-05T12:00:00+05:30',
  }
  const answers = await Promise.all(
    people.map((token) =>
      send('POST', '/api/holds', { token, body: { flow: 'resource-reservation/resource-booking', data: slot } }),
    ),
  )
  const created = answers.filter(({ status }) => status === 201).length
  const refused = answers.filter(
    ({ status, body }) => status === 409 && body.code === 'resource-reservation.slot-taken',
  ).length
  return { created, refused, other: answers.length - created - refused }
}

/** Sixteen clients, each taking ranges of different lengths that overlap its neighbours', as fast as possible. */
async function hammer(take: (client: number, range: { from: Date; until: Date }) => Promise<void>): Promise<number> {
  const end = Date.now() + SECONDS * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: RACERS }, async (_, client) => {
      for (let n = 0; Date.now() < end; n += 1) {
        const from = new Date(Date.UTC(2032, 0, 1) + ((n * 7 + client) % 500) * 3_600_000)
        await take(client, { from, until: new Date(from.getTime() + (1 + ((client + n) % 5)) * 3_600_000) })
        done += 1
      }
    }),
  )
  return done / SECONDS
}

/** The baseline: lock the item, check, move the own slot or give up, in plain SQL over as many connections. */
async function raw(item: string, holders: string[]): Promise<number> {
  const pool = new pg.Pool({ connectionString: stack().databaseUrl, max: RACERS, options: '-c search_path=app,public' })
  try {
    return await hammer(async (racer, { from, until }) => {
      const client = await pool.connect()
      try {
        const range = `[${from.toISOString()},${until.toISOString()})`
        await client.query('begin')
        await client.query('select id from register_item where id = $1 for no key update', [item])
        const taken = await client.query(
          `select 1 from allocation where item_id = $1 and during && $2 and state <> 'released' and holder_id <> $3`,
          [item, range, holders[racer]],
        )
        if (taken.rowCount === 0) {
          const moved = await client.query(
            `update allocation set during = $2, booked = $2, expires_at = now() + interval '15 minutes'
             where item_id = $1 and holder_id = $3 and state = 'hold'`,
            [item, range, holders[racer]],
          )
          if (moved.rowCount === 0)
            await client.query(
              `insert into allocation (id, item_id, during, booked, state, holder_id, expires_at)
               values ($1, $2, $3, $3, 'hold', $4, now() + interval '15 minutes')`,
              [randomUUID(), item, range, holders[racer]],
            )
        }
        await client.query('commit')
      } finally {
        client.release()
      }
    })
  } finally {
    await pool.end()
  }
}

/** The same load through the allocation service that every booking uses. */
async function primitive(item: string, holders: string[]): Promise<{ perSecond: number; deadlocks: number }> {
  const { db, close } = connect(stack().databaseUrl, { name: 'bench', max: RACERS })
  let deadlocks = 0
  try {
    const perSecond = await hammer(async (racer, { from, until }) => {
      const during = { from: from.toISOString(), until: until.toISOString() }
      try {
        await db
          .transaction()
          .execute((trx) => allocations(trx).hold({ item, booked: during, holder: holders[racer]! }))
      } catch (error) {
        if ((error as { code?: string }).code === '40P01') deadlocks += 1
        else if (!(error instanceof BusinessError)) throw error
      }
    })
    return { perSecond, deadlocks }
  } finally {
    await close()
  }
}
