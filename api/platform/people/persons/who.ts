import { known } from '../../kernel/known.ts'

/** A person as lists and pages name them. */
export interface Who {
  id: string
  name: string
}

/** The person with this id, and the name that was read with it; null if there is none. */
export function whoOf(id: string | null, name: string | null): Who | null {
  return id === null ? null : { id, name: known(name, 'the name of an account') }
}
