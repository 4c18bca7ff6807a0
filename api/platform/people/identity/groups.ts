import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * Permission groups as they are at first, with the roles that hold each: `forms/platform/groups.json`. ADMIN and SA hold
 * every group and are therefore in none of the lists.
 */
export function readGroups(root: string): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(join(root, 'forms/platform/groups.json'), 'utf8')) as Record<string, string[]>
}

/** Makes the groups that are not there yet; the others are as an administrator has left them. */
export async function seedGroups(db: Kysely<DB>, groups: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await sql`insert into permission_group (name, roles)
    select key, array(select jsonb_array_elements_text(value)) from jsonb_each(${JSON.stringify(groups)}::jsonb)
    on conflict do nothing`.execute(db)
}
