import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { wordsOf } from '../../model/library/words.ts'
import type { CaseRow } from '../rows/cases.ts'
import type { CasesContext } from './context.ts'

/** What a form shows beside its fields while it is filled in. */
export interface BesideForm {
  notes: { field: string; text: string; short: boolean }[]
  limits: { field: string; least: number; most: number }[]
}

/** What the flow's rules say beside the fields of a form, as it is now. */
export async function besideForm(
  { db, rules }: Pick<CasesContext, 'db' | 'rules'>,
  { id: caseId, flow, requester_id: requesterId, data: current, facts }: CaseRow,
  { key }: FrozenForm,
  words: ReturnType<typeof wordsOf>,
): Promise<BesideForm> {
  const answers = rules.get(flow)?.answers?.[key]
  if (!answers?.beside) return { notes: [], limits: [] }
  const { beside } = answers
  const { notes, limits } = await db
    .transaction()
    .execute((trx) => beside({ trx, caseId, requesterId, current, facts }))
  return {
    notes: notes.map(({ field, code, values, short = false }) => ({ field, text: words.text(code, values), short })),
    limits,
  }
}
