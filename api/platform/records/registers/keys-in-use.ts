import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import { known } from '../../kernel/known.ts'
import { sealingLabel } from './sealed.ts'

/** The names of the keys that something is encrypted with. Reads one row of an index for each. */
export async function keysInUse(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ key_id: string }>`
    with recursive used as (
      select min(key_id) as key_id from sealed_fields
      union all
      select (select min(key_id) from sealed_fields s where s.key_id > used.key_id) from used where key_id is not null
    )
    select key_id from used where key_id is not null`.execute(db)
  return rows.map(({ key_id: id }) => id)
}

/**
 * Notes the keys of a start. Throws if something is encrypted with a key that is not there, or if a key has another
 * secret than before, so that nobody finds out by reading.
 */
export async function admitKeys(db: Kysely<DB>, { ids, fingerprints }: FieldKeys): Promise<void> {
  const missing = (await keysInUse(db)).filter((id) => !ids.includes(id))
  if (missing.length > 0)
    throw new Error(
      `FIELD_KEYS lacks keys that encrypted fields need: ${missing.join(', ')}. Restore them from the backup of the keys.`,
    )
  await db
    .insertInto('field_key')
    .values(ids.map((id) => ({ id, fingerprint: known(fingerprints.get(id), 'the fingerprint of a key') })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rows = await db.selectFrom('field_key').select(['id', 'fingerprint']).where('id', 'in', ids).execute()
  const changed = rows.filter(({ id, fingerprint }) => fingerprints.get(id) !== fingerprint).map(({ id }) => id)
  if (changed.length > 0)
    throw new Error(
      `FIELD_KEYS has another secret for ${changed.join(', ')} than before: restore it, or give a new key a new name.`,
    )
}

/** How many versions of entries each key encrypts: those of FIELD_KEYS, the newest first, then missing ones. */
export async function usesOfKeys(db: Kysely<DB>, { ids }: FieldKeys): Promise<{ id: string; versions: number }[]> {
  const rows = await db
    .selectFrom('sealed_fields')
    .select(['key_id', sql<number>`count(*)::int`.as('versions')])
    .groupBy('key_id')
    .execute()
  const counts = new Map(rows.map(({ key_id: id, versions }) => [id, versions]))
  return [...new Set([...ids, ...counts.keys()])].map((id) => ({ id, versions: counts.get(id) ?? 0 }))
}

/**
 * Encrypts some versions again under the newest key, as the owner of the database; returns how many, 0 at the end. Each
 * is opened again before it is kept, and readers and writers go on meanwhile. Throws if the product was not yet started
 * with the newest key, because then it could not read them.
 */
export async function encryptAgain(
  db: Kysely<DB>,
  keys: FieldKeys,
  { versions }: { versions: number },
): Promise<number> {
  const [newest] = keys.ids
  return db.transaction().execute(async (trx) => {
    const started = await trx.selectFrom('field_key').select('id').where('id', '=', known(newest, 'a key')).execute()
    if (started.length === 0)
      throw new Error(`start every part of the product with the key ${newest} first: now it could not read with it`)
    const rows = await oldestOf(trx, keys, versions)
    for (const { item_id, version, register, key_id, sealed } of rows) {
      const label = sealingLabel({ id: item_id, register, version })
      const plain = keys.open(label, key_id, sealed)
      const again = keys.seal(label, plain)
      if (keys.open(label, again.keyId, again.sealed) !== plain) throw new Error(`${label} does not open again`)
      await trx
        .updateTable('sealed_fields')
        .set({ key_id: again.keyId, sealed: again.sealed })
        .where('item_id', '=', item_id)
        .where('version', '=', version)
        .execute()
    }
    if (rows.length > 0)
      await audit(trx).record({
        actor: 'system:field-keys',
        action: 'field-key.rotated',
        payload: { to: newest, from: [...new Set(rows.map(({ key_id: id }) => id))], versions: rows.length },
      })
    return rows.length
  })
}

/** Some versions under other keys than the newest, locked. Throws if one of those keys is missing. */
async function oldestOf(trx: Transaction<DB>, { ids: [newest, ...older] }: FieldKeys, versions: number) {
  const used = (await keysInUse(trx)).filter((id) => id !== newest)
  const missing = used.filter((id) => !older.includes(id))
  if (missing.length > 0) throw new Error(`FIELD_KEYS lacks ${missing.join(', ')}: without it nothing of it opens`)
  const [key] = used
  if (key === undefined) return []
  const { rows } = await sql<{ item_id: string; version: number; register: string; key_id: string; sealed: Buffer }>`
    select s.item_id, s.version, i.register, s.key_id, s.sealed
    from sealed_fields s join register_item i on i.id = s.item_id
    where s.key_id = ${key} order by s.item_id, s.version limit ${versions} for update of s`.execute(trx)
  return rows
}
