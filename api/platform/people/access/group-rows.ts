import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { SEES_ALL } from '../persons/person.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'

/** All groups. `holders` is counted to one above the limit, and includes people who hold every group. */
export async function listGroups(db: Kysely<DB>) {
  return db
    .selectFrom('permission_group as p')
    .leftJoin('account as c', 'c.id', 'p.changed_by')
    .select(['p.name', 'p.roles', 'p.version', 'p.changed_at', 'p.changed_by', 'c.name as changer'])
    .select(
      sql<string>`(select count(*) from (select from account a where a.active
            and exists (${held(sql`p.roles || ${SEES_ALL}::text[]`)}) limit ${COUNT_LIMIT + 1}) counted)`.as('holders'),
    )
    .orderBy('p.name')
    .execute()
}

export async function changeGroup(
  db: Kysely<DB>,
  name: string,
  version: number,
  roles: readonly string[],
  by: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('permission_group')
    .set((eb) => ({ roles: [...roles], version: eb('version', '+', 1), changed_by: by, changed_at: sql`now()` }))
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The active people who hold one of these roles now and none of those, and their number. */
export async function listHoldersOf(
  db: Kysely<DB>,
  roles: readonly string[],
  without: readonly string[],
  limit: number,
) {
  const { rows } = await sql<{ id: string; name: string; count: string }>`
        select id, name, count(*) over () as count from (
          select a.id, a.name from account a
          where a.active and exists (${held(listed(roles))}) and not exists (${held(listed(without))})
          order by a.name, a.id limit ${COUNT_LIMIT + 1}
        ) counted order by name, id limit ${limit}`.execute(db)
  return { people: rows.map(({ id, name }) => ({ id, name })), count: Number(rows[0]?.count ?? 0) }
}

function held(roles: RawBuilder<unknown>) {
  return sql`select from role_grant g where g.account_id = a.id and g.role = any(${roles})
    and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())`
}

function listed(texts: readonly string[]) {
  return sql`${[...texts]}::text[]`
}
