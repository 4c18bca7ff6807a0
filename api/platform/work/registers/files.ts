import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { filesIn } from '../../records/registers/values.ts'
import { isOwn } from './own.ts'
import { placesOf } from './places.ts'
import { entriesSeen } from './seen.ts'

/** Whether a person reads a register entry that has this file now, with the field in which it is. */
export async function mayReadInRegisters(
  { db, library }: { db: Kysely<DB>; library: Pick<Library, 'registers'> },
  person: Person,
  fileId: string,
): Promise<boolean> {
  const entries = await db
    .selectFrom('register_file as f')
    .innerJoin('register_item as i', 'i.id', 'f.item_id')
    .select(['i.register', 'i.id', 'i.status', 'i.data'])
    .where('f.file_id', '=', fileId)
    .execute()
  for (const entry of entries) {
    const definition = known(library.registers.get(entry.register), entry.register)
    const [sees] = await entriesSeen(db, person, definition, [entry])
    if (!sees) continue
    const fields = filesIn(definition, entry.data).filter(({ value }) => value === fileId)
    if (fields.some(({ schema }) => schema['x-sensitive'] !== true)) return true
    const [place] = await placesOf(db, definition, [entry])
    const { changedBy, sensitiveTo = [] } = definition
    if (admits(person, [...changedBy, ...sensitiveTo], place) !== undefined) return true
    if (await isOwn(db, person, definition, entry)) return true
  }
  return false
}
