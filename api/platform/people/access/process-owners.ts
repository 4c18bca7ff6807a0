import { BusinessError } from '../../kernel/errors.ts'
import { type Person, rightOfAll } from '../persons/person.ts'

/** The role of process owners; its scope names the process of one flow. */
export const PROCESS_OWNER = 'Process Owner'
/** The kind of scope for flows; its id is the id of the process. */
export const FLOW_SCOPE = 'flow'

/** Whether the studio is open to a person: they own a flow or see everything. */
export function entersStudio({ seesAll, grants }: Person): boolean {
  return seesAll || grants.some(({ role, scopeKind }) => role === PROCESS_OWNER && scopeKind === FLOW_SCOPE)
}

/** The right by which a person works on the models of a process, for the audit trail; undefined if they have none. */
export function rightToProcess({ seesAll, grants }: Person, process: string): string | undefined {
  const own = grants.some(
    ({ role, scopeKind, scopeId }) => role === PROCESS_OWNER && scopeKind === FLOW_SCOPE && scopeId === process,
  )
  if (own) return `${PROCESS_OWNER}@${FLOW_SCOPE}:${process}`
  return seesAll ? rightOfAll(grants) : undefined
}

/** The right for acts that owners may not perform. Throws the refusal if the person does not see everything. */
export function rightBeyondOwners({ seesAll, grants }: Person, refusal: () => BusinessError): string {
  if (!seesAll) throw refusal()
  return rightOfAll(grants)
}

/** Like `rightToProcess`, but throws `platform.not-found`. */
export function ownedProcess(person: Person, process: string): string {
  const right = rightToProcess(person, process)
  if (right === undefined) throw new BusinessError('platform.not-found')
  return right
}
