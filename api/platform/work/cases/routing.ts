import type { Kysely } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import { endOfDay } from '../../kernel/colombo.ts'
import { workingDays } from '../../records/calendar/working-days.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import { type Manifest, REQUESTER, scopesOf, serverVariables } from '../../model/definitions/manifest.ts'
import { type NamedItems, type FindItem, resolve, valueAt, partsOf } from '../../model/definitions/named.ts'
import { type FieldSchema, at, leaves } from '../../model/definitions/register.ts'

const scopeId = /^[A-Za-z0-9-]+$/
/** Kinds of units whose ids every case has as variables; `none` if it has no such unit. */
const kinds = ['faculty', 'department', 'division']

/**
 * The units that a case belongs to: name → id. Of several pointers, the first with a value counts. Ids become part of
 * principals, so only well-formed ids pass.
 */
export async function scopeOf(
  manifest: Manifest,
  data: unknown,
  items: NamedItems,
  find: FindItem,
): Promise<Record<string, string>> {
  const scope: Record<string, string> = {}
  for (const { name, pointers } of scopesOf(manifest))
    for (const pointer of pointers) {
      const id = await unitAt(pointer, data, items, find)
      if (id === undefined) continue
      scope[name] = id
      break
    }
  return scope
}

/** The unit at the end of a pointer that leads from entry to entry; undefined if an entry names none. */
async function unitAt(pointer: string, data: unknown, items: NamedItems, find: FindItem): Promise<string | undefined> {
  const id = await valueAt(pointer, data, items, find)
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id !== 'string' || !scopeId.test(id) || id === 'none') throw new Error(`${pointer} does not name a unit`)
  return id
}

/**
 * The fields of the start form that must not change: those that decide the case's units, its one-per-requester key, and
 * when it was open.
 */
export function fixedFieldsOf(manifest: Manifest): string[] {
  const pointers = scopesOf(manifest).flatMap((scope) => scope.pointers)
  const { once, open, run } = manifest
  const named = [
    ...(once?.per === undefined ? [] : [once.per]),
    ...(open ? [open.from, open.until] : []),
    ...(run ? [run.scheme, run.month] : []),
  ]
  const fields = [...pointers, ...named].map((one) => partsOf(one)[0])
  return [...new Set(fields)].filter((field) => field !== REQUESTER)
}

/** What people recognise a case by. */
export function subjectOf(manifest: Manifest, data: unknown, items: NamedItems): JsonObject {
  const found = Object.entries(manifest.subject ?? {}).map(
    ([name, pointer]) => [name, resolve(pointer, data, items)] as const,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- forms and entries, where it comes from, are JSON
  return Object.fromEntries(found) as JsonObject
}

/** The amount of a case in cents; null if it has none, or if it is not known yet. */
export function amountOf({ amount }: Manifest, data: unknown, derived: Variables): number | null {
  if (amount === undefined) return null
  const value = (amount.startsWith('/') ? at(data, amount) : derived[amount]) ?? null
  if (value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`${amount} is not an amount in cents`)
  return value
}

/** What the inbox can be filtered by: fields marked `x-filter`, except sensitive ones. */
export function filtersOf(schema: FieldSchema, data: unknown): Record<string, string> {
  const marked = leaves(schema, data).filter(
    ({ schema: field }) => field['x-filter'] === true && field['x-sensitive'] !== true,
  )
  return Object.fromEntries(marked.map(({ path, value }) => [path.slice(1), String(value)]))
}

/** Null for each field that becomes a process variable, for a form that is sent again. */
export function emptyVariablesOf({ properties = {} }: FieldSchema): Variables {
  const marked = Object.entries(properties).filter(([, field]) => field['x-variable'] === true)
  return Object.fromEntries(marked.map(([name]) => [name, null]))
}

/** The values of a form that become process variables, by field name; lists become `a,b,c`. */
export function variablesOf(schema: FieldSchema, data: unknown): Variables {
  const sent = isObject(data) ? data : {}
  const marked = Object.entries(schema.properties ?? {}).filter(([, field]) => field['x-variable'] === true)
  return Object.fromEntries(
    marked.flatMap(([name]) => {
      // The library rejects such forms when it loads, but a form that an owner deployed did not pass that check.
      if (serverVariables.test(name)) throw new Error(`a form cannot set ${name}`)
      const value = sent[name]
      return value === undefined || value === null
        ? []
        : [[name, Array.isArray(value) ? value.join(',') : scalarOf(value, name)]]
    }),
  )
}

/**
 * The variables that a flow's rules derived, as far as the manifest of the case names them: rules may know more than the
 * version with which the case began. One that the manifest names is never missing, because the diagram may read it.
 */
export function derivedVariablesOf(manifest: Manifest, derived: Variables): Variables {
  const missing = (manifest.derives ?? []).filter((name) => !(name in derived))
  if (missing.length > 0) throw new Error(`the rules do not derive ${missing.join(', ')}, which the manifest names`)
  return someDerivedVariablesOf(manifest, derived)
}

/** The variables that the rules of an act derived: a subset of those the manifest names. */
export function someDerivedVariablesOf({ derives = [] }: Manifest, derived: Variables): Variables {
  return Object.fromEntries(Object.entries(derived).filter(([name]) => derives.includes(name)))
}

/** The values that the manifest takes from the data or the entries; nothing if there is none. */
export function knownVariablesOf({ variables = {} }: Manifest, data: unknown, items: NamedItems): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { at: pointer, as, days = 0 }]) => {
      const value = resolve(pointer, data, items) ?? null
      if (value === null) return [name, null]
      const scalar = scalarOf(value, pointer)
      return [name, as === undefined ? scalar : endOfDay(String(scalar), days)]
    }),
  )
}

function scalarOf(value: unknown, where: string): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error(`${where} is not a scalar, so no variable can have it`)
}

/** Variables that only the server sets; `none` if the case has no such unit. */
export function serverVariablesOf(
  manifest: Manifest,
  { caseId, requesterId, scope }: { caseId: string; requesterId: string; scope: Record<string, string> },
): Variables {
  const names = new Set([...kinds, ...scopesOf(manifest).map(({ name }) => name)])
  const units = [...names].map((name) => [`${name}Id`, scope[name] ?? 'none'])
  return { caseId, requesterId, ...Object.fromEntries(units) }
}

/** Deadlines from now, `workday1` and `workday3`: a diagram can use no others. */
export async function deadlinesOf(db: Kysely<DB>, now: Date): Promise<Variables> {
  const calendar = workingDays(db, now)
  const ends = [1, 3].map(async (n) => [`workday${n}`, await calendar.endOf(n)] as const)
  return Object.fromEntries(await Promise.all(ends))
}

/** Files that a form names. */
export function filesOf(schema: FieldSchema, data: unknown): { path: string; id: string }[] {
  return leaves(schema, data).flatMap(({ path, schema: field, value }) =>
    field['x-widget'] === 'file' && !field['readOnly'] && typeof value === 'string' ? [{ path, id: value }] : [],
  )
}
