import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { at } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { LAST_CHEQUE, chequeBook, firstUsedNumber, outsideBook, sixDigits } from '../../work/rows/cheque-books.ts'
import { countCheques, insertCheques, lockBankAccount, useUpTorn } from '../../work/rows/run-cheques.ts'
import { countLines } from '../../work/rows/run-lines.ts'
import { lockRun } from '../../work/rows/runs.ts'
import { type RunDependencies, notifyRunChanged, reachRun, rightOf } from './context.ts'

/**
 * Numbers the cheques of a paid run, by name, from the first number, without those of torn leaves. The numbers of an
 * account are used once for good, by vouchers too, and those of torn leaves never.
 */
export async function numberCheques(
  deps: RunDependencies,
  person: Person,
  { caseId, first: typed, torn: leaves }: { caseId: string; first: string; torn: readonly string[] },
): Promise<void> {
  const reached = await reachRun(deps, person, caseId)
  const actedAs = rightOf(person, reached.manifest.run.returnedBy)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  const first = Number(typed)
  const torn = [...new Set(leaves.map(Number))].toSorted((a, b) => a - b)
  await deps.db.transaction().execute(async (trx) => {
    const run = await lockRun(trx, caseId)
    if (run?.state !== 'paid' || run.method !== 'cheque') throw new BusinessError('platform.run-pays-no-cheques')
    const account = await lockBankAccount(trx, run.paid_from)
    if ((await countCheques(trx, caseId)) > 0) throw new BusinessError('platform.run-cheques-numbered')
    const { included: count } = (await countLines(trx, caseId)).states
    if (count === 0) throw new BusinessError('platform.run-pays-no-cheques')
    const last = lastNumber(first, count, torn)
    const stray = torn.find((number) => number < first || number > last)
    if (stray !== undefined)
      throw invalid('platform.run-cheque-torn-outside', { number: sixDigits(stray), last: sixDigits(last) }, '/torn')
    if (first < 1 || last > LAST_CHEQUE) throw invalid('platform.run-cheques-beyond', { count })
    await checkBook({ trx, library: deps.library }, { id: run.paid_from, ...account }, first)
    const used = await firstUsedNumber(trx, run.paid_from, { from: first, until: last })
    if (used !== undefined) throw invalid('platform.run-cheque-used', { number: used, last: sixDigits(last) })
    await useUpTorn(trx, run.paid_from, torn.map(sixDigits))
    await insertCheques(trx, { caseId, account: run.paid_from, first, last, torn, by: person.id })
    await audit(trx).record({
      actor: person.id,
      actedAs: person.through ?? actedAs,
      action: 'run.cheques-numbered',
      caseId,
      object: `run:${caseId}`,
      payload: { first: sixDigits(first), last: sixDigits(last), count, torn: torn.map(sixDigits) },
    })
  })
  await notifyRunChanged(deps, reached)
}

/** Throws if the first number is not one of the account's cheque book, of which its register names the first. */
async function checkBook(
  { trx, library }: { trx: Transaction<DB>; library: Library },
  { id, register, data }: { id: string; register: string; data: unknown },
  first: number,
): Promise<void> {
  const pointer = library.registers.get(register)?.cheques
  if (pointer === undefined) return
  const begins = at(data, pointer)
  if (typeof begins !== 'number') throw new Error(`the bank account ${id} names no first cheque`)
  const outside = outsideBook(await chequeBook(trx, id, begins), first)
  if (outside) throw invalid('platform.run-cheque-outside-book', outside)
}

/** The number of the last of some cheques, of which torn leaves are none. */
function lastNumber(first: number, count: number, torn: readonly number[]): number {
  return torn.reduce((last, number) => (number >= first && number <= last ? last + 1 : last), first + count - 1)
}

function invalid(code: string, values: Record<string, string | number>, field = '/first'): BusinessError {
  return new BusinessError('platform.form-invalid', {}, [{ field, code, values }])
}
