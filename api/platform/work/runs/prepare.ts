import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'
import type { Registers } from '../rows/listings.ts'
import {
  type Preparation,
  findRunOf,
  forgetLeftOut,
  insertLines,
  payableStatuses,
  takeUpArrears,
} from '../rows/run-preparation.ts'
import { countLines } from '../rows/run-lines.ts'
import { createRun, findRun, lockMonth, lockRun, lockScheme, setRunPaidFrom } from '../rows/runs.ts'
import { known } from '../../kernel/known.ts'

/** A case that pays, from its manifest and start form. */
export interface RunAsked {
  caseId: string
  run: RunDefinition
  /** The value of a pointer of the manifest. */
  read(pointer: string): unknown
  registers: Registers
  /** By desk the outcome with which it agrees (`agreement` of the manifest). */
  agrees?: Readonly<Record<string, string>>
  /** Account that sends it. */
  by: string
  /** The present by default. */
  now?: Date
}

/**
 * Prepares the run of a case in the transaction that begins the case. Throws at the month's field if the scheme has a
 * run for that month, which is named, or if the month has not begun and no attendance holds it back.
 */
export async function prepareRun(trx: Transaction<DB>, asked: RunAsked): Promise<void> {
  const { run, read, registers, caseId, agrees = {}, by, now = new Date() } = asked
  const preparation = preparationOf(asked)
  const { schemeId, month, method } = preparation
  // Attendance cannot be recorded ahead, so that it holds back a month that has not begun.
  if (!run.attendance && month > dayInColombo(now).slice(0, 7))
    throw invalid(run.month, 'platform.run-month-ahead', { month })
  await lockScheme(trx, schemeId)
  const paidFrom = String(read(run.paidFrom))
  const isFirst = await createRun(trx, {
    caseId,
    schemeId,
    month,
    method,
    paidFrom,
    signing: run.signing,
    ...payableStatuses(run, registers),
    oncePerMonth: run.oncePerMonth === true,
    attended: run.attendance !== undefined,
    agrees,
    by,
  })
  if (!isFirst) throw await alreadyThere(trx, run, preparation)
  await lockMonth(trx, caseId)
  await insertLines(trx, preparation, registers, { later: false })
  await takeUpArrears(trx, caseId)
  const made = known(await findRun(trx, caseId), 'the run')
  if (made.lines === 0) throw await nobodyIsPaid(trx, caseId, run.month, month)
  await audit(trx).record({
    actor: by,
    action: 'run.prepared',
    caseId,
    object: `run:${caseId}`,
    payload: { scheme: schemeId, month, lines: made.lines, total: made.total },
  })
}

/** When a case is sent again, prepares the left-out people and newcomers again; other lines stay as they are. */
export async function refreshRun(trx: Transaction<DB>, asked: RunAsked): Promise<void> {
  const { run, read, registers, caseId } = asked
  const present = await findRun(trx, caseId)
  if (!present) return
  await lockScheme(trx, present.scheme_id)
  const there = await lockRun(trx, caseId)
  if (there?.state !== 'open') return
  await lockMonth(trx, caseId)
  const paidFrom = String(read(run.paidFrom))
  if (paidFrom !== there.paid_from) await setRunPaidFrom(trx, caseId, paidFrom)
  await forgetLeftOut(trx, caseId)
  await insertLines(trx, { ...preparationOf(asked), method: there.method }, registers, { later: true })
  await takeUpArrears(trx, caseId)
}

function preparationOf({ caseId, run, read }: RunAsked): Preparation {
  const method = run.method.startsWith('/') ? String(read(run.method)) : run.method
  if (method !== 'transfer' && method !== 'cheque') throw new Error(`${run.method} is not a payment method: ${method}`)
  return {
    caseId,
    run,
    schemeId: String(read(run.scheme)),
    month: String(read(run.month)).slice(0, 7),
    method,
    ...('at' in run.amount && { fixedAmount: centsOf(read(run.amount.at)) }),
  }
}

/** Whole rupees in cents; null if it is not a number, for example `none`. */
function centsOf(value: unknown): number | null {
  const rupees = Number(value)
  return typeof value !== 'boolean' && value !== '' && value !== null && Number.isSafeInteger(rupees)
    ? rupees * 100
    : null
}

/** That nobody can be paid, and why: after it no run is there that would say so. */
async function nobodyIsPaid(trx: Transaction<DB>, caseId: string, field: string, month: string) {
  const { leftOut } = await countLines(trx, caseId)
  return new BusinessError('platform.form-invalid', {}, [
    { field, code: 'platform.run-empty', values: { month } },
    ...leftOut.map(({ reason }) => ({ field, code: `platform.run.left-out.${reason}` })),
  ])
}

async function alreadyThere(trx: Transaction<DB>, run: RunDefinition, { schemeId, month }: Preparation) {
  const there = await findRunOf(trx, schemeId, month)
  if (!there) throw new Error(`the run of ${schemeId} for ${month} was deleted while it was read`)
  return invalid(run.month, 'platform.run-exists', { month, reference: there.reference, name: there.by })
}

function invalid(field: string, code: string, values: Record<string, string | number>): BusinessError {
  return new BusinessError('platform.form-invalid', {}, [{ field, code, values }])
}
