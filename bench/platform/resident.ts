import { readFileSync } from 'node:fs'
import { pidOf } from '../../tests/platform/kit/stack.ts'

/** Resident memory of a part of the product. */
export function residentMiB(part: 'api' | 'workers'): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pidOf(part)}/status`, 'utf8'))!
  return Math.round(Number(kib) / 1024)
}
