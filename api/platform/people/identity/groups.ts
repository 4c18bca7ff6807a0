import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { readJson } from '../../kernel/json-file.ts'

/**
 * Initial permission groups with their roles: `forms/platform/groups.json`. ADMIN and SA hold every group, so no list
 * contains them.
 */
export function readGroups(root: string): Readonly<Record<string, readonly string[]>> {
  return readJson(join(root, 'forms/platform/groups.json'))
}

/** Creates missing groups; existing ones stay as an administrator has set them. */
export async function seedGroups(db: Kysely<DB>, groups: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await sql`insert into permission_group (name, roles)
    select key, array(select jsonb_array_elements_text(value)) from jsonb_each(${JSON.stringify(groups)}::jsonb)
    on conflict do nothing`.execute(db)
}
