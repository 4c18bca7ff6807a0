import { type Kysely, sql } from 'kysely'
import { tidyNic } from '../../../../forms/platform/nic.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

/** The registers of people. */
export type PeopleRegister = 'platform/employee' | 'platform/temporary-employee' | 'platform/student'

/** A person in a register, with the account that is theirs or has their address. */
export interface KnownPerson {
  /** Id of the entry. */
  id: string
  register: PeopleRegister
  data: JsonObject
  account: { id: string; email: string; active: boolean } | null
  /** The person created the entry, so nobody has confirmed its data. */
  selfMade: boolean
}

/** Search conditions; any match counts. */
export interface Sought {
  nic?: string | undefined
  employeeId?: string | undefined
}

/** Statuses of people who belong to the university. */
const STANDING = ['Active', 'active']

/**
 * People in these registers by NIC or employee number. They are sorted by register, then matching number, then those
 * with an account, then newest.
 */
export async function findKnownPeople(
  db: Kysely<DB>,
  { nic, employeeId }: Sought,
  registers: readonly PeopleRegister[],
): Promise<KnownPerson[]> {
  const wantedNic = (nic && tidyNic(nic)) || null
  const wantedId = employeeId?.trim().toUpperCase() || null
  const { rows } = await sql<KnownPerson>`
    select i.id, i.register, i.data, a.account,
      exists (select from register_item_version v
        where v.item_id = i.id and v.version = 1 and v.changed_by = (a.account ->> 'id')::uuid) as "selfMade"
    from register_item i
    left join lateral (
      select json_build_object('id', id, 'email', email, 'active', active) as account
      from account where record_id = i.id or email = (i.data ->> 'email')::citext
      order by (record_id = i.id) desc nulls last limit 1
    ) a on true
    where i.register = any(${[...registers]}::text[]) and i.status = any(${STANDING}::text[])
      and (upper(i.data ->> 'nic') = ${wantedNic} or upper(i.data ->> 'employee_id') = ${wantedId})
    order by array_position(${[...registers]}::text[], i.register),
      (upper(i.data ->> 'employee_id') = ${wantedId}) desc nulls last, (a.account is null), i.created_at desc`.execute(
    db,
  )
  return rows
}
