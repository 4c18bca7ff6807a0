import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { Library } from '../../model/library/library.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { prepareRun, refreshRun } from '../runs/prepare.ts'
import { agreementsTo, changedSinceAgreed } from '../runs/agreements.ts'
import { findRun, lastLineChange } from '../rows/runs.ts'
import { countQuestionsOf } from '../rows/run-lines.ts'
import { askForSignaturesLater } from '../runs/signature-mails.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type NamedItems, resolve } from '../../model/definitions/named.ts'

/** The part of a case that its run needs. */
interface SentCase {
  manifest: Manifest
  data: JsonObject
  items: NamedItems
  caseId: string
  by: string
}

/** Prepares the run of a case whose flow pays: when the case begins, and again with each correction. */
export async function writeRun(
  trx: Transaction<DB>,
  { registers }: Pick<Library, 'registers'>,
  { manifest: { run, agreement }, data, items, caseId, by }: SentCase,
  { again }: { again: boolean },
): Promise<void> {
  if (!run) return
  const read = (pointer: string) => resolve(pointer, data, items)
  const asked = { run, registers, caseId, by, read, ...(agreement && { agrees: agreement.by }) }
  await (again ? refreshRun(trx, asked) : prepareRun(trx, asked))
}

/** What a diagram reads of the run of a case: its sum, and whether a line has changed since a desk agreed to it. */
export async function runVariables(trx: Transaction<DB>, manifest: Manifest, caseId: string): Promise<Variables> {
  if (!manifest.run) return {}
  const run = await findRun(trx, caseId)
  const agreements = await agreementsTo(trx, manifest, caseId)
  const changedAt = await lastLineChange(trx, caseId)
  return { runTotal: run?.total ?? 0, runChanged: agreements.some((one) => changedSinceAgreed(changedAt, one)) }
}

/** An answer of a desk; `later`: when it takes effect, if not at once. */
interface Agreed {
  caseId: string
  task: string
  desk: string
  outcome: string | null
  later: Date | undefined
}

/**
 * What an agreement to a run does besides: students are asked to sign. Throws if the desk waits for an answer itself: on
 * lines that it has neither held back nor struck. Other outcomes, and questions of other desks, do not hold its decision.
 */
export async function agreeToRun(
  trx: Transaction<DB>,
  { run, agreement }: Manifest,
  { caseId, task, desk, outcome, later }: Agreed,
): Promise<void> {
  if (!run || outcome === null || agreement?.by[desk] !== outcome) return
  // A colleague who asks at this moment has locked the task, or will see that it is decided.
  await trx.selectFrom('task').select('id').where('id', '=', task).forUpdate().execute()
  const count = await countQuestionsOf(trx, caseId, desk)
  const code = 'platform.run-questions-open'
  if (count > 0) throw new BusinessError('platform.form-invalid', {}, [{ field: '/outcome', code, values: { count } }])
  if (run.signing) await askForSignaturesLater(trx, caseId, later)
}
