import type { Kysely, Selectable } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'

type Registers = Library['registers']
type Found = Pick<Selectable<DB['register_item']>, 'id' | 'register' | 'title' | 'status' | 'version' | 'data'>

/** An entry as it last was in use: what nobody has certified yet does not count. */
export async function lastInUse(db: Kysely<DB>, registers: Registers, id: string): Promise<Found | undefined> {
  const entry = await entryOf(db, id)
  return entry && newestInUse(db, registers, entry)
}

/** An entry as it was certified last, if a second person certifies those of its register; otherwise as it is now. */
export async function asCertified(db: Kysely<DB>, registers: Registers, id: string): Promise<Found | undefined> {
  const entry = await entryOf(db, id)
  if (!entry || !registers.get(entry.register)?.certified) return entry
  return (await newestInUse(db, registers, entry)) ?? entry
}

async function entryOf(db: Kysely<DB>, id: string): Promise<Found | undefined> {
  if (!isUuid(id)) return undefined
  return db
    .selectFrom('register_item')
    .select(['id', 'register', 'title', 'status', 'version', 'data'])
    .where('id', '=', id)
    .executeTakeFirst()
}

async function newestInUse(db: Kysely<DB>, registers: Registers, entry: Found): Promise<Found | undefined> {
  const status = inUse(known(registers.get(entry.register), entry.register))
  if (entry.status === status) return entry
  const version = await db
    .selectFrom('register_item_version')
    .select(['status', 'version', 'data'])
    .where('item_id', '=', entry.id)
    .where('status', '=', status)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return version && { ...entry, ...version }
}
