import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import type { AfterChange } from '../../work/registers/context.ts'

/** Registers the routes of an area beside the generic ones: the default export of `api/<area>/routes.ts`. */
export type AreaRoutes = (
  app: App,
  dependencies: {
    db: Kysely<DB>
    library: Library
    fieldKeys: FieldKeys
    publicUrl: string
    /** Where an area says what it does once people have changed an entry of one of its registers. */
    afterChange: Map<string, AfterChange>
  },
) => void

const folder = join(import.meta.dirname, '../../..')

/** The routes of all areas that have some, by name. */
export async function areaRoutes(): Promise<AreaRoutes[]> {
  const files = readdirSync(folder)
    .filter((area) => area !== 'platform')
    .toSorted()
    .map((area) => join(folder, area, 'routes.ts'))
    .filter((file) => existsSync(file))
  return Promise.all(
    files.map(async (file) => {
      const module: { default?: unknown } = await import(pathToFileURL(file).href)
      if (!isAreaRoutes(module.default)) throw new Error(`${file} has no routes as its default export`)
      return module.default
    }),
  )
}

function isAreaRoutes(value: unknown): value is AreaRoutes {
  return typeof value === 'function'
}
