import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isAlive, type ProcessMark } from '../../api/platform/edge/supervisor/processes.ts'
import type { StackStatus } from '../../api/platform/edge/supervisor/stack.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
let data: string
let supervisor: ChildProcess
let output = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prakriya-supervisor-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs as another user and passes through here
  data = join(folder, 'data')
})

afterAll(async () => {
  if (supervisor.exitCode === null && supervisor.signalCode === null) {
    supervisor.kill('SIGTERM')
    await once(supervisor, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(...args: string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    ['api/platform/edge/supervisor/main.ts', '--parts', 'postgres,engine', ...args],
    {
      cwd: root,
      env: { ...process.env, PRAKRIYA_DATA: data, DATABASE_URL: '', ENGINE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  return child
}

const status = () => JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8')) as StackStatus

/** The process of a part, as in the status file. */
function processOf(part: 'postgres' | 'engine'): ProcessMark {
  const { pid, began } = status().parts[part] ?? {}
  return { pid: pid as number, began: began as string }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!condition()) {
    const gone = supervisor.exitCode !== null || supervisor.signalCode !== null
    if (gone || Date.now() > end)
      throw new Error(`${gone ? 'it ended' : 'a minute passed'} before: ${what}. It said:\n${output}`)
    await pause(50)
  }
}

const isReady = (child: ChildProcess) => () =>
  existsSync(join(data, 'stack.json')) && status().supervisor?.pid === child.pid && status().state === 'ready'

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: status().ownerDatabaseUrl })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const engineAnswer = async () =>
  (await fetch(`${status().engineUrl}/engine-rest/version`, { headers: { 'X-Gateway-Secret': status().engineSecret } }))
    .status

test('a busy port is refused in one line that says what to do, before anything is started', async () => {
  const other: Server = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }

  supervisor = start('--port', String(port))
  const [code] = await once(supervisor, 'close')
  await new Promise((closed) => other.close(closed))

  expect(code).toBe(1)
  expect(output).toBe(
    `Port ${port} is in use by another program; stop it, or choose another: npm start -- --port ${port + 1}\n`,
  )
  expect(existsSync(join(data, 'postgres'))).toBe(false)
})

test('the first start creates the data folder with secrets that only its user can read', async () => {
  supervisor = start('--port', '0')
  await until('first start', isReady(supervisor))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  await until('the version is told', () => output.includes(`Prakriya ${version}; logs are in ${join(data, 'logs')}`))

  expect(await engineAnswer()).toBe(200)
  for (const file of ['secrets.json', 'stack.json', 'logs/engine.log']) {
    expect(statSync(join(data, file)).mode & 0o777).toBe(0o600)
  }
})

test('a second start on the same data folder is refused', async () => {
  const before = status()
  const second = start('--port', '0')
  const [code] = await once(second, 'close')

  expect(code).toBe(1)
  expect(output).toMatch(/^Prakriya already runs on this data folder \(process \d+, port \d+\); stop it first\.\n$/)
  expect(status()).toEqual(before)
})

test('a killed component is restarted, and the console says why it was down', async () => {
  const killed = processOf('postgres')
  const said: string[] = []
  supervisor.stdout?.on('data', (text: Buffer) => said.push(text.toString()))
  await query('create table app.kept (word text)')
  await query(`insert into app.kept values ('before')`)

  process.kill(killed.pid, 'SIGKILL')
  await until(
    'postgres is back',
    () => status().parts.postgres?.state === 'ready' && processOf('postgres').pid !== killed.pid,
  )

  expect(status().parts.postgres?.restarts).toBeGreaterThan(0)
  expect(said.join('')).toMatch(/postgres is down \(killed by SIGKILL/)
  expect(await query('select word from app.kept')).toEqual(['before'])
})

test('after kill -9 of the supervisor the next start replaces the remaining components', async () => {
  const left = [processOf('postgres'), processOf('engine')]
  supervisor.kill('SIGKILL')
  await once(supervisor, 'exit')
  expect(left.map(isAlive)).toEqual([true, true])

  supervisor = start('--port', '0')
  await until('start over leftovers', isReady(supervisor))

  expect(left.map(isAlive)).toEqual([false, false])
  expect(await engineAnswer()).toBe(200)
  expect(await query('select word from app.kept')).toEqual(['before'])
})

test('after kill -9 of everything the next start recovers by itself', async () => {
  const ports = status().ports
  const parts = [processOf('postgres'), processOf('engine')]
  supervisor.kill('SIGKILL')
  for (const { pid } of parts) process.kill(pid, 'SIGKILL')
  await once(supervisor, 'exit')

  supervisor = start('--port', '0')
  await until('start after the crash', isReady(supervisor))

  expect(await engineAnswer()).toBe(200)
  expect(await query('select word from app.kept')).toEqual(['before'])
  expect(status().ports.postgres).toBe(ports.postgres)
})

test('SIGTERM stops all components within 15 seconds and leaves no process', async () => {
  const parts = [processOf('postgres'), processOf('engine')]
  const asked = Date.now()
  supervisor.kill('SIGTERM')
  const [code] = await once(supervisor, 'exit')

  expect(code).toBe(0)
  expect(Date.now() - asked).toBeLessThan(15_000)
  expect(parts.map(isAlive)).toEqual([false, false])
  expect(status()).toMatchObject({
    state: 'stopped',
    parts: { postgres: { state: 'stopped' }, engine: { state: 'stopped' } },
  })
})
