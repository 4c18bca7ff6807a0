import { randomBytes } from 'node:crypto'
import { CHAIN, INSTALLMENT, paying } from '../../tests/bursary/installment.ts'
import { expectCase } from '../../tests/platform/kit/expectations.ts'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { as, type Case, type Person } from '../../tests/platform/kit/people.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from '../platform/results.ts'

const SIZE = Number(process.env['BENCH_SIZE'] ?? sized(5000, 20))
/** One recipient in this many receives Mahapola too, and another was not present enough. */
const LEFT_OUT = 10
const MONTHS = sized(['2025-01', '2025-02', '2025-03', '2025-04', '2025-05'], ['2025-01'])
const PAGES = sized(40, 2)

/** Signatures of a printed sheet that the page sends at once. */
const SIGNED_AT_ONCE = 500

/**
 * Ours: a bursary run of many recipients is sent over HTTP, until its lines are written with the reason of each who is
 * left out; then the first page of lines, as a desk opens it; then all signatures of the printed sheet, each desk's
 * decision until the next desk has the run, and the last one until everybody is paid. Baseline: the finished lines,
 * copied as they are.
 */
const bench: Bench = {
  title: `run-preparation: a run of ${SIZE} bursaries prepared over HTTP, against copying its lines`,
  async run(say) {
    const [clerk, registrar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
    const scheme = await aBursary(await as('admin'))
    await recipients(scheme)
    const bank_account = await itemOf('vouchers/bank-account')
    const prepared: number[] = []
    const copied: number[] = []
    let last: Case | undefined
    for (const month of MONTHS) {
      const began = performance.now()
      last = await clerk.submit(INSTALLMENT, { scheme, month, bank_account })
      prepared.push((performance.now() - began) / 1000)
      copied.push(await copyLines(last))
      say(`${month}: ${rounded(prepared.at(-1)!)} s`)
    }
    const { lines, counts } = await clerk.get(`/api/cases/${last!.id}/run`)
    const leftOut = counts.leftOut.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    if (lines + leftOut !== SIZE || leftOut < SIZE / LEFT_OUT) throw new Error(`${lines} lines, ${leftOut} left out`)
    await registrar.task(last!, paying.decideByAR)
    const pages: number[] = []
    for (let n = 0; n < PAGES; n += 1) {
      const began = performance.now()
      await Promise.all(['run', 'run/lines?limit=50'].map((part) => registrar.get(`/api/cases/${last!.id}/${part}`)))
      pages.push(performance.now() - began)
    }
    const signed = await sign(clerk, last!, lines)
    say(`${lines} signatures: ${rounded(signed)} s`)
    const { decided, paid } = await agree(last!)
    say(`paid after ${rounded(paid)} s`)
    const [slowest, bare] = [Math.max(...prepared), percentile(copied, 0.5)]
    return {
      figures: {
        recipients: SIZE,
        'left out': leftOut,
        'prepared, slowest s': rounded(slowest),
        'prepared, p50 s': rounded(percentile(prepared, 0.5)),
        'copied, p50 s': rounded(bare),
        'prepared to copied': rounded(percentile(prepared, 0.5) / bare),
        'first lines at a desk, p95 ms': rounded(percentile(pages, 0.95)),
        'signatures of the sheet, s': rounded(signed),
        'decision to the next desk, slowest s': rounded(Math.max(...decided)),
        'last decision to paid, s': rounded(paid),
      },
      promises: [
        { figure: 'prepared, slowest s', atMost: 10 },
        { figure: 'first lines at a desk, p95 ms', atMost: 1000 },
        { figure: 'decision to the next desk, slowest s', atMost: 2 },
        { figure: 'last decision to paid, s', atMost: 10 },
      ],
    }
  },
}
export default bench

/** Seconds to enter the signatures of all lines, as many at once as the page sends. */
async function sign(clerk: Person, { id }: Case, count: number): Promise<number> {
  const lines = await asOwner<{ id: string }>(
    `select id from app.run_line where case_id = $1 and state = 'included' and signed_at is null`,
    [id],
  )
  if (lines.length !== count) throw new Error(`${lines.length} of ${count} lines wait for a signature`)
  const began = performance.now()
  for (let at = 0; at < lines.length; at += SIGNED_AT_ONCE) {
    const some = lines.slice(at, at + SIGNED_AT_ONCE).map((line) => line.id)
    const { signed } = await clerk.ok('POST', `/api/cases/${id}/run/signatures`, { lines: some })
    if (signed !== some.length) throw new Error(`${signed} of ${some.length} signatures entered`)
  }
  return (performance.now() - began) / 1000
}

/** Seconds of each decision until the next desk has the run, and of the last until it is paid. */
async function agree(run: Case): Promise<{ decided: number[]; paid: number }> {
  const took: number[] = []
  for (const [n, [desk, username]] of CHAIN.entries()) {
    const [person, next] = [await as(username), CHAIN[n + 1]]
    const after = next ? await as(next[1]) : undefined
    const task = await person.task(run, desk)
    const began = performance.now()
    await person.ok('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
    if (after) await after.task(run, next![0])
    else await expectCase(run).toBe('sent&closed')
    took.push((performance.now() - began) / 1000)
  }
  return { decided: took.slice(0, -1), paid: took.at(-1)! }
}

/** A bursary with a value, which is paid in months of its own. */
async function aBursary(admin: Person): Promise<string> {
  const made = (of: string, data: object) =>
    admin.ok<{ id: string }>('POST', `/api/registers/bursary/${of}/items`, { data })
  const code = `B-${randomBytes(4).toString('hex').toUpperCase()}`
  const { id } = await made('scheme', { code, name: `Bursary ${code}`, method: 'transfer' })
  await made('installment-value', { scheme: id, from: '2025-01', amount: 450_000 })
  return id
}

async function itemOf(register: string): Promise<string> {
  const [found] = await asOwner<{ id: string }>(
    `select id from app.register_item where register = $1 and status = 'Active' limit 1`,
    [register],
  )
  return found!.id
}

/** Recipients with an account and attendance in each month; some are listed elsewhere, or were absent too often. */
async function recipients(scheme: string): Promise<void> {
  await asOwner(
    `with criterion as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'bursary/payment-criterion', 'Active', m, jsonb_build_object('month', m, 'least_attendance', 80)
       from unnest($2::text[]) m
       where not exists (select from app.register_item i where i.register = 'bursary/payment-criterion' and i.title = m)
       returning id, title),
     criteria as (
       select id, title from criterion
       union all select id, title from app.register_item where register = 'bursary/payment-criterion' and title = any($2)),
     student as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'platform/student', 'active', 'Student ' || n, jsonb_build_object('reg_no', $1 || '/' || n)
       from generate_series(1, $3::int) n returning id, data),
     numbered as (select id, row_number() over (order by id) as n from student),
     account as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'platform/student-account', 'Certified', 'Account', jsonb_build_object('student', s.id,
         'account_name', 'A', 'bank', $4::text, 'branch', $5::text, 'account_number', '8000 4411 ' || n)
       from numbered s),
     elsewhere as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'mahapola/recipient', 'Active', 'M', jsonb_build_object('student', id, 'from', '2024-01')
       from numbered where n % $6 = 0),
     recipient as (
       insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'bursary/recipient', 'Active', 'R' || n, jsonb_build_object('student', id,
         'scheme', $1::text, 'from', '2025-01', 'documents_complete', true)
       from numbered returning id, title)
     insert into app.register_item (id, register, status, title, data)
     select gen_random_uuid(), 'bursary/attendance', 'Active', '18', jsonb_build_object('criterion', c.id, 'recipient', r.id,
       'days_held', 20, 'days_present', case when right(r.title, -1)::int % $6 = 1 then 12 else 18 end)
     from recipient r cross join criteria c`,
    [scheme, MONTHS, SIZE, await itemOf('vouchers/bank'), await itemOf('vouchers/branch'), LEFT_OUT],
  )
}

/** Seconds to copy the lines of a case into a table of the same columns. */
async function copyLines({ id }: Case): Promise<number> {
  const copy = `bench_line_${randomBytes(4).toString('hex')}`
  await asOwner(`create table app.${copy} (like app.run_line)`)
  const began = performance.now()
  await asOwner(`insert into app.${copy} select * from app.run_line where case_id = $1`, [id])
  const seconds = (performance.now() - began) / 1000
  await asOwner(`drop table app.${copy}`)
  return seconds
}
