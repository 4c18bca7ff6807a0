import type { Person } from '../people/persons/person.ts'

/** Those of these cases and tasks that a person may see. */
export type Visible = (
  person: Person,
  ids: { cases: string[]; tasks: string[] },
) => Promise<{ cases: string[]; tasks: string[] }>
