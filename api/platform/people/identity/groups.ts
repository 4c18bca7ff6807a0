import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * Initial permission groups with their roles: `forms/platform/groups.json`. ADMIN and SA hold every group, so no list
 * contains them.
 */
export function readGroups(root: string): Readonly<Record<string, readonly string[]>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the wiring check tests the file
  return JSON.parse(readFileSync(join(root, 'forms/platform/groups.json'), 'utf8')) as Record<string, string[]>
}

/** Creates missing groups; existing ones stay as an administrator has set them. */
export async function seedGroups(db: Kysely<DB>, groups: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await sql`insert into permission_group (name, roles)
    select key, array(select jsonb_array_elements_text(value)) from jsonb_each(${JSON.stringify(groups)}::jsonb)
    on conflict do nothing`.execute(db)
}
