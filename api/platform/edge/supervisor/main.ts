import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { readEnvFile } from '../../kernel/env-file.ts'
import { readJson } from '../../kernel/json-file.ts'
import { DEMO_PASSWORD } from '../demo/password.ts'
import { loadLibrary } from '../../model/library/library.ts'
import { readStackSettings } from '../../kernel/settings.ts'
import { type PartName, partNames, resetData, startStack } from './stack.ts'

const root = resolve(import.meta.dirname, '../../../..')
const say = (line: string) => console.log(line)

/** The version of the product, from its package. */
const version = () => readJson<{ version: string }>(join(root, 'package.json')).version

const isPartName = (name: string): name is PartName => partNames.some((one) => one === name)

/** Ends this process with one line that says what to do. */
function refuse(error: Error): never {
  console.error(error.message)
  process.exit(1)
}

async function askToReset(dataDir: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('--reset deletes all data; where nobody can be asked, add --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Delete all data in ${dataDir} (cases, accounts, files, secrets)? Type yes: `)
  terminal.close()
  return answer.trim() === 'yes'
}

interface DemoPerson {
  username: string
  name: string
  post?: string
}

function tellSignIns(): void {
  const file = join(root, 'forms/platform/people.demo.json')
  if (!existsSync(file)) return
  const people = readJson<DemoPerson[]>(file)
  say(`Demo sign-ins, all with the password ${DEMO_PASSWORD}:`)
  const width = Math.max(...people.map(({ username }) => username.length))
  for (const { username, name, post } of people) say(`  ${username.padEnd(width)}  ${post ? `${name}, ${post}` : name}`)
}

async function main(): Promise<void> {
  readEnvFile(root)
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      parts: { type: 'string' },
      reset: { type: 'boolean' },
      yes: { type: 'boolean' },
      dev: { type: 'boolean' },
    },
  })
  const settings = readStackSettings({ ...process.env, ...(values.port && { PORT: values.port }) })
  if (values.reset) {
    if (!values.yes && !(await askToReset(settings.dataDir))) return say('Nothing was deleted.')
    await resetData(settings.dataDir)
  }
  const unknown = values.parts?.split(',').find((name) => !isPartName(name))
  if (unknown) throw new Error(`--parts: unknown part ${unknown}; the parts are ${partNames.join(', ')}.`)

  // Report a broken library before anything starts, instead of at every start of the API.
  loadLibrary(root)

  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort())
  const parts = values.parts?.split(',').filter(isPartName)
  const dev = values.dev ?? false
  try {
    const stack = await startStack({ ...settings, ...(parts && { parts }), dev, say, signal: interrupted.signal })
    try {
      if (settings.demo) tellSignIns()
      say(`Prakriya ${version()}; logs are in ${join(settings.dataDir, 'logs')}; Ctrl-C stops everything.`)
      say(`Prakriya is ready: ${stack.url}`)
      await stack.stopped
    } finally {
      await stack.stop()
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
  }
  say('Stopped.')
}

main().catch(refuse)
