import { type RawBuilder, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import { type RegisterDefinition, namedBy } from '../../model/definitions/register.ts'

/**
 * The ids of entries that name one of these by one of the fields, as a set for `in`. It reads the index of references
 * instead of every entry of a register.
 */
export function naming(fields: readonly string[], named: readonly string[] | RawBuilder<string>): RawBuilder<string> {
  const targets = Array.isArray(named) ? sql`any(${named.filter((id) => isUuid(id))}::uuid[])` : sql`any(${named})`
  return sql`(select r.item_id from register_reference r
    where r.path = any(${[...fields]}::text[]) and r.target_id = ${targets})`
}

// The ids of entries that name this one in a row of a list: `/subjects/*/subject`.
export function namingInRows(field: string, named: string): RawBuilder<string> {
  const path = `^${field.replaceAll('*', '[0-9]+')}$`
  return sql`(select r.item_id from register_reference r
    where r.target_id = any(${isUuid(named) ? [named] : []}::uuid[]) and r.path ~ ${path})`
}

/** Whether a field names who an entry is about or belongs to: of the many entries of a register, few name the same. */
export function isOwnerField({ own, belongsTo }: RegisterDefinition, field: string): boolean {
  return belongsTo?.split('#')[0] === field || (own !== undefined && namedBy(own).includes(field))
}
