import { postTrouble } from '../access/unit-rules.ts'
import { readUnits, unitOf } from '../../people/access/units.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { ImportResult } from '../../records/registers/csv.ts'
import { importCsv } from '../../records/registers/import.ts'
import { importable, templateOf } from '../../records/registers/import-columns.ts'
import { type RegistersContext, writeRegister } from './context.ts'
import { elsewhere, placesOf } from './places.ts'
import { findSeen, mayCreate } from './views.ts'

/** A CSV file with only the header that an import expects. */
export function importTemplate(context: RegistersContext, person: Person, register: string): string {
  const definition = findSeen(context, person, register)
  if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
  return templateOf(definition, context.library)
}

/**
 * Reads a CSV file of entries and reports its errors. If there are none and `commit` is set, it creates all entries.
 */
export async function importItems(
  context: RegistersContext,
  person: Person,
  register: string,
  csv: string,
  commit: boolean,
  language: Language,
): Promise<ImportResult> {
  const { library } = context
  const definition = findSeen(context, person, register)
  if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
  const run = (write: boolean) =>
    writeRegister(context, register, async (own, trx, shifted) => {
      const units = await readUnits(trx)
      const refusals = async (all: readonly JsonObject[]) => {
        const places = await placesOf(
          trx,
          definition,
          all.map((data) => ({ data })),
        )
        return all.map((data, index) => {
          const { field, code } = elsewhere(person, definition, places[index] ?? {}) ?? {}
          if (code !== undefined) return field === undefined ? { code: 'platform.import.elsewhere' } : { field, code }
          const post = unitOf({ id: '', register, status: inUse(definition), data })
          const trouble = register === 'platform/post' ? postTrouble(person, undefined, post, units) : undefined
          return trouble === undefined ? undefined : { code: trouble }
        })
      }
      if (register === 'platform/post') shifted()
      return importCsv({ trx, library, own, register, csv, by: person.id, commit: write, refusals, language })
    })
  try {
    return await run(commit)
  } catch (error) {
    // A value was taken during the import: check again to name the line.
    if (commit && error instanceof BusinessError && error.code === 'platform.form-invalid') return run(false)
    throw error
  }
}
