import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asOwner } from '../../tests/platform/kit/owner.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { ready } from '../../tests/platform/kit/product.ts'
import { pidOf } from '../../tests/platform/kit/stack.ts'
import type { Bench } from '../main.ts'
import { decisions } from './deciding.ts'
import { type Stacks, flameGraph } from './flame.ts'
import { quick, rounded, sized } from './results.ts'

const USERS = sized(16, 2)
const WARM_UP = sized(320, 2)
const MEASURED = sized(640, 2)
/** Statements that are printed. */
const TOP = 25
/** Node's inspector listens there after the signal that opens it. */
const INSPECTOR = 'http://127.0.0.1:9229/json'

/**
 * What a decision costs, part by part: processor time of each part, statements of ours and of the engine with their
 * times, and flame graphs of the API and the engine beside the results. It restarts PostgreSQL twice, to count
 * statements and to stop counting them.
 */
const bench: Bench = {
  title: `profile-decision: what a decision of ${USERS} users costs, part by part`,
  async run(say) {
    await countStatements(true)
    try {
      const decide = await decisions(USERS)
      await decide(WARM_UP)
      const { perSecond, processor } = await decide(MEASURED, async (act) => {
        // The submissions before it do not count.
        await asOwner('select pg_stat_statements_reset()')
        return act()
      })
      const statements = await statementsOf(MEASURED)
      for (const { role, each, ms, text } of statements.slice(0, TOP))
        say(`${ms.toFixed(3)} ms  ${each.toFixed(2)}×  ${role}  ${text}`)
      await decide(MEASURED, (act) => withFlames(say, act))
      const of = (role: string) => statements.filter((one) => one.role === role)
      const sum = (some: Statement[], what: 'each' | 'ms') => rounded(some.reduce((all, one) => all + one[what], 0))
      const [ours, engine] = [of('prakriya_app'), of('prakriya_engine')]
      return {
        figures: {
          'decisions per second': rounded(perSecond),
          'ours: statements each': sum(ours, 'each'),
          'ours: ms in PostgreSQL each': sum(ours, 'ms'),
          'engine: statements each': sum(engine, 'each'),
          'engine: ms in PostgreSQL each': sum(engine, 'ms'),
          ...Object.fromEntries(
            Object.entries(processor).map(([part, ms]) => [`${part} processor ms each`, rounded(ms)]),
          ),
        },
        promises: [],
      }
    } finally {
      await countStatements(false)
    }
  },
}
export default bench

/** A statement with its calls and milliseconds of planning and execution per decision. */
interface Statement {
  role: string
  each: number
  ms: number
  text: string
}

async function statementsOf(count: number): Promise<Statement[]> {
  const rows = await asOwner<{ role: string; calls: number; ms: number; text: string }>(
    `select r.rolname as role, calls::float8 as calls, total_exec_time + total_plan_time as ms,
       left(regexp_replace(query, '\\s+', ' ', 'g'), 140) as text
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where toplevel order by total_exec_time + total_plan_time desc`,
  )
  return rows.map(({ role, calls, ms, text }) => ({ role, text, each: calls / count, ms: ms / count }))
}

/** PostgreSQL counts statements only if it was started for that. The supervisor starts it again. */
async function countStatements(on: boolean): Promise<void> {
  if (on) {
    await asOwner(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
    await restartPostgres()
    await asOwner('create extension if not exists pg_stat_statements')
    await asOwner('alter system set pg_stat_statements.track_planning = on')
    await asOwner('select pg_reload_conf()')
    return
  }
  await asOwner('drop extension pg_stat_statements')
  await asOwner('alter system reset pg_stat_statements.track_planning')
  await asOwner('alter system reset shared_preload_libraries')
  await restartPostgres()
}

async function restartPostgres(): Promise<void> {
  const before = pidOf('postgres')
  process.kill(before, 'SIGINT')
  await until('PostgreSQL runs again', async () => pidOf('postgres') !== before && (await asOwner('select 1')), {
    seconds: 60,
  })
  await ready()
}

/** Draws flame graphs of the API and the engine during an act, into the folder of the results. */
async function withFlames<T>(say: (line: string) => void, act: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-profile-'))
  const recording = join(folder, 'engine.jfr')
  const engine = String(pidOf('engine'))
  const jdk = (program: string, ...given: string[]) =>
    execFileSync(program, given, { encoding: 'utf8', maxBuffer: 1 << 29, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    jdk('jcmd', engine, 'JFR.start', 'name=decision', 'settings=profile')
    const { result, stacks } = await profiled(act)
    jdk('jcmd', engine, 'JFR.dump', 'name=decision', `filename=${recording}`)
    jdk('jcmd', engine, 'JFR.stop', 'name=decision')
    const samples = jdk('jfr', 'print', '--json', '--stack-depth', '64', '--events', 'jdk.ExecutionSample', recording)
    draw(say, 'decision-api', 'API', stacks)
    draw(say, 'decision-engine', 'Engine', stacksOfJava(samples))
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function draw(say: (line: string) => void, file: string, title: string, stacks: Stacks): void {
  const svg = flameGraph(`${title}: processor time while ${USERS} users decide`, stacks)
  if (!quick) writeFileSync(join(import.meta.dirname, '../results', `${file}.svg`), svg)
  say(`${title}: ${stacks.size} stacks`)
}

interface Profile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
}

/** An act's result, and the call stacks of the API during it, through Node's inspector. */
async function profiled<T>(act: () => Promise<T>): Promise<{ result: T; stacks: Stacks }> {
  process.kill(pidOf('api'), 'SIGUSR1')
  const [target] = await until('the inspector listens', async () => {
    const answer = await fetch(INSPECTOR)
    return (await answer.json()) as { webSocketDebuggerUrl: string }[]
  })
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }))
  let last = 0
  const call = (method: string) =>
    new Promise<{ profile?: Profile }>((answered) => {
      const id = (last += 1)
      const listen = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id: number; result: { profile?: Profile } }
        if (answer.id !== id) return
        socket.removeEventListener('message', listen)
        answered(answer.result)
      }
      socket.addEventListener('message', listen)
      socket.send(JSON.stringify({ id, method }))
    })
  await call('Profiler.enable')
  await call('Profiler.start')
  const result = await act()
  const { profile } = await call('Profiler.stop')
  socket.close()
  return { result, stacks: stacksOfNode(profile!) }
}

function stacksOfNode({ nodes, samples }: Profile): Stacks {
  const named = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child): [number, number] => [child, id])),
  )
  const stacks: Stacks = new Map()
  for (const sample of samples) {
    const names: string[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) names.unshift(named.get(id)!)
    if (names.at(-1) === '(idle)' || names.at(-1) === '(program)') continue
    add(stacks, names.slice(1))
  }
  return stacks
}

/** A function with the last two parts of its file. */
function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url === '' ? '' : ` ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`
  return `${functionName || '(anonymous)'}${place}`.replaceAll(';', ',')
}

interface Recording {
  recording: {
    events: {
      values: {
        stackTrace: { frames: { method: { name: string; type: { name: string } } }[] } | null
      }
    }[]
  }
}

function stacksOfJava(printed: string): Stacks {
  const { recording } = JSON.parse(printed) as Recording
  const stacks: Stacks = new Map()
  for (const { values } of recording.events) {
    const frames = values.stackTrace?.frames.map(({ method }) => {
      const type = method.type.name.replaceAll('/', '.').split('.').slice(-2).join('.')
      return `${method.name} ${type}`
    })
    if (frames) add(stacks, frames.toReversed())
  }
  return stacks
}

function add(stacks: Stacks, names: readonly string[]): void {
  const key = names.join(';')
  stacks.set(key, (stacks.get(key) ?? 0) + 1)
}
