import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { PromiseKind } from '../../model/bpmn/promises.ts'

/** A promise of one task. */
export interface Promised {
  task: string
  kind: PromiseKind
  dueAt: Date
  /** Prefix of the text keys of the mail. */
  template: string
  /** When a timer of the earlier version kept it, if one did. */
  keptAt?: Date
}

/** A promise that is due. */
export interface Due {
  task_id: string
  kind: PromiseKind
  template: string
  /** Of its task. */
  process_definition_id: string
  case_id: string
  desk: string
  name: string
  assignee_id: string | null
  requester_id: string
  /** Cursor for the next query. */
  place: string
}

/** The columns of `Due`, for promises `p` of a waiting task `t` in a running case `c`. */
const columns = sql`p.task_id, p.kind, p.template, t.process_definition_id, t.case_id, t.desk, t.name, t.assignee_id,
  c.requester_id, p.due_at::text || ' ' || p.kind || ' ' || p.task_id as place`
const waiting = sql`p.done_at is null and t.state in ('open', 'held') and not t.moving
  and c.state = 'running' and c.withdrawn_at is null and not c.drifted`
const tables = sql`desk_promise p join task t on t.id = p.task_id join flow_case c on c.id = t.case_id`

/** Promises of tasks; each exists once and is kept once. */
export function promiseRepository(db: Kysely<DB> | Transaction<DB>) {
  return {
    /** For tasks that have just begun. Skips tasks that are over or have moved meanwhile. */
    async make(made: readonly (Promised & { definitionId: string })[]): Promise<void> {
      if (made.length === 0) return
      await sql`
        insert into desk_promise (task_id, kind, due_at, template)
        select m.task, m.kind, m."dueAt", m.template
        from jsonb_to_recordset(${JSON.stringify(made)}::jsonb)
          as m(task text, kind text, "dueAt" timestamptz, template text, "definitionId" text)
        join task t on t.id = m.task and t.process_definition_id = m."definitionId" and t.state not in ('done', 'void')
        on conflict do nothing`.execute(db)
    },

    /** Replaces the promises of these tasks; what was kept is not promised again. */
    async follow(tasks: readonly string[], promised: readonly Promised[]): Promise<void> {
      if (tasks.length === 0) return
      await sql`
        with now_promised as (
          select * from jsonb_to_recordset(${JSON.stringify(promised)}::jsonb)
            as n(task text, kind text, "dueAt" timestamptz, template text, "keptAt" timestamptz)
        ), over as (
          delete from desk_promise p where p.task_id = any(${[...tasks]}::text[]) and p.done_at is null
            and not exists (select from now_promised n where n.task = p.task_id and n.kind = p.kind)
        )
        insert into desk_promise as p (task_id, kind, due_at, template, done_at)
        select task, kind, "dueAt", template, "keptAt" from now_promised
        on conflict (task_id, kind) do update set due_at = excluded.due_at, template = excluded.template
          where p.done_at is null`.execute(db)
    },

    /** The next due promises. */
    async listDue(now: Date, after: string | undefined, limit: number): Promise<Due[]> {
      const [day, time, kind, task] = after?.split(' ') ?? []
      const beyond = after
        ? sql`and (p.due_at, p.kind, p.task_id) > (${`${day} ${time}`}::timestamptz, ${kind}, ${task})`
        : sql``
      const { rows } = await sql<Due>`
        select ${columns} from ${tables} where p.due_at <= ${now} and ${waiting} ${beyond}
        order by p.due_at, p.kind, p.task_id limit ${limit}`.execute(db)
      return rows
    },

    /**
     * Locks a promise and its task; undefined if it no longer has to be kept. The task is locked first: otherwise two
     * transactions could split the promises of one task between them.
     */
    async take({ task_id, kind }: Due, now: Date): Promise<Due | undefined> {
      const task = await sql`select from task where id = ${task_id} for no key update skip locked`.execute(db)
      if (task.rows.length === 0) return undefined
      const { rows } = await sql<Due>`
        select ${columns} from ${tables}
        where p.task_id = ${task_id} and p.kind = ${kind} and p.due_at <= ${now} and ${waiting}
        for no key update of p skip locked`.execute(db)
      return rows[0]
    },

    /** Marks it as kept. Call it in the transaction that writes the mail. */
    async keep({ task_id, kind }: Due): Promise<void> {
      await sql`update desk_promise set done_at = clock_timestamp()
        where task_id = ${task_id} and kind = ${kind}`.execute(db)
    },
  }
}
