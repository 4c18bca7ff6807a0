import { known } from '../../kernel/known.ts'
import { caseRepository, type CaseRow } from '../../work/rows/cases.ts'
import { type Engine, EngineFault } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { decisionWords } from '../../work/tasks/decision-words.ts'
import { listDoers } from './search-repository.ts'
import type { AuditDependencies } from './search.ts'
import type { Doer } from './words.ts'

/**
 * Reconstructs a case at any moment from records that never change: submissions, engine activities and the audit trail.
 * Callers must have checked the auditor's right. Reads of sensitive fields are logged.
 */
export interface MomentsContext extends AuditDependencies {
  engine: Pick<Engine, 'decisions' | 'decisionXml'>
  decisionsInWords: ReturnType<typeof decisionWords>
}

export function momentsContext(given: Omit<MomentsContext, 'decisionsInWords'>): MomentsContext {
  return { ...given, decisionsInWords: decisionWords(given) }
}

/** A case, without a check of rights: auditors see all cases. */
export async function findAnyCase({ db }: Pick<MomentsContext, 'db'>, id: string): Promise<CaseRow> {
  const row = await caseRepository(db).find(id)
  if (!row) throw new BusinessError('platform.not-found')
  return row
}

/** The people of these accounts, with the posts that they had at these moments. */
export async function doers(
  { db }: Pick<MomentsContext, 'db'>,
  asked: readonly { id: string; at: Date }[],
): Promise<(id: string, at: Date) => Doer> {
  const keyOf = (id: string, at: Date) => `${id} ${at.toISOString()}`
  const once = [...new Map(asked.map((one) => [keyOf(one.id, one.at), one])).values()]
  const people = await listDoers(db, once)
  const found = new Map(
    people.map(({ place, ...one }): [string, Doer] => {
      const { id, at } = known(once[place], 'the person asked for')
      return [keyOf(id, at), one]
    }),
  )
  return (id, at) => found.get(keyOf(id, at)) ?? { id: null, name: id, registered: true, post: null }
}

/** The engine's answer; null while it is down. */
export async function nullIfEngineDown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineFault) return null
    throw error
  }
}
