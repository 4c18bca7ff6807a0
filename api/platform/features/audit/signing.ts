import { sign } from 'node:crypto'
import { type Transaction, sql } from 'kysely'
import { checkpointText } from '../../kernel/audit/format.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type SigningKey, keysIn, pemOf } from '../../kernel/keys.ts'
import { headOf } from './chain-repository.ts'
import type { SignedHead, SignedHeadMemory } from './signed-head.ts'

/** The signing key, and the memory of what was signed. */
export interface Signer {
  key: SigningKey
  memory?: SignedHeadMemory | undefined
}

/** Signs the head of the chain; undefined if there is none, or it is signed already. */
export async function signHead(trx: Transaction<DB>, { key, memory }: Signer): Promise<SignedHead | undefined> {
  const head = await headOf(trx)
  if (!head) return undefined
  await makeKeyKnown(trx, key)
  const last = await trx
    .selectFrom('audit_checkpoint')
    .select((eb) => sql<string>`coalesce(${eb.fn.max('sequence')}, 0)::text`.as('sequence'))
    .where('sequence', '<=', head.sequence)
    .executeTakeFirstOrThrow()
  const stamped = { sequence: String(head.sequence), hash: head.hash.toString('hex'), before: last.sequence }
  const { sequence, hash, before } = stamped
  // It is signed already.
  if (before === sequence) return undefined
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('audit_checkpoint')
    .values({
      sequence,
      hash: head.hash,
      before,
      key_id: key.id,
      signature: sign(null, checkpointText(stamped), key.privateKey),
    })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? { sequence, hash, ...(await keysWith(trx, { key, memory })) } : undefined
}

/** Stores the public key with its signatures, so that they can be verified after a change of keys. */
async function makeKeyKnown(trx: Transaction<DB>, key: SigningKey): Promise<void> {
  await trx
    .insertInto('audit_key')
    .values({ id: key.id, public_key: pemOf(key) })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** Earlier signing keys and this one; the database counts only if nothing is remembered. */
async function keysWith(
  trx: Transaction<DB>,
  { key, memory }: Signer,
): Promise<Required<Pick<SignedHead, 'keys' | 'publicKeys'>>> {
  const before = memory?.read()
  const rows = await trx.selectFrom('audit_key').select(['id', 'public_key']).orderBy('at').execute()
  const ids = before ? [...before.keys, key.id] : rows.map(({ id }) => id)
  const known = rows.filter((row) => ids.includes(row.id) && keysIn(row.public_key).has(row.id))
  return {
    keys: [...new Set(ids)],
    publicKeys: {
      ...Object.fromEntries(known.map((row) => [row.id, row.public_key])),
      ...before?.publicKeys,
      [key.id]: pemOf(key),
    },
  }
}
