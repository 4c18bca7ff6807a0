import { randomUUID } from 'node:crypto'

/** The bank's reference of a payment that no other case has. */
export const aReference = (): string => `DB ${randomUUID()}`
