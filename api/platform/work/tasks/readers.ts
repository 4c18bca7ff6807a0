import { type Person, everything } from '../../people/persons/person.ts'

/** A principal through which a person reads the inbox, and its limits. */
export interface Reader {
  principal: string
  /** Undefined: every flow. */
  flows?: readonly string[]
  /** In cents; cases above it or without an amount are left out. */
  amountLimit?: bigint
  /** Read as the substitute of this person. */
  for?: { id: string; name: string }
}

/**
 * The principals through which a person reads the inbox: their own, and those of people they substitute for. Their own
 * win for a task that is theirs both ways.
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
