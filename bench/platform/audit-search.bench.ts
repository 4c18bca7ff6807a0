import type { Caller } from '../../tests/platform/kit/app.ts'
import { testApp } from '../../tests/platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../../tests/platform/kit/database.ts'
import { anAccount } from '../../tests/platform/kit/rows.ts'
import type { Bench } from '../main.ts'
import { timed } from './inbox-rows.ts'
import { percentile, rounded, sized } from './results.ts'

/** Entry counts, from smallest to largest; `BENCH_ENTRIES` sets fewer for a quick try. */
const sizes = (process.env['BENCH_ENTRIES'] ?? sized('100000,10000000', '100,200')).split(',').map(Number)
const SAMPLES = sized(400, 15)
const PEOPLE = sized(2000, 10)
/** Entries per case. */
const OF_CASE = 20
/** Rows per insert statement. */
const PART = 500_000

const caseOf = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
/** A deterministic, evenly distributed number below `below`. */
const chance = (n: string, below: number, salt: number) =>
  `((${n}::bigint * 2654435761 + ${salt}::bigint * 40503) % 1000003 % ${below})`

/**
 * Ours: an auditor's searches over HTTP with many entries: every kind of filter, alone and combined, with and without
 * results. Baseline: the same with the fewest entries, earlier in the same database.
 */
const bench: Bench = {
  title: 'audit-search: a page of 50 entries by any search, however many entries there are',
  async run(say) {
    const database = await freshDatabase()
    const app = await testApp(database)
    const figures: Record<string, number> = {}
    const p95 = new Map<number, number>()
    try {
      for (let n = 0; n < PEOPLE; n += 1) await anAccount(database.db, { username: `bench-${n}` })
      let present = 0
      for (const size of sizes) {
        const began = performance.now()
        await grow(database, present, size)
        present = size
        say(`${size} entries after ${Math.round((performance.now() - began) / 1000)} s`)
        // A session would expire while millions of rows are inserted.
        const auditor = await app.person(`auditor-${size}`, { role: 'Deputy Internal Auditor' })
        const people = await peopleOf(database)
        const kinds = searches(size, people)
        const all: number[] = []
        for (const [kind, query] of Object.entries(kinds)) {
          await timed(() => ask(auditor, query), SAMPLES / 40)
          const times = await timed(() => ask(auditor, query), SAMPLES / Object.keys(kinds).length)
          all.push(...times)
          figures[`${kind}, p50 ms at ${size}`] = rounded(percentile(times, 0.5))
        }
        p95.set(size, percentile(all, 0.95))
        figures[`p95 ms at ${size}`] = rounded(percentile(all, 0.95))
        say(`${size}: p95 ${rounded(percentile(all, 0.95))} ms`)
      }
    } finally {
      await app.close()
      await database.drop()
    }
    const [smallest, largest] = [sizes[0]!, sizes.at(-1)!]
    const figure = `p95 at ${largest} to ${smallest}`
    figures[figure] = rounded(p95.get(largest)! / p95.get(smallest)!)
    return { figures, promises: [{ figure, atMost: 1.5 }] }
  },
}
export default bench

async function ask(auditor: Caller, query: () => Record<string, string>): Promise<void> {
  const answer = await auditor.send('GET', `/api/audit/entries?${new URLSearchParams(query()).toString()}`)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`)
}

/** The searches by kind; each call searches for something else. */
function searches(size: number, people: readonly string[]): Record<string, () => Record<string, string>> {
  let turn = 0
  const any = (below: number) => (turn += 7919) % below
  const person = () => people[any(people.length)]!
  const day = () => new Date(Date.UTC(2020, 0, 1) + any(2000) * 86_400_000).toISOString().slice(0, 10)
  return {
    newest: () => ({}),
    case: () => ({ reference: `AB-${any(size / OF_CASE)}-` }),
    person: () => ({ person: person() }),
    'person and act': () => ({ person: person(), action: `thing.act-${letter(any(20))}` }),
    flow: () => ({ flow: `area/flow-${any(20)}` }),
    'flow and days': () => ({ flow: `area/flow-${any(20)}`, until: day() }),
    desk: () => ({ desk: `desk_${any(60)}` }),
    act: () => ({ action: `thing.act-${letter(any(20))}` }),
    days: () => ({ from: '2020-01-01', until: day() }),
    // Each flow has three desks of its own.
    'flow and desk that never meet': () => ({ flow: 'area/flow-3', desk: `desk_${any(9)}` }),
    'rare word': () => ({ text: `number${any(size)}` }),
    'frequent word': () => ({ text: 'approved' }),
    'word of few': () => ({ text: `word${any(5000)}` }),
    'frequent word and desk': () => ({ text: 'approved', desk: `desk_${any(60)}` }),
    'no such word': () => ({ text: 'unheardof' }),
  }
}

const letter = (n: number) => String.fromCharCode(97 + n)

async function peopleOf({ owner }: TestDatabase): Promise<string[]> {
  const { rows } = await owner.pool.query<{ id: string }>(
    `select id from app.account where username like 'bench-%' order by username`,
  )
  return rows.map(({ id }) => id)
}

/** Adds entries up to a number with their search data, over five years, newest last. */
async function grow({ owner }: TestDatabase, from: number, until: number): Promise<void> {
  const client = await owner.pool.connect()
  const run = (text: string) => client.query(text)
  try {
    // Generated rows are valid, so constraint triggers are skipped.
    await run('set search_path to app; set session_replication_role = replica')
    const tables = ['audit_entry', 'audit_payload', 'audit_lookup', 'audit_person', 'flow_case']
    const indexes = await client.query<{ index: string; def: string }>(
      `select i.relname as index, pg_get_indexdef(i.oid) as def from pg_index x
         join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
       where c.relnamespace = 'app'::regnamespace and c.relname = any($1)
         and not exists (select from pg_constraint k where k.conindid = i.oid)`,
      [tables],
    )
    for (const { index } of indexes.rows) await run(`drop index ${index}`)
    await run(`create temp table who as select id, row_number() over (order by username) - 1 as n
      from account where username like 'bench-%'`)
    for (let first = from + 1; first <= until; first += PART) await add(first, Math.min(first + PART - 1, until))
    await run('drop table who')
    for (const { def } of indexes.rows) await run(def)
  } finally {
    await run('reset session_replication_role; reset search_path')
    client.release()
  }
  for (const table of ['audit_entry', 'audit_payload', 'audit_lookup', 'audit_person', 'flow_case'])
    await owner.pool.query(`vacuum analyze app.${table}`)

  async function add(first: number, last: number): Promise<void> {
    const rows = `(select n, n + 1000000 as id, timestamptz '2020-01-01' + n * (interval '5 years' / ${sizes.at(-1)!}) as at,
        'thing.act-' || chr(97 + ${chance('n', 20, 1)}::int) as action, (n - 1) / ${OF_CASE} as c,
        'desk_' || ((n - 1) / ${OF_CASE} % 20 * 3 + n % 3) as desk, ${chance('n', PEOPLE, 4)} as p, ${chance(`(n - 1) / ${OF_CASE}`, PEOPLE, 5)} as q,
        case when ${chance('n', 3, 6)} = 0 then 'approved' else 'recommended' end || ' number' || n || ' word' || ${chance('n', 5000, 7)} as said
      from generate_series(${first}, ${last}) n)`
    await run(`insert into audit_entry (id, at, actor, acted_as, action, case_id, object, commitment) overriding system value
      select r.id, at, w.id::text, 'HOD', action, ${caseOf('c')}, null, '\\x00' from ${rows} r join who w on w.n = r.p`)
    await run(
      `insert into audit_payload select id, '\\x00', jsonb_build_object('desk', desk, 'reason', said) from ${rows} r`,
    )
    await run(`insert into audit_lookup (entry_id, at, action, case_id, flow, desk, words)
      select id, at, action, ${caseOf('c')}, 'area/flow-' || (c % 20), desk, to_tsvector('simple', said) from ${rows} r`)
    for (const [who, acted] of [
      ['p', true],
      ['q', false],
    ] as const)
      await run(`insert into audit_person (person, at, entry_id, acted, action, flow, desk)
        select w.id, at, r.id, ${acted}, action, 'area/flow-' || (c % 20), desk from ${rows} r join who w on w.n = r.${who}
        on conflict do nothing`)
    await run(`insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, state, status, created_at)
      select ${caseOf('c')}, 'AB-' || c || '-X', 'area/flow-' || (c % 20), '', '', w.id, 'running', 'asked', timestamptz '2020-01-01'
      from (select distinct c, q from ${rows} r) r join who w on w.n = r.q on conflict do nothing`)
  }
}
