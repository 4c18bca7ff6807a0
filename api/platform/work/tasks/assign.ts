import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { DeskAllocation, Manifest } from '../../model/definitions/manifest.ts'
import { at } from '../../model/definitions/register.ts'
import { claimSlot } from '../allocations/slots.ts'
import { slotsWanted } from '../cases/sent.ts'
import { getCaseRow } from '../rows/cases.ts'

/** An answer at a desk, once it is stored. */
export interface StoredAnswer {
  caseId: string
  form: string
  answer: JsonObject
  submissionId: string
}

/**
 * Claims the entries that an answer picks for the time of its case. They go with the answer: the database releases them
 * once it is void. Throws, at its field, what is taken already.
 */
export async function assignPicked(
  trx: Transaction<DB>,
  { assigns = [] }: Manifest,
  { caseId, form, answer, submissionId }: StoredAnswer,
): Promise<void> {
  const picked = assigns.filter((one) => one.form === form && at(answer, one.item) !== undefined)
  if (picked.length === 0) return
  const { data, facts, requester_id: holder } = await getCaseRow(trx, caseId)
  for (const slot of await slotsWanted(picked, answer, { current: data })) {
    const wanted = { ...slot, ...minutesAround(picked, slot.path, facts) }
    const { id } = await claimAtField(trx, { ...wanted, holder, caseId })
    await trx
      .updateTable('allocation')
      .set({ submission_id: submissionId })
      .where((row) => row.or([row('id', '=', id), row('main_id', '=', id)]))
      .execute()
  }
}

function minutesAround(picked: readonly DeskAllocation[], path: string, facts: JsonObject) {
  const one = picked.find(({ item }) => item === path)
  const minutes = (given: number | string = 0) => (typeof given === 'number' ? given : Number(facts[given] ?? 0))
  return { before: minutes(one?.before), after: minutes(one?.after) }
}

/** Claims an entry; if it is taken, the error is at the field that names it. */
async function claimAtField(trx: Transaction<DB>, wanted: Parameters<typeof claimSlot>[1]) {
  try {
    return await claimSlot(trx, wanted)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    const { code, values } = error
    throw new BusinessError('platform.form-invalid', {}, [{ field: wanted.path, code, values }])
  }
}
