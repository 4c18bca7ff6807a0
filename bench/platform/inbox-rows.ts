import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Person, signIn } from '../../tests/platform/kit/people.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import { sized } from './results.ts'

const FLOW = 'resource-reservation/resource-booking'
/** The department whose desk has three tenths of all tasks. */
export const BIG = 'big'
/** The other departments, with an equal number of tasks each. */
const DEPARTMENTS = 500
/** Distinct values of a field of the start form; another field has three values. */
const RESOURCES = 200
const KINDS = ['current', 'past', 'not_associated']

/** Task counts, from smallest to largest; `BENCH_TASKS` sets fewer for a quick try. */
export const sizes = (process.env['BENCH_TASKS'] ?? sized('10000,100000,1000000', '100')).split(',').map(Number)

export const desk = (department: string | number) => `HOD@department:${department}`
const departmentOf = (n: string) =>
  `case when ${n} % 10 < 3 then '${BIG}' else (${n}::bigint * 7919 % ${DEPARTMENTS})::text end`
/** A deterministic, evenly distributed number below `below`. */
const chance = (n: string, below: number, salt: number) =>
  `((${n}::bigint * 2654435761 + ${salt}) % 1000003 % ${below})`

/** Inbox rows inserted directly into the product's database. */
export interface InboxRows {
  /** Adds open tasks up to a number. */
  grow(tasks: number): Promise<void>
  /** Creates a head of these departments and signs them in. */
  head(departments: (string | number)[]): Promise<Person>
  /** Values of a field: one that few tasks have, and one that many have. */
  rare: string
  frequent: string
  pool: pg.Pool
  close(): Promise<void>
}

/** Opens the database of the running product as its owner. */
export function inboxRows(say: (line: string) => void, url = stack().ownerDatabaseUrl): InboxRows {
  const pool = new pg.Pool({ connectionString: url, max: 2 })

  async function run(text: string): Promise<void> {
    const client = await pool.connect()
    try {
      // Generated rows are valid, so constraint triggers are skipped.
      await client.query(`set search_path to app; set session_replication_role = replica; ${text}`)
    } finally {
      await client.query('reset session_replication_role')
      client.release()
    }
  }

  /** Drops the indexes of tables meanwhile: rebuilding them is faster than updating them. */
  async function withoutIndexes(tables: string[], work: () => Promise<void>): Promise<void> {
    const { rows } = await pool.query<{ table: string; index: string; def: string; primary: boolean }>(
      `select c.relname as table, i.relname as index, pg_get_indexdef(i.oid) as def, x.indisprimary as primary
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
       where c.relnamespace = 'app'::regnamespace and c.relname = any($1)
         -- What other tables refer to has to stay.
         and not exists (select from pg_constraint k where k.conindid = i.oid and (k.contype = 'f' or k.contype = 'u'))
         and not exists (select from pg_constraint k where k.confrelid = c.oid and x.indisprimary)`,
      [tables],
    )
    for (const { table, index, primary } of rows)
      await run(primary ? `alter table ${table} drop constraint ${index}` : `drop index ${index}`)
    await work()
    for (const { table, index, def, primary } of rows) {
      await run(def)
      if (primary) await run(`alter table ${table} add constraint ${index} primary key using index ${index}`)
    }
  }

  async function add(from: number, until: number): Promise<void> {
    const task = `'bench-' || n`
    const caseId = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
    // Over a year, newest last.
    const created = `timestamptz '2026-01-01' + n * interval '30 seconds'`
    const due = `case when ${chance('n', 2, 1)} = 0 then now() + (${chance('n', 4000, 2)} - 500) * interval '1 hour' end`
    const amount = `case when ${chance('n', 5, 3)} > 0 then ${chance('n', 5000, 4)} * 1000 end`
    const numbers = `generate_series(${from}, ${until}) n`
    const rows = `(select n, ${task} as task, ${created} as created, ${due} as due, ${amount} as amount,
      (array[25, 50, 50, 50, 75])[1 + ${chance('n', 5, 5)}] as priority, '${desk('')}' || ${departmentOf('n')} as principal,
      ${resource('n')} as resource, (array['${KINDS.join("','")}'])[1 + ${chance('n', 3, 6)}] as kind,
      'faculty-' || ${chance('n', 7, 8)} as faculty from ${numbers})`
    await run(`insert into flow_case (id, reference, flow, flow_hash, process_definition_id, requester_id, state, status,
        statuses, scope, subject, filters, data, amount, created_at)
      select ${caseId}, 'BENCH-' || n, d.flow, d.flow_hash, d.id, a.id, 'running', 'tentative_booking',
        '{"status":"tentative_booking","payment":"invoice_requested"}', jsonb_build_object('faculty', faculty),
        jsonb_build_object('event', 'Recital ' || n, 'resource', 'Hall ' || resource, 'from', '2031-05-14T10:00:00Z', 'until', '2031-05-14T12:00:00Z'),
        jsonb_build_object('resource', resource, 'association_to_uni', kind), jsonb_build_object('event', 'Recital ' || n), amount, created
      from ${rows} r, (select id, flow, flow_hash from process_definition where flow = '${FLOW}' order by version desc limit 1) d,
        (select id from account where username = 'student.nuwan') a`)
    await run(`insert into task (id, case_id, process_definition_id, desk, name, form_key, form_hash, due_at, priority, created_at)
      select task, ${caseId}, d.id, 'userTask_approveByHead', 'Approve', d.form, d.forms ->> d.form, due, priority, created
      from ${rows} r, (select id, forms, 'resource-reservation/booking-approval' as form from process_definition
        where flow = '${FLOW}' order by version desc limit 1) d`)
    await run(`insert into task_candidate (task_id, principal) select task, principal from ${rows} r`)
    await run(`insert into inbox (principal, state, created, task, due, priority, flow, amount)
      select p, 'open', created, task, due, priority, '${FLOW}', amount from ${rows} r, unnest(array['*', r.principal]) p`)
    await run(`insert into inbox_filter (principal, state, field, value, created, task)
      select p, 'open', f[1], f[2], created, task from ${rows} r, unnest(array['*', r.principal]) p,
        lateral (values (array['flow', '${FLOW}']), (array['desk', 'userTask_approveByHead']),
          (array['status', 'tentative_booking']), (array['faculty', r.faculty]), (array['/resource', r.resource]),
          (array['/association_to_uni', r.kind])) v(f)`)
  }

  return {
    pool,
    rare: resourceId(17),
    frequent: KINDS[0]!,

    async grow(tasks) {
      const began = performance.now()
      // A product that was measured before already has some.
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from app.task where id like 'bench-%'`,
      )
      const present = rows[0]!.n
      const tables = ['flow_case', 'task', 'task_candidate', 'inbox', 'inbox_filter']
      const work = () => add(present + 1, tasks)
      if (tasks - present > 50_000) await withoutIndexes(tables, work)
      else await work()
      for (const table of tables) await pool.query(`vacuum analyze app.${table}`)
      say(`${tasks} tasks after ${Math.round((performance.now() - began) / 1000)} s`)
    },

    async head(departments) {
      const username = `bench-${randomUUID().slice(0, 13)}`
      const { rows } = await pool.query<{ id: string }>(
        `insert into app.account (id, username, email, name, password_hash, email_confirmed_at)
         select gen_random_uuid(), name, name || '@example.lk', name, password_hash, now()
         from (select password_hash from app.account where username = 'student.nuwan') known, (select $1::text as name) given
         returning id`,
        [username],
      )
      await pool.query(
        `insert into app.role_grant (id, account_id, role, scope_kind, scope_id)
         select gen_random_uuid(), $1, 'HOD', 'department', d from unnest($2::text[]) d`,
        [rows[0]!.id, departments.map(String)],
      )
      return signIn(username)
    },

    close: () => pool.end(),
  }
}

function resource(n: string): string {
  return `('11111111-0000-7000-8000-' || lpad(to_hex(${chance(n, RESOURCES, 7)}), 12, '0'))`
}

function resourceId(n: number): string {
  return `11111111-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

/** Milliseconds of a number of sequential runs. */
export async function timed(run: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    await run()
    times.push(performance.now() - began)
  }
  return times
}
