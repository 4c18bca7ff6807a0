import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Permission groups, which guard pages, and the roles that hold each: `forms/platform/groups.json`. */
export function readGroups(root: string): Readonly<Record<string, readonly string[]>> {
  return JSON.parse(readFileSync(join(root, 'forms/platform/groups.json'), 'utf8')) as Record<string, string[]>
}
