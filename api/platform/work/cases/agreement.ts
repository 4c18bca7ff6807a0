import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { at } from '../../model/definitions/register.ts'
import { listSubmissions } from '../rows/submissions.ts'

/** The agreement variables of a new or changed case: nobody has agreed to it yet. */
export function noAgreement({ agreement }: Manifest): Variables {
  return agreement ? { agreed: NO_DESK, corrected: false } : {}
}

/** A submission of a case that took effect, oldest first in lists. */
export interface Sent {
  formKey: string
  /** Null for the start form and for acts. */
  desk: string | null
  data: unknown
}

/** Whether a submission agrees: it gave this answer, about what the case says now. */
export type Agrees = (sent: Sent, answer: string) => boolean

/**
 * Tells which submissions agree to what the case says now. It compares the manifest's agreement fields, or the last
 * correction if the manifest names none.
 */
export function agreeingSubmissions(
  { agreement, start }: Pick<Manifest, 'agreement' | 'start'>,
  sent: readonly Sent[],
  data: unknown,
): Agrees {
  const isStart = ({ formKey }: Sent) => formKey === start
  const said = (content: unknown) => agreement?.to.map((pointer) => at(content, pointer) ?? null)
  return (one, answer) => {
    if (at(one.data, '/outcome') !== answer) return false
    const then = sent.slice(0, sent.indexOf(one)).findLast(isStart)
    return agreement ? isDeepStrictEqual(said(then?.data), said(data)) : then === sent.findLast(isStart)
  }
}

/**
 * What a diagram reads of a case that is sent again: the desks whose last answer agreed to its present content, in the
 * fields that they agree to. A desk that agreed to other content does not count, however often the case was returned
 * since; its answer is cleared, so that no gateway takes it for an answer to the present content.
 */
export async function agreementOf(
  trx: Transaction<DB>,
  manifest: Manifest,
  { caseId, data }: { caseId: string; data: unknown },
): Promise<Variables> {
  if (!manifest.agreement) return {}
  const rows = (await listSubmissions(trx, caseId)).filter(({ effect }) => effect !== 'void')
  const sent = rows.map(({ form_key: formKey, desk, data: content }) => ({ formKey, desk, data: content }))
  const agrees = agreeingSubmissions(manifest, sent, data)
  const hasAgreed = ([desk, answer]: [string, string]) => {
    const last = sent.findLast((one) => one.desk === desk)
    return last !== undefined && agrees(last, answer)
  }
  const desks = Object.entries(manifest.agreement.by)
  const agreed = desks.filter(hasAgreed).map(([desk]) => desk)
  const others = desks.map(([desk]) => desk).filter((desk) => !agreed.includes(desk))
  return {
    ...Object.fromEntries(others.map((desk) => [`${desk}_outcome`, null])),
    ...{ agreed: agreed.join(',') || NO_DESK, corrected: true },
  }
}

const NO_DESK = 'nobody'
