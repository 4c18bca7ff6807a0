import { BusinessError } from '../../kernel/errors.ts'
import { type Person, SEES_ALL } from '../persons/person.ts'

/** The role of whoever answers for a flow; it is held for one flow, whose process its scope names. */
export const PROCESS_OWNER = 'Process Owner'
/** The kind of scope that is a flow; its id is the id of the process. */
export const FLOW_SCOPE = 'flow'

/** Whether somebody owns a flow, whichever, or sees everything: then the studio is there for them. */
export function entersStudio({ seesAll, grants }: Person): boolean {
  return seesAll || grants.some(({ role, scopeKind }) => role === PROCESS_OWNER && scopeKind === FLOW_SCOPE)
}

/** By what right somebody has to do with the models of a process, for the audit; undefined where by none. */
export function rightToProcess({ seesAll, grants }: Person, process: string): string | undefined {
  const own = grants.some(
    ({ role, scopeKind, scopeId }) => role === PROCESS_OWNER && scopeKind === FLOW_SCOPE && scopeId === process,
  )
  if (own) return `${PROCESS_OWNER}@${FLOW_SCOPE}:${process}`
  return seesAll ? rightOfAll(grants) : undefined
}

/** By what right somebody does what owners cannot. Throws the refusal where they do not see everything. */
export function rightBeyondOwners({ seesAll, grants }: Person, refusal: () => BusinessError): string {
  if (!seesAll) throw refusal()
  return rightOfAll(grants)
}

function rightOfAll(grants: Person['grants']): string {
  return grants.find(({ role }) => SEES_ALL.includes(role))!.role
}

/** The same, but to others the process is not there: throws `platform.not-found`. */
export function ownedProcess(person: Person, process: string): string {
  const right = rightToProcess(person, process)
  if (right === undefined) throw new BusinessError('platform.not-found')
  return right
}
