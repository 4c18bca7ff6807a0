import type { KyselyPlugin, Transaction } from 'kysely'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import type { Variables } from '../../api/platform/kernel/engine/port.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import type { AnyWorker } from './worker.ts'

/** Exactly the variables of the output schema, validated. */
export function outputOf(worker: AnyWorker, given: Variables): Variables {
  const output: Variables = {}
  for (const name of Object.keys(worker.output.properties)) {
    const value = given[name]
    if (value !== undefined) output[name] = value
  }
  const wrong = checkForm(worker.output, output)
  if (wrong.length > 0) throw new Error(`the output does not fit: ${summary(wrong)}`)
  return output
}

export function summary(wrong: { field: string; code: string }[]): string {
  return wrong.map(({ field, code }) => `${field || '/'} ${code}`).join(', ')
}

/**
 * The same transaction, until it is closed. A worker that timed out keeps running. Its later statements would take
 * effect outside the transaction, and again when the task is repeated.
 */
export function closable(trx: Transaction<DB>): { trx: Transaction<DB>; close(): void } {
  let closed = false
  const refuseWhenClosed: KyselyPlugin = {
    transformQuery({ node }) {
      if (closed) throw new Error('the run of this worker is over')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { trx: trx.withPlugin(refuseWhenClosed), close: () => void (closed = true) }
}

/** A hanging worker would keep its task, slot and locks forever. */
export async function inTime<T>(work: Promise<T>, limit: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`the worker took longer than ${limit} ms`)), limit)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
