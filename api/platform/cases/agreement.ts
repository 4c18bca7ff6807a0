import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import type { Variables } from '../engine/port.ts'
import type { Manifest } from '../flows/manifest.ts'
import { at } from '../registers/definition.ts'
import { caseRepository } from './repository.ts'

/** What a diagram reads of a case that has just been sent: nobody has agreed to it yet. */
export function noAgreement({ agreement }: Manifest): Variables {
  return agreement ? { agreed: NOBODY, corrected: false } : {}
}

/**
 * What a diagram reads of a case that is sent again: the desks whose last answer agreed to just what it says now in the
 * fields that they agree to. Whoever agreed to something else is not among them, however often it went to and fro since.
 */
export async function agreementOf(
  trx: Transaction<DB>,
  { agreement, start }: Manifest,
  { caseId, data }: { caseId: string; data: unknown },
): Promise<Variables> {
  if (!agreement) return {}
  const sent = (await caseRepository(trx).listSubmissions(caseId)).filter(({ effect }) => effect !== 'void')
  const said = (content: unknown) => agreement.to.map((pointer) => at(content, pointer) ?? null)
  const agreed = Object.entries(agreement.by).filter(([desk, answer]) => {
    const last = sent.findLastIndex((one) => one.desk === desk)
    if (last < 0 || (sent[last]!.data as { outcome?: string }).outcome !== answer) return false
    const then = sent.slice(0, last).findLast(({ form_key }) => form_key === start)
    return isDeepStrictEqual(said(then?.data), said(data))
  })
  return { agreed: agreed.map(([desk]) => desk).join(',') || NOBODY, corrected: true }
}

const NOBODY = 'nobody'
