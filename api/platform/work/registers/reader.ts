import type { RegisterDefinition } from '../../model/definitions/register.ts'
import type { Person } from '../../people/persons/person.ts'

/** Somebody without the rights that come with seeing everything: these do not reach registers with encrypted fields. */
export function readerOf(person: Person, { sealed }: Pick<RegisterDefinition, 'sealed'>): Person {
  return sealed ? { ...person, seesAll: false } : person
}
