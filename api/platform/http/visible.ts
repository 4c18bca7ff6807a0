import type { Person } from '../people/persons/person.ts'

/** Of these cases and tasks, the ones a person may see. */
export type Visible = (
  person: Person,
  ids: { cases: string[]; tasks: string[] },
) => Promise<{ cases: string[]; tasks: string[] }>
