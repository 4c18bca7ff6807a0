import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The supervisor's status file: addresses and process ids of the product's parts. */
export interface Stack {
  url: string
  engineUrl: string
  engineSecret: string
  databaseUrl: string
  ownerDatabaseUrl: string
  supervisor: { pid: number }
  parts: Record<Part, { pid?: number; state: string }>
}

export const PARTS = ['postgres', 'engine', 'api', 'workers'] as const
export type Part = (typeof PARTS)[number]

/** The product that the tests of this run share; read at each call, because parts may have been restarted. */
export function stack(dataDir = process.env['PRAKRIYA_TEST_DATA']): Stack {
  if (!dataDir) throw new Error('no product runs for these tests: PRAKRIYA_TEST_DATA is not set')
  return JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8')) as Stack
}

/** The process id of a part; fails while it is down. */
export function pidOf(part: Part): number {
  const { pid, state } = stack().parts[part]
  if (pid === undefined) throw new Error(`${part} is ${state}`)
  return pid
}

/** The API's log lines that contain a text. */
export function logged(text: string): string {
  const log = join(process.env['PRAKRIYA_TEST_DATA'] ?? '', 'logs/api.log')
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.filter((line) => line.includes(text)).join('\n')
}
