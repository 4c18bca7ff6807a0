import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'
import {
  type Preparation,
  type Registers,
  findRunOf,
  forgetLeftOut,
  insertLines,
  takeUpArrears,
} from '../rows/run-preparation.ts'
import { createRun, findRun, lockRun, setRunPaidFrom } from '../rows/runs.ts'

/** A case that pays, as its manifest and its start form say it. */
export interface RunAsked {
  caseId: string
  run: RunDefinition
  /** What a pointer of the manifest means. */
  read(pointer: string): unknown
  registers: Registers
  /** Account that sends it. */
  by: string
}

/**
 * Prepares the run of a case in the transaction that begins it. Throws, at the field of the month, where the scheme has a
 * run of that month, and says which.
 */
export async function prepareRun(trx: Transaction<DB>, asked: RunAsked): Promise<void> {
  const { run, read, registers, caseId, by } = asked
  const preparation = preparationOf(asked)
  const { schemeId, month, method } = preparation
  // One at a time per scheme: two would take up the same arrears.
  await trx
    .selectFrom('register_item')
    .select('id')
    .where('id', '=', schemeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const paidFrom = String(read(run.paidFrom))
  const isFirst = await createRun(trx, {
    caseId,
    schemeId,
    month,
    method,
    paidFrom,
    signing: run.signing,
    by,
  })
  if (!isFirst) throw await alreadyThere(trx, run, preparation)
  await insertLines(trx, preparation, registers, { later: false })
  await takeUpArrears(trx, caseId)
  const made = (await findRun(trx, caseId))!
  if (made.lines === 0) throw invalid(run.month, 'platform.run-empty', { month })
  await audit(trx).record({
    actor: by,
    action: 'run.prepared',
    caseId,
    object: `run:${caseId}`,
    payload: { scheme: schemeId, month, lines: made.lines, total: made.total },
  })
}

/**
 * Looks again, when a case is sent again, at who was left out and who has come since; lines that are there stay as they are.
 */
export async function refreshRun(trx: Transaction<DB>, asked: RunAsked): Promise<void> {
  const { run, read, registers, caseId } = asked
  const there = await lockRun(trx, caseId)
  if (there?.state !== 'open') return
  await trx
    .selectFrom('register_item')
    .select('id')
    .where('id', '=', there.scheme_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const paidFrom = String(read(run.paidFrom))
  if (paidFrom !== there.paid_from) await setRunPaidFrom(trx, caseId, paidFrom)
  await forgetLeftOut(trx, caseId)
  await insertLines(trx, { ...preparationOf(asked), method: there.method }, registers, { later: true })
  await takeUpArrears(trx, caseId)
}

function preparationOf({ caseId, run, read }: RunAsked): Preparation {
  const method = run.method.startsWith('/') ? String(read(run.method)) : run.method
  if (method !== 'transfer' && method !== 'cheque') throw new Error(`${run.method} says no way of payment: ${method}`)
  return {
    caseId,
    run,
    schemeId: String(read(run.scheme)),
    month: String(read(run.month)).slice(0, 7),
    method,
    ...('at' in run.amount && { fixedAmount: centsOf(read(run.amount.at)) }),
  }
}

/** Whole rupees in cents; null where it is no number, such as `none`. */
function centsOf(value: unknown): number | null {
  const rupees = Number(value)
  return typeof value !== 'boolean' && value !== '' && value !== null && Number.isSafeInteger(rupees)
    ? rupees * 100
    : null
}

async function alreadyThere(trx: Transaction<DB>, run: RunDefinition, { schemeId, month }: Preparation) {
  const there = await findRunOf(trx, schemeId, month)
  if (!there) throw new Error(`a run of ${schemeId} and ${month} is there, and then it is not`)
  return invalid(run.month, 'platform.run-exists', { month, reference: there.reference, name: there.by })
}

function invalid(field: string, code: string, values: Record<string, string | number>): BusinessError {
  return new BusinessError('platform.form-invalid', {}, [{ field, code, values }])
}
