import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import { isObject } from '../../kernel/objects.ts'
import { type RegisterDefinition, encryptedNames } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import type { ItemAt } from './item.ts'

/** The data of an entry as it is stored: what the row holds, and what is encrypted apart from it. */
export function split({ item }: Pick<RegisterDefinition, 'item'>, data: JsonObject) {
  const names = new Set(encryptedNames(item))
  const of = (wanted: boolean): JsonObject =>
    Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name) === wanted))
  return { plain: of(false), secret: of(true) }
}

/** The label under which a version of an entry is sealed, so that no other row opens with it. */
export const sealingLabel = ({ id, register, version }: ItemAt) => `${register} ${id} ${version}`

/** Encrypted fields of entries. Each version is kept, and none gets other values. */
export function sealedFields(trx: Transaction<DB>, keys: FieldKeys) {
  return {
    async write(entry: ItemAt, secret: JsonObject): Promise<void> {
      const { keyId, sealed } = keys.seal(sealingLabel(entry), JSON.stringify(secret))
      await trx
        .insertInto('sealed_fields')
        .values({ item_id: entry.id, version: entry.version, key_id: keyId, sealed })
        .execute()
    },

    /** Whether nobody can read the newest values of an entry any more, because their key is declared lost. */
    async isLost(id: string): Promise<boolean> {
      const { rows } = await sql<{ key_id: string }>`
        select k.id as key_id from (
          select key_id from sealed_fields where item_id = ${id}::uuid order by version desc limit 1
        ) s join lost_field_key k on k.id = s.key_id`.execute(trx)
      return rows.some(({ key_id: keyId }) => !keys.ids.includes(keyId))
    },

    /** The newest values of these entries of a register, by id; none for an entry whose key is declared lost. */
    async read(register: string, ids: readonly string[]): Promise<Map<string, JsonObject>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<{ item_id: string; version: number; key_id: string; sealed: Buffer; lost: boolean }>`
        select distinct on (s.item_id) s.item_id, s.version, s.key_id, s.sealed, k.id is not null as lost
        from sealed_fields s left join lost_field_key k on k.id = s.key_id
        where s.item_id = any(${[...ids]}::uuid[])
        order by s.item_id, s.version desc`.execute(trx)
      return new Map(
        rows.flatMap(({ item_id: id, version, key_id: keyId, sealed, lost }) => {
          if (lost && !keys.ids.includes(keyId)) return []
          const opened: unknown = JSON.parse(keys.open(sealingLabel({ id, register, version }), keyId, sealed))
          if (!isObject(opened)) throw new Error(`the encrypted fields of ${id} are no object`)
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was sealed is JSON
          return [[id, opened as JsonObject] as const]
        }),
      )
    },
  }
}

/** Tells the database which fields no row may hold in plain text. */
export async function declareEncryptedFields(
  trx: Transaction<DB>,
  { registers }: Pick<Library, 'registers'>,
): Promise<void> {
  const fields = [...registers].flatMap(([register, { item, sealed }]) =>
    encryptedNames(item).map((field) => ({ register, field, about: sealed?.about ?? null })),
  )
  if (fields.length === 0) return
  await trx
    .insertInto('encrypted_field')
    .values(fields)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
