import { type Person, everything } from '../../people/persons/person.ts'

/** A principal under which somebody reads the inbox, and how much of it. */
export interface Reader {
  principal: string
  /** Undefined: every flow. */
  flows?: readonly string[]
  /** In cents; what is dearer, or has no amount, is left out. */
  amountLimit?: bigint
  /** Read as the substitute of this person. */
  for?: { id: string; name: string }
}

/**
 * Under which principals somebody reads the inbox: their own, and those of the people in whose stead they act. A task
 * that is theirs both ways is theirs.
 */
export function readers(person: Person): Reader[] {
  const own = person.seesAll ? [everything, `user:${person.id}`] : person.principals
  const inStead = person.standsIn.flatMap(({ absent, principals, flows, amountLimit }) =>
    principals.map((principal): Reader => ({
      principal,
      ...(flows && { flows }),
      ...(amountLimit !== null && { amountLimit }),
      for: absent,
    })),
  )
  return [...own.map((principal) => ({ principal })), ...inStead]
}
