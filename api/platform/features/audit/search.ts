import type { Kysely } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { Named } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { GROUP, type Person, admits, grantsMeant } from '../../people/persons/person.ts'
import type { Cell } from '../../kernel/sheets/sheet.ts'
import { cursorOf, eachItem, readCursor } from '../../kernel/paging.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { AUDITORS } from './auditors.ts'
import {
  type AuditWanted,
  listEntries,
  findCases,
  listKnownValues,
  findPeopleByName,
  listAccounts,
} from './search-repository.ts'
import { type DescribedEntry, actName, endOf, describeEntries, titleOfFlow, wordsContext } from './words.ts'
import { findEntries } from './entry-walk.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** An auditor's query; days in Colombo, both included. */
export interface AuditQuery extends Omit<AuditWanted, 'from' | 'until'> {
  from?: string | undefined
  until?: string | undefined
}

/** A page of entries, newest first. */
export interface AuditPage {
  items: DescribedEntry[]
  /** Cursor of older entries; null if there are none. */
  next: string | null
  /** Cursor of newer entries. */
  previous: string | null
  /** Not all rows were read: `next` continues further back. */
  narrow: boolean
}

/** A case as the auditor's list shows it. */
export interface FoundCase {
  id: string
  reference: string
  flow: { key: string; text: string }
  title: string
  status: Named
  requester: { id: string; name: string; registered: boolean }
  createdAt: string
  endedAt: string | null
  /** How it ended, in words. */
  end: string | null
}

/** Rows read at a time for a file. */
const BATCH = 500

export interface AuditDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
}

/** The right by which a person reads the audit trail. */
export function auditorAs(person: Person): string | null {
  const entry = `${GROUP}${AUDITORS}`
  const own = person.seesAll ? undefined : grantsMeant(person, entry)[0]
  return own?.role ?? admits(person, [entry]) ?? null
}

/* Search over audit entries and cases. Callers must have checked the auditor's right. */

/** One page, and the cursors of its neighbours. */
export async function searchEntries(
  { db, library, definitions }: AuditDependencies,
  query: AuditQuery,
  { cursor, towards = 'older', limit = 20 }: { cursor?: string; towards?: 'older' | 'newer'; limit?: number },
  language?: Language,
): Promise<AuditPage> {
  const [at, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'number'])
  const beyond = at !== undefined && id !== undefined ? { at, id } : undefined
  const wanted = wantedOf(query)
  const { ids, reached } = await findEntries(db, wanted, { beyond, towards, limit: limit + 1 })
  const more = ids.length > limit
  const rows = await listEntries(db, ids.slice(0, limit))
  const further = more ? rows.at(-1) : reached
  const onward = further ? cursorOf([further.at, further.id]) : null
  const back = beyond && rows[0] ? cursorOf([rows[0].at, rows[0].id]) : null
  const items = await describeEntries(wordsContext({ db, library, definitions }, language), rows)
  const narrow = !more && reached !== undefined
  return towards === 'older'
    ? { items, next: onward, previous: back, narrow }
    : { items: items.toReversed(), next: back, previous: onward, narrow }
}

/** Every entry of a search, read in batches. */
function walkEntries(
  context: AuditDependencies,
  query: AuditQuery,
  language?: Language,
): AsyncGenerator<DescribedEntry> {
  return eachItem((from) => searchEntries(context, query, { ...from, limit: BATCH }, language))
}

/** Entries as a sheet: file name without extension, header and rows. */
export function entriesSheet(
  { library }: AuditDependencies,
  name: string,
  rows: AsyncIterable<DescribedEntry>,
  language?: Language,
) {
  return {
    name: `${name}-${dayInColombo(new Date())}`,
    rest: library.text('platform.audit-rest', {}, language),
    head: columns.map((column) => library.text(`platform.audit-column.${column}`, {}, language)),
    async *body(): AsyncGenerator<Cell[]> {
      for await (const entry of rows)
        yield [
          { moment: new Date(entry.at) },
          entry.text,
          entry.by.name,
          entry.by.post,
          entry.authority,
          entry.for,
          entry.flow?.text ?? null,
          entry.reference,
          entry.desk?.text ?? null,
          entry.reason,
          entry.sequence === null ? null : { number: Number(entry.sequence) },
        ]
    },
  }
}

/** Matching cases, newest first. */
export async function searchCases(
  { db, library, definitions }: AuditDependencies,
  query: AuditQuery,
  { cursor, limit = 20 }: { cursor?: string; limit?: number },
  language?: Language,
): Promise<{ items: FoundCase[]; next: string | null; narrow: boolean }> {
  const [created, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'id'])
  const beyond = created !== undefined && id !== undefined ? { created, id } : undefined
  const { rows, reached } = await findCases(db, wantedOf(query), { beyond, limit: limit + 1 })
  const telling = wordsContext({ db, library, definitions }, language)
  const { words } = telling
  const page = rows.slice(0, limit)
  const items = await Promise.all(
    page.map(async (row): Promise<FoundCase> => {
      const definition = await definitions.get(row.process_definition_id)
      const { manifest } = definition
      return {
        id: row.id,
        reference: row.reference,
        flow: { key: row.flow, text: words.text(manifest.title) },
        title: words.caseTitle(manifest, row.subject),
        status: words.status(manifest, 'status', row.status),
        requester: { id: row.requester_id, name: row.requester_name, registered: row.requester_registered },
        createdAt: row.created_at.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
        end: endOf(telling, row, definition),
      }
    }),
  )
  const more = rows.length > limit
  const further = more ? page.at(-1) : reached
  return {
    items,
    next: further ? cursorOf([further.created, further.id]) : null,
    narrow: !more && reached !== undefined,
  }
}

/** Possible conditions: known actions, flows and desks, in words. */
export async function auditVocabulary({ db, library, definitions }: AuditDependencies, language?: Language) {
  const telling = wordsContext({ db, library, definitions }, language)
  const { words } = telling
  const [actions, flows, desks] = await Promise.all([
    listKnownValues(db, 'action'),
    listKnownValues(db, 'flow'),
    listKnownValues(db, 'desk'),
  ])
  const named = (keys: readonly string[], name: (key: string) => string) =>
    keys.map((key) => ({ key, text: name(key) })).toSorted((a, b) => a.text.localeCompare(b.text))
  const names = await deskNames(flows)
  return {
    actions: named(actions, (key) => actName(telling, key)),
    flows: named(flows, (key) => titleOfFlow(telling, key) ?? key),
    desks: named(desks, (key) => names.get(key) ?? key),
  }

  async function deskNames(of: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const flow of of) {
      const definition = await definitions.findLatest(flow)
      if (!definition) continue
      const { desks: drawn, names: labels } = definition.diagram
      for (const desk of drawn.keys()) found.set(desk, words.element(flow, desk, labels.get(desk)))
    }
    return found
  }
}

/** People by part of their name. */
export async function findAuditPeople(
  { db }: AuditDependencies,
  name: string,
): Promise<{ id: string; name: string; post: string | null }[]> {
  return findPeopleByName(db, name)
}

/** A person by their account. */
export async function readAuditPerson(
  { db }: AuditDependencies,
  id: string,
): Promise<{ id: string; name: string; post: string | null }> {
  const [found] = await listAccounts(db, [id])
  if (!found) throw new BusinessError('platform.not-found')
  return found
}

/** Logs that a part of the audit trail, or a case, was exported. */
export async function noteExport(
  { db }: AuditDependencies,
  person: Person,
  action: string,
  payload: JsonObject,
  caseId?: string,
): Promise<void> {
  await db.transaction().execute((trx) =>
    audit(trx).record({
      actor: person.id,
      actedAs: auditorAs(person),
      action,
      ...(caseId !== undefined && { caseId, object: `case:${caseId}` }),
      payload,
    }),
  )
}

/** A search as a sheet: file name without extension, header and rows. */
export function searchSheet(context: AuditDependencies, query: AuditQuery, language?: Language) {
  return entriesSheet(context, 'audit', walkEntries(context, query, language), language)
}

const columns = [
  'at',
  'what',
  'who',
  'post',
  'authority',
  'for',
  'flow',
  'reference',
  'desk',
  'reason',
  'sequence',
] as const

function wantedOf({ from, until, text, ...rest }: AuditQuery): AuditWanted {
  const said = text?.trim()
  return { ...rest, ...daysOf({ from, until }), ...(said && { text: said }) }
}

/** Days in Colombo, both included, as times. */
export function daysOf({ from, until }: Pick<AuditQuery, 'from' | 'until'>): { from?: Date; until?: Date } {
  return {
    ...(from !== undefined && { from: startOf(from) }),
    ...(until !== undefined && { until: new Date(startOf(until).getTime() + DAY_MS) }),
  }
}

const startOf = (day: string): Date => new Date(`${day}T00:00:00+05:30`)
