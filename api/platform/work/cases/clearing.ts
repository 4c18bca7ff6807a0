import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { readUnits } from '../../people/access/units.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type Owed, owedBy } from './owed.ts'
import { findItem } from '../rows/items.ts'
import { placeOf } from '../registers/places.ts'

interface Reading {
  register: string
  id: string
  language: Language | undefined
}

/** What the person of an entry still has to give back or settle; 404 for who may not read it. */
export async function owedOfEntry(
  db: Kysely<DB>,
  library: Library,
  reader: Person,
  { register, id, language }: Reading,
): Promise<Owed[]> {
  if (!(await mayRead(db, library, reader, { register, id }))) throw new BusinessError('platform.not-found')
  return owedBy(db, library, { people: [id], language })
}

/** Whether somebody reads it of the person of this entry: it is theirs, or they clear people there (`clearedBy`). */
async function mayRead(
  db: Kysely<DB>,
  { registers }: Library,
  reader: Person,
  { register, id }: Pick<Reading, 'register' | 'id'>,
): Promise<boolean> {
  const clearedBy = registers.get(register)?.clearedBy
  const item = clearedBy && (await findItem(db, register, id))
  if (!clearedBy || !item) return false
  if ((await findOwnEntry(db, reader.id))?.id === id) return true
  return admits(reader, clearedBy, placeOf(await readUnits(db), item.data, { register, id })) !== undefined
}
