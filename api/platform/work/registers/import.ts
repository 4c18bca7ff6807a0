import { postTrouble } from '../access/unit-rules.ts'
import { readUnits, unitOf } from '../../people/access/units.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { inUse } from '../../model/definitions/register.ts'
import type { ImportResult } from '../../records/registers/csv.ts'
import { importCsv } from '../../records/registers/import.ts'
import { importable, templateOf } from '../../records/registers/import-columns.ts'
import { type RegistersContext, writeRegister } from './context.ts'
import { findSeen, mayCreate, placeOf } from './views.ts'

/** A file with nothing but the columns that an import takes. */
export function importTemplate(context: RegistersContext, person: Person, register: string): string {
  const definition = findSeen(context, person, register)
  if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
  return templateOf(definition)
}

/** Reads a CSV file of items, tells what is wrong with it, and makes all of them if nothing is and it is wanted. */
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
      const refusal = (data: JsonObject) => {
        if (admits(person, definition.changedBy, placeOf(units, data)) === undefined) return 'platform.import.elsewhere'
        if (register !== 'platform/post') return undefined
        return postTrouble(person, undefined, unitOf({ id: '', register, status: inUse(definition), data }), units)
      }
      if (register === 'platform/post') shifted()
      return importCsv({ trx, library, own, register, csv, by: person.id, commit: write, refusal, language })
    })
  try {
    return await run(commit)
  } catch (error) {
    // Somebody took a value while this was being written: another look names the line.
    if (commit && error instanceof BusinessError && error.code === 'platform.form-invalid') return run(false)
    throw error
  }
}
