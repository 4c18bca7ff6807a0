import { type Kysely, sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { type OwedEntry, at, pathOf } from '../../model/definitions/register.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import { itemTitles } from '../rows/items.ts'

/** Maximum of what is read of one register or flow. */
const MAX_OWED = 100

/** Something that a person still has to give back or settle. */
export interface Owed {
  id: string
  /** The register or flow. */
  kind: string
  /** What it is, in words of the reader. */
  what: string
  title: string
  /** Name of who owes it. */
  person: string
  /** The day by which it is given back. */
  due: string | null
}

/** Whose it is: own entries in a register of people. `of` limits it to some registers and flows. */
interface OwedAsked {
  people: readonly string[]
  of?: readonly string[] | undefined
  language?: Language | undefined
  now?: Date
}

/** What these people still have to give back or settle, as registers (`owed`) and flows (`owes`) declare it. */
export async function owedBy(
  db: Kysely<DB>,
  library: Library,
  { people, of, language, now = new Date() }: OwedAsked,
): Promise<Owed[]> {
  if (people.length === 0) return []
  const asked = (key: string) => of === undefined || of.includes(key)
  const words = wordsOf(library, language)
  const entries = [...library.registers].flatMap(([key, definition]) =>
    definition.owed && asked(key) ? [entriesOwed(db, key, definition.owed, { people, now })] : [],
  )
  const found = (await Promise.all(entries)).flat()
  const flows = [...library.flows.values()].filter(({ key, manifest }) => manifest.owes && asked(key))
  const cases = (
    await Promise.all(flows.map(({ key, manifest }) => casesOwed(db, key, manifest.owes?.in ?? [], people)))
  ).flat()
  const titles = await itemTitles(
    db,
    found.flatMap(({ told }) => told),
  )
  return [
    ...found.map(({ id, kind, title, person, due, told }) => ({
      ...{ id, kind, person, due },
      what: words.text(library.registers.get(kind)?.item.title ?? kind),
      title: [title, ...told.map((value) => titles.get(value) ?? value)].join(' · '),
    })),
    ...cases.map(({ id, kind, title, person }) => ({
      ...{ id, kind, title, person, due: null },
      what: words.text(library.flows.get(kind)?.manifest.title ?? kind),
    })),
  ]
}

interface Found {
  id: string
  kind: string
  title: string
  person: string
  due: string | null
  /** Values of the fields that say what it is; some are ids of entries. */
  told: string[]
}

async function entriesOwed(
  db: Kysely<DB>,
  kind: string,
  { by, in: statuses, with: told = [], due, lapses }: OwedEntry,
  { people, now }: { people: readonly string[]; now: Date },
): Promise<Found[]> {
  const dueAt = due === undefined ? sql<null>`null::text` : sql<string | null>`i.data #>> ${pathOf(due)}::text[]`
  const { rows } = await sql<{ id: string; title: string; data: JsonObject; person: string; due: string | null }>`
    select distinct i.id, i.title, i.data, p.title as person, ${dueAt} as due
    from register_reference r join register_item i on i.id = r.item_id join register_item p on p.id = r.target_id
    where r.path = any(${[...by]}::text[]) and r.target_id = any(${[...people]}::uuid[])
      and i.register = ${kind} and i.status = any(${[...statuses]})
      and (not ${lapses === true} or coalesce(${dueAt}, 'z') >= ${dayInColombo(now)})
    order by p.title, i.title, i.id limit ${MAX_OWED}`.execute(db)
  return rows.map(({ data, ...row }) => ({
    ...{ ...row, kind },
    told: told.map((field) => at(data, field)).flatMap((value) => (isBlank(value) ? [] : [String(value)])),
  }))
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

async function casesOwed(
  db: Kysely<DB>,
  kind: string,
  statuses: readonly string[],
  people: readonly string[],
): Promise<Omit<Found, 'told' | 'due'>[]> {
  const rows = await db
    .selectFrom('flow_case as c')
    .innerJoin('account as a', 'a.id', 'c.requester_id')
    .innerJoin('register_item as p', 'p.id', 'a.record_id')
    .select(['c.id', 'c.reference as title', 'p.title as person'])
    .where('c.flow', '=', kind)
    .where('c.state', '=', 'running')
    .where('c.withdrawn_at', 'is', null)
    .where('c.status', 'in', [...statuses])
    .where('p.id', 'in', [...people])
    .orderBy('c.reference')
    .limit(MAX_OWED)
    .execute()
  return rows.map((row) => ({ ...row, kind }))
}

/** The fields of what is owed, as a case shows them. */
export const OWED_SCHEMA: JsonObject = {
  type: 'object',
  'x-order': ['what', 'title', 'person', 'due'],
  properties: {
    what: { type: 'string', title: 'platform.owed.what' },
    title: { type: 'string', title: 'platform.owed.which' },
    person: { type: 'string', title: 'platform.owed.person' },
    due: { type: 'string', format: 'date', title: 'platform.owed.due' },
  },
}
