import dayjs from 'dayjs'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import people from '../../forms/platform/people.demo.json' with { type: 'json' }
import type { Bookings } from '../platform/faults/kill-random.ts'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { as, PASSWORD, send } from '../platform/kit/people.ts'
import { stack } from '../platform/kit/stack.ts'

/** The flow of this area. */
export const BOOKING = resourceBooking.flow

export interface Resource {
  id: string
  title: string
  data: { resource_ref_id: string; cost_applicable: boolean; department?: string; division?: string; faculty?: string }
}

/** The resources that the public may see. */
export async function resources(): Promise<Resource[]> {
  const { body } = await send('GET', '/api/public/registers/resource-reservation/resource/items?limit=100')
  return body.items as Resource[]
}

/** A resource that a department owns, and the sign-in of that department's head. */
export interface Hall extends Resource {
  head: string
}

/** The halls of departments, with cost or without. */
export async function halls({ cost }: { cost: boolean }): Promise<Hall[]> {
  const admin = await as('admin')
  const list = await admin.get('/api/registers/platform/department/items?limit=100')
  const heads = new Map<string, string>()
  for (const { id, data } of list.items) {
    const head = people.find(({ post }) => post === data.head)
    if (head) heads.set(id, head.username)
  }
  const found = (await resources()).flatMap((resource): Hall[] => {
    const head = resource.data.department && heads.get(resource.data.department)
    return head && resource.data.cost_applicable === cost ? [{ ...resource, head }] : []
  })
  if (found.length === 0) throw new Error(`no hall of a department ${cost ? 'with' : 'without'} cost`)
  return found
}

/**
 * A day of its own for each booking, so that stories do not meet by accident: five days pass each second, faster than
 * any test file books, and each file goes on from the present one.
 */
let days = Math.floor(Date.now() / 200) % 10_000

/** A booking as a student would write it, for a free morning of the given resource. */
export function aBooking(resource: { id: string }, more: object = {}): Record<string, unknown> {
  days += 1
  const day = dayjs()
    .add(60 + days, 'day')
    .format('YYYY-MM-DD')
  return {
    resource: resource.id,
    from: `${day}T09:00:00+05:30`,
    until: `${day}T12:00:00+05:30`,
    event: 'Evening of Kandyan drums',
    event_organized_by: 'Students’ Drumming Circle',
    event_details: 'A concert of the second-year students, open to the public.',
    association_to_uni: 'current',
    associated_as: 'Undergraduate Student',
    reg_no: 'DD/2024/017',
    salutation: 'Mr.',
    poc_name: 'Nuwan Jayasinghe',
    poc_nic: '200012345678',
    poc_email: 'nuwan@example.org',
    poc_contact_no: '0771231231',
    team_participants: 24,
    is_sponsors: false,
    ...more,
  }
}

/** Ids of that many accounts. */
export async function accountIds(count: number): Promise<string[]> {
  const { rows } = await owner<{ id: string }>('select id from app.account order by id limit $1', [count])
  return rows.map(({ id }) => id)
}

/** Makes that many accounts beside those of the demo data and signs them in; gives their access tokens. */
export async function someAccounts(count: number): Promise<string[]> {
  const run = randomBytes(3).toString('hex')
  await owner(
    `insert into app.account (id, username, email, name, password_hash)
     select gen_random_uuid(), 'racer' || $1 || n, 'racer' || $1 || n || '@example.org', 'Racer ' || n,
       (select password_hash from app.account where username = 'student.nuwan')
     from generate_series(1, $2) as n`,
    [run, count],
  )
  const tokens: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const body = new URLSearchParams({ grant_type: 'password', username: `racer${run}${n}`, password: PASSWORD })
    const answer = await send('POST', '/api/auth/token', { body })
    if (answer.status !== 200) throw new Error(`racer ${n} cannot sign in: ${JSON.stringify(answer.body)}`)
    tokens.push(answer.body.access_token as string)
  }
  return tokens
}

async function owner<R extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<pg.QueryResult<R>> {
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    return await client.query<R>(sql, values)
  } finally {
    await client.end()
  }
}

/** What the runs with faults need to know of this area. */
export async function bookingsForFaults(): Promise<Bookings> {
  const all = [...(await halls({ cost: true })), ...(await halls({ cost: false }))]
  const hall = (n: number): Hall => all[n % all.length]!
  return {
    flow: BOOKING,
    data: (n) => aBooking(hall(n)),
    bookers: people.map(({ username }) => username).filter((name) => name.startsWith('student.')),
    head: (n) => hall(n).head,
    registrar: 'registrar',
    finance: 'finance',
  }
}
