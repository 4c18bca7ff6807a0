import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import type { Person } from '../../api/platform/people/persons/person.ts'
import { type Sort, type Wanted, sorts } from '../../api/platform/work/inbox/query.ts'
import { inboxService } from '../../api/platform/work/inbox/service.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { FLOW, type GivenTask, inboxRows, library } from './kit/inbox.ts'
import { anAccount } from './kit/rows.ts'

const HOUR = 3_600_000
const now = new Date('2026-05-14T06:00:00Z')
const hours = (n: number) => new Date(now.getTime() + n * HOUR)

let database: TestDatabase
let rows: Awaited<ReturnType<typeof inboxRows>>
let all: (GivenTask & { id: string; created: Date })[]
let people: string[]

/** Deterministic pseudo-random numbers. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

const roles = ['HOD@department:a', 'HOD@department:b', 'Registrar', 'MA@faculty:c', 'Finance MA']
const faculties = [randomUUID(), randomUUID()]
const statuses = ['tentative_booking', 'pending_for_payment', 'confirmed_booking']
const kinds = ['current', 'past', 'not_associated']

beforeAll(async () => {
  database = await freshDatabase()
  rows = await inboxRows(database.db)
  people = await Promise.all([1, 2, 3].map(() => anAccount(database.db)))
  const roll = dice(7)
  const one = <T>(of: readonly T[]): T => of[roll(of.length)]!
  all = []
  for (let n = 0; n < 240; n += 1) {
    const held = roll(4) === 0
    const given: GivenTask & { created: Date } = {
      principals: [...new Set([one(roles), ...(roll(3) === 0 ? [one(roles)] : [])])],
      requester: one(people),
      reference: `RB-2026-${String(n).padStart(6, '0')}`,
      desk: one(['userTask_approveByHead', 'userTask_checkByMA']),
      status: one(statuses),
      event: `${one(['Recital', 'Exhibition', 'Lecture'])} ${n}`,
      filters: { association_to_uni: one(kinds), resource: one(faculties) },
      ...(roll(3) > 0 && { faculty: one(faculties) }),
      amount: roll(4) === 0 ? null : roll(20) * 1000,
      priority: one([25, 50, 75]),
      // Many at the same time, so that ties occur.
      created: hours(-roll(60)),
      due: roll(2) === 0 ? null : hours(roll(200) - 100),
      ...(held && { holder: one(people), ...(roll(3) === 0 && { followUp: hours(roll(20) - 10) }) }),
    }
    all.push({ ...given, id: (await rows.aTask(given)).id })
  }
}, 60_000)
afterAll(() => database?.drop())

function somebody(principals: string[], more: Partial<Person> = {}): Person {
  const id = people[0]!
  const person = { username: 'x', name: 'X', email: 'x@example.lk', post: null, grants: [], groups: [], groupRoles: {} }
  return { ...person, id, principals: [`user:${id}`, ...principals], seesAll: false, standsIn: [], ...more }
}

type Task = (typeof all)[number]

const overseer = () => somebody([], { seesAll: true, grants: [{ role: 'ADMIN', scopeKind: null, scopeId: null }] })

/** The expected list, from a check of every task. */
function expected(person: Person, wanted: Wanted): Task[] {
  const { queue = 'open', sort = '-created', ...by } = wanted
  const offered = (task: Task) => {
    if (person.seesAll) return true
    if (task.principals.some((principal) => person.principals.includes(principal))) return true
    return person.standsIn.some(
      ({ principals, flows, amountLimit }) =>
        task.principals.some((principal) => principals.includes(principal)) &&
        (flows === null || flows.includes(FLOW)) &&
        (amountLimit === null || (typeof task.amount === 'number' && BigInt(task.amount) <= amountLimit)),
    )
  }
  const mine = (task: Task) => task.holder === person.id
  const putOff = (task: Task) => task.followUp instanceof Date && task.followUp > now
  const queues: Record<string, (task: Task) => boolean> = {
    open: (task) => !task.holder && offered(task),
    mine: (task) => mine(task) && !putOff(task),
    group: (task) => task.holder !== undefined && !mine(task) && offered(task),
    overdue: (task) => ((!task.holder && offered(task)) || mine(task)) && task.due instanceof Date && task.due < now,
    later: (task) => mine(task) && putOff(task),
  }
  const key: Record<Sort, (task: Task) => number> = {
    created: () => 0,
    '-created': () => 0,
    due: ({ due }) => due?.getTime() ?? Infinity,
    'follow-up': ({ followUp }) => followUp?.getTime() ?? Infinity,
    '-priority': ({ priority }) => -priority!,
    amount: ({ amount }) => amount ?? -1,
    '-amount': ({ amount }) => amount ?? -1,
  }
  const text = (task: Task) => `${task.reference} {"event": "${task.event}"} Approve`.toLowerCase()
  const found = all
    .filter(queues[queue]!)
    .filter((task) => !by.status || task.status === by.status)
    .filter((task) => !by.desk || task.desk === by.desk)
    .filter(() => !by.flow || by.flow === FLOW)
    .filter((task) => !by.requester || task.requester === by.requester)
    .filter((task) => !by.faculty || task.faculty === by.faculty)
    .filter((task) => by.amountFrom === undefined || (task.amount ?? -1) >= by.amountFrom)
    .filter((task) => by.amountTo === undefined || (typeof task.amount === 'number' && task.amount <= by.amountTo))
    .filter((task) => !by.from || task.created >= new Date(`${by.from}T00:00:00+05:30`))
    .filter((task) => !by.until || task.created < new Date(Date.parse(`${by.until}T00:00:00+05:30`) + 24 * HOUR))
    .filter((task) => !by.search || text(task).includes(by.search.toLowerCase()))
    .filter((task) => Object.entries(by.filters ?? {}).every(([name, value]) => task.filters?.[name] === value))
  const order = (a: Task, b: Task) =>
    key[sort](a) - key[sort](b) || a.created.getTime() - b.created.getTime() || (a.id < b.id ? -1 : 1)
  const sorted = found.toSorted(order)
  return sort === '-created' || sort === '-amount' ? sorted.toReversed() : sorted
}

/** Every page of a list, in order. */
async function read(
  inbox: ReturnType<typeof inboxService>,
  person: Person,
  wanted: Wanted,
  limit: number,
): Promise<{ ids: string[]; count: { value: number; more: boolean }; narrow: number }> {
  const ids: string[] = []
  let [cursor, narrow, count]: [string | null, number, { value: number; more: boolean } | undefined] = [
    null,
    0,
    undefined,
  ]
  do {
    const page: Awaited<ReturnType<typeof inbox.list>> = await inbox.list(person, {
      ...wanted,
      limit,
      ...(cursor !== null && { cursor }),
    })
    ids.push(...page.items.map(({ id }) => id))
    expect(page.items.length).toBeLessThanOrEqual(limit)
    if (page.narrow) narrow += 1
    else if (page.next !== null) expect(page.items).toHaveLength(limit)
    count ??= page.count
    cursor = page.next
  } while (cursor !== null)
  return { ids, count: count!, narrow }
}

describe.each([
  ['as far as it likes', undefined],
  ['at few rows only', 8],
])('a list that looks %s', (_how, examined) => {
  let inbox: ReturnType<typeof inboxService>
  beforeAll(() => {
    inbox = inboxService({
      db: database.db,
      library,
      definitions: rows.definitions,
      clock: () => now,
      ...(examined !== undefined && { examined }),
    })
  })

  test('has all matching tasks in its order, each once, for any filter', async () => {
    const roll = dice(examined ?? 3)
    const one = <T>(of: readonly T[]): T => of[roll(of.length)]!
    const some = <T>(name: string, of: readonly T[]) => (roll(5) === 0 ? { [name]: one(of) } : {})
    const stead = { id: randomUUID(), absent: { id: people[1]!, name: 'Y' }, principals: ['Registrar', 'Finance MA'] }
    const readers = [
      somebody(['HOD', 'HOD@department:a']),
      somebody(roles),
      overseer(),
      somebody(['MA@faculty:c'], { standsIn: [{ ...stead, flows: null, amountLimit: null }] }),
      somebody(['MA@faculty:c'], { standsIn: [{ ...stead, flows: [FLOW], amountLimit: 9000n }] }),
      somebody(['MA@faculty:c'], { standsIn: [{ ...stead, flows: ['other/flow'], amountLimit: null }] }),
    ]
    let narrow = 0
    for (let n = 0; n < 60; n += 1) {
      const person = one(readers)
      const wanted: Wanted = {
        queue: one(['open', 'open', 'open', 'mine', 'group', 'overdue', 'later'] as const),
        sort: one(sorts),
        ...some('status', statuses),
        ...some('desk', ['userTask_approveByHead']),
        ...some('flow', [FLOW, FLOW, 'other/flow']),
        ...some('requester', people),
        ...some('faculty', faculties),
        ...some('amountFrom', [0, 5000]),
        ...some('amountTo', [4000, 12_000]),
        ...some('from', ['2026-05-13']),
        ...some('until', ['2026-05-13', '2026-05-12']),
        ...some('search', ['lecture', 'RB-2026-00001', 'rb-2026-000123', '_']),
        ...(roll(3) === 0 && { filters: { association_to_uni: one(kinds), ...some('resource', faculties) } }),
      }
      const list = await read(inbox, person, wanted, one([7, 50]))
      const right = expected(person, wanted).map(({ id }) => id)
      expect({ wanted, ids: list.ids }).toEqual({ wanted, ids: right })
      if (!list.count.more) expect({ wanted, count: list.count.value }).toEqual({ wanted, count: right.length })
      else
        expect({ wanted, count: list.count.value }).toEqual({
          wanted,
          count: Math.min(list.count.value, right.length, 99),
        })
      narrow += list.narrow
    }
    expect(narrow > 0).toBe(examined !== undefined)
  }, 60_000)
})

test('the counts match the lists', async () => {
  const inbox = inboxService({ db: database.db, library, definitions: rows.definitions, clock: () => now })
  for (const person of [somebody(roles), somebody(['Registrar']), overseer()]) {
    const counts = await inbox.count(person)
    for (const queue of ['open', 'mine', 'group', 'overdue', 'later'] as const) {
      const { length } = expected(person, { queue })
      expect({ queue, ...counts[queue] }).toEqual({ queue, value: Math.min(length, 99), more: length > 99 })
    }
    expect((await inbox.count(person, { flow: 'other/flow' })).open).toEqual({ value: 0, more: false })
    expect((await inbox.count(person, { flow: FLOW })).overdue).toEqual(counts.overdue)
  }
})
