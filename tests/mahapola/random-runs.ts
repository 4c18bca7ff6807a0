import fc from 'fast-check'
import { sql } from 'kysely'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import type { RunWorld } from './run-world.ts'

/** The months of a scheme are used up after these rounds, and a new scheme begins. */
const ROUNDS_PER_SCHEME = 20
/** The most rounds beyond those asked for until each outcome has happened. */
const MORE_ROUNDS = 100
const CLIENTS = 4
const EACH = 25
const STUDENTS = 6
const MONTHS = Array.from(
  { length: 240 },
  (_, n) => `${2027 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
)

const kinds = [
  'prepare',
  'hold',
  'release',
  'strike',
  'sign',
  'sign',
  'sign',
  'pay',
  'return',
  'return',
  'reject',
  'suspend',
  'refresh',
  'question',
  'settle',
  'owe',
  'complete',
] as const
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  one: fc.nat({ max: 1000 }),
  line: fc.nat({ max: STUDENTS - 1 }),
})
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** What has to have happened at least once, or the operations would show nothing. */
const wanted = [...new Set(kinds)]
  .filter((kind) => kind !== 'suspend' && kind !== 'complete')
  .map((kind) => `${kind}: done`)

/** What came of random operations. */
export interface Operated {
  operations: number
  rounds: number
  /** How often each kind of operation was done, did nothing or was refused. */
  outcomes: ReadonlyMap<string, number>
}

/**
 * Random operations of concurrent clients on runs, at least the number asked for; after each round lines, runs and ledger are compared, and
 * the first difference throws. It goes on until each outcome has happened, so that none needs luck. The plan of each
 * round follows from the seed; a failure prints the seed of its round, which repeats the plan.
 */
export async function operatesAtRandom(world: RunWorld, operations: number, seed: number): Promise<Operated> {
  const outcomes = new Map<string, number>()
  const rounds = Math.max(1, Math.ceil(operations / (CLIENTS * EACH)))
  const clients = fc.array(operation, { minLength: EACH, maxLength: EACH })
  const plan = fc.array(clients, { minLength: CLIENTS, maxLength: CLIENTS })
  let scheme = await aScheme(world)
  let round = 0
  const missing = () => wanted.filter((outcome) => !outcomes.has(outcome))
  for (; round < rounds || missing().length > 0; round += 1) {
    if (round >= rounds + MORE_ROUNDS) throw new Error(`it never happened in ${round} rounds: ${missing().join(', ')}`)
    if (round > 0 && round % ROUNDS_PER_SCHEME === 0) scheme = await aScheme(world)
    await fc.assert(
      fc.asyncProperty(plan, async (all) => {
        await Promise.all(
          all.map(async (some) => {
            for (const one of some) {
              const outcome = await resultOf(world, scheme, one)
              outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
            }
          }),
        )
        await holds(world)
      }),
      // Operations cannot be undone, so a failing round is reported without shrinking.
      { numRuns: 1, endOnFailure: true, seed: seed + round },
    )
  }
  return { operations: round * CLIENTS * EACH, rounds: round, outcomes }
}

interface Scheme {
  id: string
  /** Its runs. */
  cases: string[]
}

async function aScheme(world: RunWorld): Promise<Scheme> {
  const id = await world.aScheme()
  await world.students(id, STUDENTS, MONTHS)
  return { id, cases: [] }
}

async function resultOf(world: RunWorld, scheme: Scheme, one: Operation): Promise<string> {
  try {
    return `${one.kind}: ${await attempt(world, scheme, one)}`
  } catch (error) {
    const expected =
      error instanceof BusinessError ||
      /does not become|no run to pay|only who has not signed|no longer active|is paid again/.test(String(error))
    if (!expected) throw error
    return `${one.kind}: refused`
  }
}

/** One operation of a worker or a person; a refusal is a valid result. */
async function attempt(
  world: RunWorld,
  { id: scheme, cases }: Scheme,
  { kind, one, line }: Operation,
): Promise<string> {
  const caseId = cases.slice(-6)[one % 6]
  if (kind === 'prepare' || caseId === undefined) {
    cases.push(await world.prepare(scheme, MONTHS[one % MONTHS.length]!))
    return kind === 'prepare' ? 'done' : 'prepared'
  }
  if (kind === 'suspend') return world.suspends(scheme, line)
  if (kind === 'complete') return world.completes(scheme, line)
  if (kind === 'pay') await world.pay(caseId)
  else if (kind === 'refresh') await world.refresh(caseId)
  else if (kind === 'reject') {
    if (one % 4 > 0) return 'left alone'
    await world.reject(caseId)
  } else {
    const lines = await world.lines(caseId)
    const { id } = lines[line % lines.length]!
    if (kind === 'sign') return (await world.sign(caseId, [id])).length > 0 ? 'done' : 'nothing'
    return (await changed(world, kind, caseId, id)) ? 'done' : 'nothing'
  }
  return 'done'
}

type LineKind = 'hold' | 'release' | 'strike' | 'return' | 'question' | 'settle' | 'owe'

function changed(world: RunWorld, kind: LineKind, caseId: string, line: string) {
  if (kind === 'return') return world.giveBack(caseId, line)
  if (kind === 'settle') return world.settle(caseId, line)
  if (kind === 'owe') return world.owe(caseId, line)
  if (kind === 'question') return world.question(caseId, line)
  return world.move(caseId, line, kind)
}

/** Throws unless every sum is right, and nothing is paid twice. */
async function holds({ db }: RunWorld): Promise<void> {
  const { rows } = await sql<{ wrong: string; count: number }>`
    select 'sum of lines' as wrong, count(*)::integer as count from run r where r.total <> (
      select coalesce(sum(total), 0) from run_line l where l.case_id = r.case_id and l.state in ('included', 'returned'))
    union all select 'sum of what came back', count(*)::integer from run r where r.returned <> (
      select coalesce(sum(total), 0) from run_line l where l.case_id = r.case_id and l.state = 'returned')
    union all select 'ledger', count(*)::integer from run r where case when r.state = 'paid' then r.total - r.returned else 0 end
      <> (select coalesce(-sum(l.amount), 0) from ledger_line l join ledger_entry e on e.id = l.entry_id
        where e.case_id = r.case_id and l.account_id = 'bank:' || r.paid_from)
    union all select 'two runs of a month', count(*)::integer from (
      select from run where state <> 'void' group by scheme_id, month having count(*) > 1) twice
    union all select 'unsigned and paid', count(*)::integer from run_line l join run r using (case_id)
      where r.state = 'paid' and l.state in ('included', 'returned') and l.signature = 'pending'
    union all select 'repaid twice', count(*)::integer from (
      select from run_arrears where not released group by returned_id having count(*) > 1) twice
    -- What was owed and is paid by a run was paid to the cent.
    union all select 'arrears', count(*)::integer from run_line l join run r using (case_id)
      where r.state = 'paid' and l.state = 'included' and l.arrears <> (
        select coalesce(sum(run_line_owes(br.state, b)), 0) from run_arrears a join run_line b on b.id = a.returned_id
          join run br on br.case_id = b.case_id
        where a.line_id = l.id and not a.released)
    -- No month of a student is both paid and owed.
    union all select 'paid and owed', count(*)::integer from run_arrears a join run_line b on b.id = a.returned_id
      join run r using (case_id) where not a.released and run_line_owes(r.state, b) = 0`.execute(db)
  const wrong = rows.filter(({ count }) => count !== 0)
  if (wrong.length > 0) throw new Error(`wrong: ${wrong.map((one) => `${one.wrong} ${one.count}`).join(', ')}`)
}
