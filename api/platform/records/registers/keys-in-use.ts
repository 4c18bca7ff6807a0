import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import { known } from '../../kernel/known.ts'
import { sealingLabel } from './sealed.ts'

/** How many versions of a key a start tries: one that opens shows that the secret is right, even if others are damaged. */
const TRIED = 20

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

/** What an operator does about a key that is gone for good. */
const WAY_OUT = 'If it is gone for good, `npm run keys -- lost NAME` says what is lost with it.'

/**
 * Notes the keys of a start, all or none. Throws if something is encrypted with a key that is not there, or if a key
 * has another secret than before or opens nothing of what it encrypted, so that nobody finds out by reading.
 */
export function admitKeys(db: Kysely<DB>, keys: FieldKeys): Promise<void> {
  const { ids, fingerprints } = keys
  return db.transaction().execute(async (trx) => {
    const [used, lost] = [await keysInUse(trx), await lostKeys(trx)]
    const missing = used.filter((id) => !ids.includes(id) && !lost.has(id))
    if (missing.length > 0)
      throw new Error(
        `FIELD_KEYS lacks keys that encrypted fields need: ${missing.join(', ')}. Restore them from the backup of the keys. ${WAY_OUT}`,
      )
    const added = await trx
      .insertInto('field_key')
      .values(ids.map((id) => ({ id, fingerprint: known(fingerprints.get(id), 'the fingerprint of a key') })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    await refuseChanged(trx, keys)
    for (const { id } of added)
      if (used.includes(id) && !(await opensAny(trx, keys, id)))
        throw new Error(`FIELD_KEYS has a secret for ${id} that opens nothing of what ${id} encrypted. ${restoreIt}`)
  })
}

const restoreIt = `Restore it from the backup of the keys, or give a new key a new name. ${WAY_OUT}`

/** Throws if a key has another secret than when the product was started with it. */
export async function refuseChanged(db: Kysely<DB>, { ids, fingerprints }: FieldKeys): Promise<void> {
  const rows = await db.selectFrom('field_key').select(['id', 'fingerprint']).where('id', 'in', ids).execute()
  const changed = rows.filter(({ id, fingerprint }) => fingerprints.get(id) !== fingerprint).map(({ id }) => id)
  if (changed.length > 0)
    throw new Error(`FIELD_KEYS has another secret for ${changed.join(', ')} than before. ${restoreIt}`)
}

async function lostKeys(db: Kysely<DB>): Promise<Set<string>> {
  return new Set((await db.selectFrom('lost_field_key').select('id').execute()).map(({ id }) => id))
}

/** Whether a key opens something of what was encrypted under its name. */
async function opensAny(trx: Transaction<DB>, keys: FieldKeys, id: string): Promise<boolean> {
  const rows = await sealedRows(trx, [id], { limit: TRIED })
  return rows.some((row) => opened(keys, row) !== undefined)
}

/** How many versions of entries each key encrypts: those of FIELD_KEYS, the newest first, then missing ones. */
export async function usesOfKeys(
  db: Kysely<DB>,
  { ids }: FieldKeys,
): Promise<{ id: string; versions: number; lost: boolean }[]> {
  const rows = await db
    .selectFrom('sealed_fields')
    .select(['key_id', sql<number>`count(*)::int`.as('versions')])
    .groupBy('key_id')
    .execute()
  const counts = new Map(rows.map(({ key_id: id, versions }) => [id, versions]))
  const lost = await lostKeys(db)
  return [...new Set([...ids, ...counts.keys()])].map((id) => ({
    ...{ id, versions: counts.get(id) ?? 0 },
    lost: lost.has(id) && !ids.includes(id),
  }))
}

/** What is lost with a key: how many entries of each register, and how many versions of them. */
export async function lossOf(
  db: Kysely<DB>,
  id: string,
): Promise<{ register: string; entries: number; versions: number }[]> {
  const { rows } = await sql<{ register: string; entries: number; versions: number }>`
    select i.register, count(distinct s.item_id)::int as entries, count(*)::int as versions
    from sealed_fields s join register_item i on i.id = s.item_id where s.key_id = ${id}
    group by i.register order by i.register`.execute(db)
  return rows
}

/**
 * Declares a key lost, as the owner of the database: the product starts without it, and what it encrypted is shown as
 * unreadable. Throws if the key is there, or if nothing is encrypted with it.
 */
export function declareLost(
  db: Kysely<DB>,
  { ids }: Pick<FieldKeys, 'ids'>,
  { id, reason, by }: { id: string; reason: string; by: string },
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    if (ids.includes(id)) throw new Error(`FIELD_KEYS has a key ${id}: take it out first, if it is not the right one.`)
    const loss = await lossOf(trx, id)
    if (loss.length === 0) throw new Error(`Nothing is encrypted with a key ${id}.`)
    if ((await lostKeys(trx)).has(id)) throw new Error(`The key ${id} is declared lost already.`)
    await trx.insertInto('lost_field_key').values({ id, reason }).execute()
    await audit(trx).record({
      actor: 'system:field-keys',
      action: 'field-key.lost',
      payload: { key: id, reason, by, loss },
    })
  })
}

/** A version of an entry as it is encrypted. */
interface SealedRow {
  item_id: string
  version: number
  register: string
  key_id: string
  sealed: Buffer
}

/** The last version that a step has looked at. */
export type Cursor = Pick<SealedRow, 'item_id' | 'version'>

/** A step of encrypting again. */
export interface Step {
  /** Versions that are under the newest key now. */
  done: number
  /** Those that do not open, by the label of each. */
  unopened: string[]
  /** Where the next step goes on; undefined at the end. */
  next: Cursor | undefined
}

/**
 * Encrypts some versions again under the newest key, as the owner of the database. Each is opened again before it is
 * kept, and readers and writers go on meanwhile; one that does not open stays as it is. Throws if the product was not
 * yet started with the newest key, because then it could not read them.
 */
export async function encryptAgain(
  db: Kysely<DB>,
  keys: FieldKeys,
  { versions, after }: { versions: number; after?: Cursor | undefined },
): Promise<Step> {
  const newest = known(keys.ids[0], 'a key')
  return db.transaction().execute(async (trx) => {
    await refuseChanged(trx, keys)
    const started = await trx.selectFrom('field_key').select('id').where('id', '=', newest).execute()
    if (started.length === 0)
      throw new Error(`start every part of the product with the key ${newest} first: now it could not read with it`)
    const rows = await rowsToMove(trx, keys, { versions, after })
    const unopened: string[] = []
    const from = new Set<string>()
    let done = 0
    for (const row of rows) {
      const plain = opened(keys, row)
      if (plain === undefined) {
        unopened.push(`${labelOf(row)} (${row.key_id})`)
        continue
      }
      const again = keys.seal(labelOf(row), plain)
      if (keys.open(labelOf(row), again.keyId, again.sealed) !== plain)
        throw new Error(`${labelOf(row)} does not open again`)
      await trx
        .updateTable('sealed_fields')
        .set({ key_id: again.keyId, sealed: again.sealed })
        .where('item_id', '=', row.item_id)
        .where('version', '=', row.version)
        .execute()
      from.add(row.key_id)
      done += 1
    }
    if (done > 0)
      await audit(trx).record({
        actor: 'system:field-keys',
        action: 'field-key.rotated',
        payload: { to: newest, from: [...from], versions: done },
      })
    return { done, unopened, next: rows.at(-1) }
  })
}

const labelOf = ({ item_id: id, register, version }: SealedRow) => sealingLabel({ id, register, version })

/** What a version says; undefined if its key does not open it. */
function opened(keys: FieldKeys, row: SealedRow): string | undefined {
  try {
    return keys.open(labelOf(row), row.key_id, row.sealed)
  } catch {
    return undefined
  }
}

/** Some versions under other keys than the newest, locked. Throws if one of those keys is missing and not lost. */
async function rowsToMove(
  trx: Transaction<DB>,
  { ids: [newest, ...older] }: FieldKeys,
  { versions, after }: { versions: number; after?: Cursor | undefined },
): Promise<SealedRow[]> {
  const [used, lost] = [(await keysInUse(trx)).filter((id) => id !== newest), await lostKeys(trx)]
  const missing = used.filter((id) => !older.includes(id) && !lost.has(id))
  if (missing.length > 0) throw new Error(`FIELD_KEYS lacks ${missing.join(', ')}: without it nothing of it opens`)
  return sealedRows(
    trx,
    used.filter((id) => older.includes(id)),
    { limit: versions, after, lock: true },
  )
}

async function sealedRows(
  trx: Transaction<DB>,
  keys: readonly string[],
  { limit, after, lock = false }: { limit: number; after?: Cursor | undefined; lock?: boolean },
): Promise<SealedRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<SealedRow>`
    select s.item_id, s.version, i.register, s.key_id, s.sealed
    from sealed_fields s join register_item i on i.id = s.item_id
    where s.key_id = any(${[...keys]})
      and (${after === undefined} or (s.item_id, s.version) > (${after?.item_id ?? null}::uuid, ${after?.version ?? null}))
    order by s.item_id, s.version limit ${limit} ${lock ? sql`for update of s` : sql``}`.execute(trx)
  return rows
}
