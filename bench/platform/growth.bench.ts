import pg from 'pg'
import { stack } from '../../tests/platform/kit/stack.ts'
import { BOOKING, CHAIN } from '../../tests/resource-reservation/booking.ts'
import type { Bench } from '../main.ts'
import { decisions } from './deciding.ts'
import { rounded, sized } from './results.ts'

const USERS = sized(16, 2)
const MEASURED = sized(480, 2)
const WARM_UP = sized(960, 2)
const ROUNDS = sized(3, 1)
/** Finished cases that are added between the two measurements. */
const CASES = Number(process.env['BENCH_CASES'] ?? sized(1_000_000, 100))
/** Cases whose rows are inserted at once. */
const CHUNK = 50_000

const [[HEAD]] = CHAIN

/**
 * Decisions per second in a young product, and with a million finished cases in its tables and in the history of the
 * engine. Their audit entries are left out: audit-search measures those.
 */
const bench: Bench = {
  title: `growth: decisions per second with ${CASES} finished cases more, against without`,
  async run(say) {
    const decide = await decisions(USERS)
    async function best(what: string): Promise<number> {
      const rates: number[] = []
      for (let round = 1; round <= ROUNDS; round += 1) rates.push((await decide(MEASURED)).perSecond)
      say(`${what}: ${rates.map((rate) => rounded(rate)).join(', ')}/s`)
      return Math.max(...rates)
    }
    await decide(WARM_UP)
    const young = await best('young')
    await addFinishedCases(say)
    await decide(MEASURED)
    const old = await best('grown')
    return {
      figures: {
        'young per second': rounded(young),
        'grown per second': rounded(old),
        'grown to young': rounded(old / young),
        'finished cases added': CASES,
      },
      promises: [{ figure: 'grown to young', atLeast: 0.9 }],
    }
  },
}
export default bench

async function addFinishedCases(say: (line: string) => void): Promise<void> {
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  try {
    // Generated rows are valid, so constraint triggers are skipped.
    await client.query('set search_path to app; set session_replication_role = replica')
    const began = performance.now()
    for (let from = 1; from <= CASES; from += CHUNK) {
      for (const statement of rowsOf(from, Math.min(from + CHUNK - 1, CASES))) await client.query(statement)
    }
    await client.query('vacuum analyze')
    say(`${CASES} finished cases after ${Math.round((performance.now() - began) / 1000)} s`)
  } finally {
    await client.end()
  }
}

/** A case with two submissions, two decided tasks, two commands and four steps, and as much in the engine's history. */
function rowsOf(from: number, until: number): string[] {
  const id = (kind: number) => `('00000000-${kind}000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const at = `timestamptz '2016-01-01' + n * interval '5 minutes'`
  const cases = `generate_series(${from}, ${until}) n, (select d.*, a.id as who, d.forms ->> 'resource-reservation/booking-approval' as form
    from process_definition d, account a where d.flow = '${BOOKING}' and a.username = 'student.nuwan'
    order by d.version desc limit 1) d`
  return [
    `insert into flow_case (id, reference, flow, flow_hash, process_definition_id, process_instance_id, requester_id, state,
        status, end_reason, created_at, changed_at, ended_at, data, subject)
      select ${id(1)}, 'GROWN-' || n, d.flow, d.flow_hash, d.id, 'grown-' || n, who, 'ended', 'confirmed', 'end', ${at}, ${at},
        ${at}, jsonb_build_object('event', 'Recital ' || n), jsonb_build_object('event', 'Recital ' || n) from ${cases}`,
    `insert into submission (id, case_id, task_id, form_key, form_hash, data, submitted_by, effect, at)
      select (replace(${id(2)}::text, '-2000-', '-2' || k || '00-'))::uuid, ${id(1)}, 'grown-' || n || '-' || k,
        'resource-reservation/booking-approval', d.form, '{"outcome":"approve"}', who, 'done', ${at}
      from ${cases}, generate_series(1, 2) k`,
    `insert into task (id, case_id, process_definition_id, desk, name, state, decided_by, decided_at, outcome, created_at, ended_at)
      select 'grown-' || n || '-' || k, ${id(1)}, d.id, '${HEAD}', 'Approve', 'done', who, ${at}, 'approve', ${at}, ${at}
      from ${cases}, generate_series(1, 2) k`,
    `insert into command (id, case_id, task_id, kind, payload, acting_user, state, attempts, created_at, done_at)
      select (replace(${id(3)}::text, '-3000-', '-3' || k || '00-'))::uuid, ${id(1)}, 'grown-' || n || '-' || k, 'complete',
        '{"taskId":"","variables":{}}', who::text, 'done', 1, ${at}, ${at}
      from ${cases}, generate_series(1, 2) k`,
    `insert into activity (id, case_id, process_definition_id, element, type, started_at, ended_at)
      select 'grown-' || n || ':' || k, ${id(1)}, d.id, 'step' || k, 'serviceTask', ${at}, ${at}
      from ${cases}, generate_series(1, 4) k`,
    `insert into engine.act_hi_procinst (id_, proc_inst_id_, business_key_, proc_def_key_, proc_def_id_, start_time_, end_time_,
        duration_, root_proc_inst_id_, state_)
      select 'grown-' || n, 'grown-' || n, ${id(1)}, d.process_key, d.id, ${at}, ${at}, 1, 'grown-' || n, 'COMPLETED' from ${cases}`,
    `insert into engine.act_hi_actinst (id_, proc_def_key_, proc_def_id_, root_proc_inst_id_, proc_inst_id_, execution_id_, act_id_,
        act_type_, start_time_, end_time_, duration_, act_inst_state_, sequence_counter_)
      select 'grown-' || n || ':' || k, d.process_key, d.id, 'grown-' || n, 'grown-' || n, 'grown-' || n, 'step' || k,
        'serviceTask', ${at}, ${at}, 1, 0, k
      from ${cases}, generate_series(1, 4) k`,
    `insert into engine.act_hi_taskinst (id_, task_def_key_, proc_def_key_, proc_def_id_, root_proc_inst_id_, proc_inst_id_,
        execution_id_, name_, start_time_, end_time_, duration_, priority_, task_state_)
      select 'grown-' || n || '-' || k, '${HEAD}', d.process_key, d.id, 'grown-' || n, 'grown-' || n, 'grown-' || n, 'Approve',
        ${at}, ${at}, 1, 50, 'Completed'
      from ${cases}, generate_series(1, 2) k`,
  ]
}
