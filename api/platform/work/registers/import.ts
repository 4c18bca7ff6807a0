import { type Transaction, sql } from 'kysely'
import { postTrouble } from '../access/unit-rules.ts'
import { readUnits, unitOf } from '../../people/access/units.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { throttle } from '../../people/identity/throttle.ts'
import { type RegisterDefinition, begun } from '../../model/definitions/register.ts'
import { known } from '../../kernel/known.ts'
import type { ImportResult } from '../../records/registers/csv.ts'
import type { SeenOf } from '../../records/registers/import-cells.ts'
import { importCsv } from '../../records/registers/import.ts'
import { columnsOf, importable, templateOf } from '../../records/registers/import-columns.ts'
import { type RegistersContext, writeRegister } from './context.ts'
import { importProgress } from './import-progress.ts'
import { elsewhere, placesOf } from './places.ts'
import { listRegisterItems } from './read.ts'
import { entriesSeen } from './seen.ts'
import { findSeen, mayCreate } from './views.ts'

/** Maximum lines of a template. */
const MAX_TEMPLATE_LINES = 5000

/**
 * A CSV file with the columns that an import expects; with `template`, also a line for each entry to write about: those
 * that the field may name, and where only one item may name each, those that none does.
 */
export async function importTemplate(context: RegistersContext, person: Person, register: string): Promise<string> {
  const definition = findSeen(context, person, register)
  if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
  const { template } = definition
  const field = template === undefined ? undefined : definition.item.properties?.[template.slice(1)]
  const { 'x-register': target, 'x-statuses': statuses, 'x-unique': unique } = field ?? {}
  const also = sql<boolean>`(${statuses ?? null}::text[] is null or status = any(${statuses ?? null}))
    and (${unique !== true} or not exists (select from register_reference r join register_item i on i.id = r.item_id
      where i.register = ${register} and r.path = ${template ?? ''} and r.target_id = register_item.id))`
  const query = { inUse: statuses === undefined, limit: MAX_TEMPLATE_LINES, also }
  const named = target === undefined ? undefined : await listRegisterItems(context, person, target, query)
  return templateOf(definition, context.library, named?.items ?? [])
}

/** A file to import, values of cells that it leaves empty, by column, and whether lines with errors are left out. */
export interface ImportFile {
  csv: string
  fill?: Record<string, string>
  commit: boolean
  leaveOut?: boolean
  /** Chosen by the sender, who reads by it how far the import is. */
  progress?: string
}

/**
 * Reads a CSV file of entries and reports its errors. With `commit` it creates all entries, or none if there are errors;
 * with `leaveOut` too, it leaves out the lines with errors. Files that say of sensitive values whose they are count: who
 * sends many is refused for a while.
 */
export async function importItems(
  context: RegistersContext,
  person: Person,
  register: string,
  { csv, fill = {}, commit, leaveOut = false, progress: id }: ImportFile,
  language: Language,
): Promise<ImportResult> {
  const { db, library } = context
  const definition = findSeen(context, person, register)
  if (!mayCreate(person, definition) || !importable(definition)) throw new BusinessError('platform.not-allowed')
  if (columnsOf(definition, library).some(({ confirms }) => confirms !== undefined)) await refuseMany(db, person)
  const columns = new Set(columnsOf(definition, library).map(({ name }) => name))
  const unknown = Object.keys(fill).filter((name) => !columns.has(name))
  if (unknown.length > 0)
    throw new BusinessError(
      'platform.form-invalid',
      {},
      unknown.map((name) => ({ field: `/fill/${name}`, code: 'platform.check-additionalProperties' })),
    )
  const progress = importProgress(db, person, { id, register })
  const run = (write: boolean) =>
    writeRegister(context, register, async (own, trx, shifted) => {
      if (register === 'platform/post') shifted()
      return importCsv({
        trx,
        library,
        own,
        register,
        csv,
        fill,
        by: person.id,
        commit: write,
        leaveOut,
        refusals: refusalsFor(trx, person, register, definition),
        seenOf: seenBy(context, trx, person),
        language,
        tell: progress.tell,
      })
    })
  try {
    return await run(commit)
  } catch (error) {
    // A value was taken during the import: check again to name the line.
    if (commit && error instanceof BusinessError && error.code === 'platform.form-invalid') return await run(false)
    throw error
  } finally {
    await progress.end()
  }
}

/** Why a person may not create entries: some may only within their unit, and a post may give rights. */
function refusalsFor(trx: Transaction<DB>, person: Person, register: string, definition: RegisterDefinition) {
  return async (all: readonly JsonObject[]) => {
    const units = await readUnits(trx)
    const places = await placesOf(
      trx,
      definition,
      all.map((data) => ({ data })),
    )
    return all.map((data, index) => {
      const { field, code } = elsewhere(person, definition, places[index] ?? {}) ?? {}
      if (code !== undefined) return field === undefined ? { code: 'platform.import.elsewhere' } : { field, code }
      const post = unitOf({ id: '', register, status: begun(definition), data })
      const trouble = register === 'platform/post' ? postTrouble(person, undefined, post, units) : undefined
      return trouble === undefined ? undefined : { code: trouble }
    })
  }
}

/** The entries that a person sees of those that a file names. */
const seenBy =
  ({ library }: RegistersContext, trx: Transaction<DB>, person: Person): SeenOf =>
  async (register, targets) => {
    const definition = known(library.registers.get(register), 'the register of a column')
    const entries = targets.map((target) => ({ ...target, register }))
    const seen = await entriesSeen(trx, person, definition, entries)
    return targets.filter((_, index) => seen[index])
  }

/** Counts a file of this person, and throws if there were too many in the last hour. */
async function refuseMany(db: RegistersContext['db'], { id }: Person): Promise<void> {
  const counted = [{ kind: 'import', of: id } as const]
  await throttle(db).note(counted)
  if ((await throttle(db).level(counted)) > 0) throw new BusinessError('platform.import-too-many')
}
