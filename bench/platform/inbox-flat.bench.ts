import { engine } from '../../tests/platform/kit/clock.ts'
import type { Bench } from '../main.ts'
import { type InboxRows, BIG, desk, inboxRows, sizes, timed } from './inbox-rows.ts'
import { percentile, rounded, sized } from './results.ts'

const SAMPLES = sized(400, 4)
/** Fewer samples of the engine: at the largest size each query is slow. */
const ENGINE_SAMPLES = sized(20, 2)
/** The desk with three tenths of all tasks and three ordinary ones; and one ordinary desk. */
const DEPARTMENTS = [[BIG, 1, 2, 3], [5]]

/**
 * Ours: the first 50 tasks of the open queue and the counts of all queues over HTTP, at each size, for people with and
 * without the big desk. Baseline: the same at the smallest size. Beside it the engine's own task query with its count,
 * over as many tasks in its own tables.
 */
const bench: Bench = {
  title: 'inbox-flat: a page of 50 with the counts of the queues, however many tasks there are',
  async run(say) {
    const rows = inboxRows(say)
    const figures: Record<string, number> = {}
    const p95 = new Map<number, number>()
    try {
      const heads = await Promise.all(DEPARTMENTS.flatMap((some) => [rows.head(some), rows.head(some)]))
      for (const size of sizes) {
        await rows.grow(size)
        await growEngine(rows, size)
        let turn = 0
        const page = async () => {
          const head = heads[(turn += 1) % heads.length]!
          await Promise.all([head.get('/api/tasks?queue=open&limit=50'), head.get('/api/tasks/count')])
        }
        await timed(page, SAMPLES / 4)
        const ours = await timed(page, SAMPLES)
        const raw = await timed(engineQuery, ENGINE_SAMPLES)
        p95.set(size, percentile(ours, 0.95))
        figures[`p50 ms at ${size}`] = rounded(percentile(ours, 0.5))
        figures[`p95 ms at ${size}`] = rounded(percentile(ours, 0.95))
        figures[`engine p50 ms at ${size}`] = rounded(percentile(raw, 0.5))
        figures[`engine p95 ms at ${size}`] = rounded(percentile(raw, 0.95))
        say(`${size}: p95 ${rounded(percentile(ours, 0.95))} ms, the engine ${rounded(percentile(raw, 0.95))} ms`)
      }
    } finally {
      await rows.close()
    }
    const [smallest, largest] = [sizes[0]!, sizes.at(-1)!]
    const figure = `p95 at ${largest} to ${smallest}`
    figures[figure] = rounded(p95.get(largest)! / p95.get(smallest)!)
    return { figures, promises: [{ figure, atMost: 1.3 }] }
  },
}
export default bench

/** Inserts as many tasks into the engine's tables, offered to the same groups. */
async function growEngine({ pool }: InboxRows, size: number): Promise<void> {
  await pool.query(
    `insert into engine.act_ru_task (id_, rev_, proc_def_id_, name_, task_def_key_, priority_, create_time_, suspension_state_, due_date_)
     select t.id, 1, t.process_definition_id, t.name, t.desk, t.priority, t.created_at at time zone 'UTC', 1, t.due_at at time zone 'UTC'
     from app.task t where t.id like 'bench-%' and not exists (select from engine.act_ru_task e where e.id_ = t.id)`,
  )
  await pool.query(
    `insert into engine.act_ru_identitylink (id_, rev_, group_id_, type_, task_id_)
     select 'l-' || task_id, 1, principal, 'candidate', task_id from app.task_candidate c where task_id like 'bench-%'
       and not exists (select from engine.act_ru_identitylink e where e.id_ = 'l-' || task_id)`,
  )
  await pool.query('analyze engine.act_ru_task, engine.act_ru_identitylink')
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from engine.act_ru_task where id_ like 'bench-%'`,
  )
  if (Number(rows[0]!.count) !== size) throw new Error(`the engine has ${rows[0]!.count} tasks instead of ${size}`)
}

let asked = 0

/** The queries of a task list on the engine alone: the newest 50 unassigned tasks for these groups, and their count. */
async function engineQuery(): Promise<void> {
  const candidateGroups = ['HOD', ...DEPARTMENTS[(asked += 1) % DEPARTMENTS.length]!.map(desk)]
  const open = { candidateGroups, unassigned: true }
  const sorting = [{ sortBy: 'created', sortOrder: 'desc' }]
  await Promise.all([engine('POST', '/task?maxResults=50', { ...open, sorting }), engine('POST', '/task/count', open)])
}
