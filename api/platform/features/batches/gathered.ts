import { type Transaction, sql } from 'kysely'
import { BusinessError } from '../../kernel/errors.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { textAt } from '../../model/definitions/register.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import type { Language } from '../../model/library/library.ts'
import { itemStatusText } from '../../model/library/words.ts'
import { readUnits } from '../../people/access/units.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import type { Item } from '../../records/registers/item.ts'
import type { Cases } from '../../work/cases/service.ts'
import { CasesRefused } from '../../work/cases/submit-many.ts'
import { placeOf } from '../../work/registers/places.ts'
import { type Choice as ListChoice, type EntryDependencies, chosenItems, stampOfAll } from './entries.ts'

/** Entries and cases that are left out, shown in an answer. */
const MAX_SHOWN = 100
/** Most entries at a time: each case is written while the request waits. */
export const MAX_GATHERED = 1000

export interface GatherDependencies extends EntryDependencies {
  cases: Cases
}

/** The choice of a list, without some of its entries. */
export interface Choice extends ListChoice {
  except?: readonly string[] | undefined
}

/** An entry for which nothing can be begun, and why. */
interface LeftOut {
  id: string
  title: string
  message: string
}

/** The cases that would begin for the chosen entries. */
export interface GatherPreview {
  total: number
  ready: number
  /** Changes when another entry is ready, or one has changed. */
  stamp: string
  /** One case each: what its entries have in common, in words, and how many they are. */
  cases: { status: string; titles: string[]; count: number }[]
  leftOut: LeftOut[]
}

interface Group {
  status: string
  /** Fields of the start form. */
  values: Record<string, string>
  items: Item[]
}

interface Looked {
  list: string
  field: string
  groups: Group[]
  leftOut: LeftOut[]
  total: number
}

/*
 * Starts a flow for many entries of a list at once (`gathers` of its manifest): one case for those that belong together.
 * All cases begin, or none.
 */

/** The flow as it is shipped, for those who may start it for many; 404 for everybody else. */
function findManifest({ library }: GatherDependencies, person: Person, flow: string): Manifest {
  const manifest = library.flows.get(flow)?.manifest
  if (!manifest?.gathers || admitsToStart(person, manifest) === undefined) throw new BusinessError('platform.not-found')
  return manifest
}

async function look(
  context: GatherDependencies,
  person: Person,
  flow: string,
  { except = [], ...choice }: Choice,
  language: Language,
): Promise<Looked> {
  const { db, library } = context
  const { gathers, start, startedBy, startedAt } = findManifest(context, person, flow)
  const { items: pointer, alike } = known(gathers, 'what the flow is started with')
  const [list = '', , field = ''] = pointer.slice(1).split('/')
  const rows = library.forms.get(start)?.schema.properties?.[list]
  const { 'x-register': register, 'x-statuses': statuses } = rows?.items?.properties?.[field] ?? {}
  const all = await chosenItems(context, person, known(register, `the register of ${pointer}`), choice, MAX_GATHERED)
  const found = all.filter(({ id }) => !except.includes(id))
  const units = await readUnits(db)
  const busy = await claimedAmong(context, flow, found)
  const refusalOf = (item: Item): string | undefined => {
    if (admitsToStart(person, { startedBy }, placeOf(units, item.data, item)) === undefined)
      return startedAt?.code ?? 'platform.not-allowed'
    if (busy.has(item.id)) return 'platform.item-claimed'
    if (statuses && !statuses.includes(item.status)) return 'platform.item-inactive'
    return Object.values(alike).every((from) => textAt(item.data, from) !== undefined)
      ? undefined
      : 'platform.gathered-incomplete'
  }
  const looked: Looked = { list, field, groups: [], leftOut: [], total: found.length }
  const together = new Map<string, Group>()
  for (const item of found) {
    const code = refusalOf(item)
    if (code !== undefined) {
      looked.leftOut.push({ id: item.id, title: item.title, message: library.text(code, {}, language) })
      continue
    }
    const values = Object.fromEntries(
      Object.entries(alike).map(([to, from]) => [to.slice(1), String(textAt(item.data, from))]),
    )
    const name = JSON.stringify([item.status, values])
    const group = together.get(name)
    if (group) group.items.push(item)
    else together.set(name, { status: item.status, values, items: [item] })
  }
  const most = Number(rows?.['maxItems'] ?? MAX_GATHERED)
  for (const { items, ...group } of together.values())
    for (let from = 0; from < items.length; from += most)
      looked.groups.push({ ...group, items: items.slice(from, from + most) })
  return looked
}

/** Those of the entries that a running case of the flow keeps. */
async function claimedAmong({ db }: GatherDependencies, flow: string, items: readonly Item[]): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const ids = items.map(({ id }) => id)
  const rows = await db
    .selectFrom('case_claim')
    .select('item_id')
    .where('flow', '=', flow)
    .where('item_id', 'in', ids)
    .execute()
  return new Set(rows.map(({ item_id }) => item_id))
}

const stampOf = ({ groups }: Pick<Looked, 'groups'>) =>
  stampOfAll(groups.map(({ items }) => items.map(({ id, version }) => [id, version])))

/** The cases that would begin, and who is left out and why. */
export async function previewGathered(
  context: GatherDependencies,
  person: Person,
  flow: string,
  choice: Choice,
  language: Language = 'en',
): Promise<GatherPreview> {
  const { library } = context
  const looked = await look(context, person, flow, choice, language)
  const { groups, leftOut, total } = looked
  const named = groups.flatMap(({ values }) => Object.values(values))
  const rows = await context.db
    .selectFrom('register_item')
    .select(['id', 'title'])
    .where('id', '=', sql<string>`any(${named}::uuid[])`)
    .execute()
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return {
    total,
    ready: total - leftOut.length,
    stamp: stampOf(looked),
    cases: groups.map(({ status, values, items }) => ({
      status: itemStatusText(library, status, language),
      titles: Object.values(values).map((id) => titles.get(id) ?? ''),
      count: items.length,
    })),
    leftOut: leftOut.slice(0, MAX_SHOWN),
  }
}

/** Begins the cases, if those entries are ready that their sender has seen: all of them, or none. */
export async function startGathered(
  context: GatherDependencies,
  person: Person,
  flow: string,
  { choice, stamp, data, key }: { choice: Choice; stamp: string; data: JsonObject; key: string | undefined },
  language: Language = 'en',
): Promise<{ id: string; reference: string; count: number }[]> {
  let looked: Looked | undefined
  const all = async (trx: Transaction<DB>) => {
    // Another connection would wait for one while this transaction keeps its own.
    const { groups, list, field } = (looked = await look({ ...context, db: trx }, person, flow, choice, language))
    const count = groups.reduce((sum, { items }) => sum + items.length, 0)
    if (count === 0) throw new BusinessError('platform.entries-none')
    if (stampOf(looked) !== stamp) throw new BusinessError('platform.entries-changed', { count })
    return groups.map(({ values, items }) => ({
      count: items.length,
      data: { ...data, ...values, [list]: items.map(({ id }) => ({ [field]: id })) },
    }))
  }
  findManifest(context, person, flow)
  try {
    return await context.cases.submitMany(person, { flow, request: { flow, choice, stamp, data }, key, all })
  } catch (error) {
    if (error instanceof CasesRefused && looked) throw problemOf(context, looked, error, language)
    throw error
  }
}

/** What is wrong with the answers, by field; or the entries that are refused, each with the reason. */
function problemOf(
  { library }: GatherDependencies,
  { groups, list, field }: Looked,
  { refused }: CasesRefused,
  language: Language,
): BusinessError {
  const row = new RegExp(`^/${list}/([0-9]+)/${field}$`)
  const entries = refused.flatMap(({ index, errors }) =>
    errors.flatMap((error) => {
      const item = groups[index]?.items[Number(row.exec(error.field)?.[1] ?? -1)]
      return item ? [{ item, error }] : []
    }),
  )
  // A field that the entries fill in is on no form: its error is theirs.
  const filled = new Set([list, ...groups.flatMap(({ values }) => Object.keys(values))])
  const ofAll = refused.flatMap(({ index, errors }) => {
    const error = errors.find((one) => filled.has(one.field.split('/')[1] ?? '') && !row.test(one.field))
    return error ? (groups[index]?.items ?? []).map((item) => ({ item, error })) : []
  })
  entries.push(...ofAll.filter(({ item }) => !entries.some((one) => one.item.id === item.id)))
  if (entries.length === 0) {
    const errors = refused.flatMap((one) => one.errors)
    const first = errors.filter(
      ({ field: at, code }, n) => n === errors.findIndex((e) => e.field === at && e.code === code),
    )
    return new BusinessError('platform.form-invalid', {}, first)
  }
  const told = entries.map(({ item: { id, title }, error: { code, values = {} } }) => ({
    ...{ id, title, message: library.text(code, values, language) },
  }))
  return new BusinessError('platform.gathered-refused', { count: told.length }, [], { refused: told })
}
