import type { Kysely } from 'kysely'
import type { AuditRecord } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { filesIn } from '../../records/registers/values.ts'
import { isOwn } from './own.ts'
import { placesOf } from './places.ts'
import { entriesSeen } from './seen.ts'
import { sensitiveRead } from './views.ts'

/** How a person reads a file that is in register entries now; `note` is the record of it, if it has to be kept. */
interface Reading {
  note?: AuditRecord
}

/** The reading of a file in a register entry that the person sees with the field in which it is; undefined if in none. */
export async function readingInRegisters(
  { db, library }: { db: Kysely<DB>; library: Pick<Library, 'registers'> },
  person: Person,
  fileId: string,
): Promise<Reading | undefined> {
  const entries = await db
    .selectFrom('register_file as f')
    .innerJoin('register_item as i', 'i.id', 'f.item_id')
    .select(['i.register', 'i.id', 'i.status', 'i.version', 'i.data'])
    .where('f.file_id', '=', fileId)
    .execute()
  const noted: Reading[] = []
  for (const entry of entries) {
    const definition = known(library.registers.get(entry.register), entry.register)
    const [sees] = await entriesSeen(db, person, definition, [entry])
    if (!sees) continue
    const fields = filesIn(definition, entry.data).filter(({ value }) => value === fileId)
    if (fields.some(({ schema }) => schema['x-sensitive'] !== true)) return {}
    if (await isOwn(db, person, definition, entry)) return {}
    const [place] = await placesOf(db, definition, [entry])
    const { changedBy, sensitiveTo = [] } = definition
    const right = admits(person, [...changedBy, ...sensitiveTo], place)
    if (right === undefined) continue
    const paths = fields.map(({ path }) => path)
    noted.push({ note: sensitiveRead(person, right, entry, paths) })
  }
  return noted[0]
}
