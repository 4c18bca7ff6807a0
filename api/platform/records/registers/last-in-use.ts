import type { Kysely } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'

type Registers = Library['registers']

/** The versions of an entry, the newest first. */
const versionsOf = (db: Kysely<DB>, id: string) =>
  db
    .selectFrom('register_item as i')
    .innerJoin('register_item_version as v', 'v.item_id', 'i.id')
    .select(['i.id', 'i.register', 'i.title', 'v.status', 'v.version', 'v.data'])
    .where('i.id', '=', id)
    .orderBy('v.version', 'desc')
    .execute()

/** An entry as it last was in use: what nobody has certified yet does not count. */
export async function lastInUse(db: Kysely<DB>, registers: Registers, id: string) {
  const versions = isUuid(id) ? await versionsOf(db, id) : []
  return versions.find(({ register, status }) => status === inUse(known(registers.get(register), register)))
}

/** An entry as it was certified last, if a second person certifies those of its register; otherwise as it is now. */
export async function asCertified(db: Kysely<DB>, registers: Registers, id: string) {
  const versions = isUuid(id) ? await versionsOf(db, id) : []
  const [newest] = versions
  const definition = newest && registers.get(newest.register)
  if (!definition?.certified) return newest
  return versions.find(({ status }) => status === inUse(definition)) ?? newest
}
