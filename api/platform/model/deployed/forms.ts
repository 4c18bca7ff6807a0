import type { Library } from '../library/library.ts'
import type { Definitions, FrozenForm } from './definitions.ts'

/** The forms that belong to no flow, by their hash: public ones, and steps of records. */
const loose = new WeakMap<Library, ReadonlyMap<string, FrozenForm>>()

/** A form by its hash. Forms of flows are frozen with them; the others are as the repository has them. */
export async function formOfHash(
  { library, definitions }: { library: Library; definitions: Pick<Definitions, 'form'> },
  hash: string,
): Promise<FrozenForm> {
  const known = loose.get(library) ?? looseFormsOf(library)
  loose.set(library, known)
  return known.get(hash) ?? definitions.form(hash)
}

function looseFormsOf({ forms, ownRecords }: Library): ReadonlyMap<string, FrozenForm> {
  const steps = new Set([...ownRecords.values()].flatMap((record) => record.steps.map(({ form }) => form)))
  const some = [...forms.values()].filter(({ key, schema }) => schema['x-public'] || steps.has(key))
  return new Map(some.map((form) => [form.hash, form]))
}
