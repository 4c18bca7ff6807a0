import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, type Transaction, sql } from 'kysely'
import { dayInColombo, endOfDay } from '../../kernel/colombo.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { DocumentDefinition } from '../../model/definitions/document.ts'
import { type PaperOfEntry, type RegisterDefinition, at, inUse, textAt } from '../../model/definitions/register.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { itemInUse } from '../registers/in-use.ts'
import type { Item } from '../registers/item.ts'
import { reportedAt } from '../registers/reported.ts'
import { barsOf } from './code-39.ts'
import { printed, printedCode } from './render.ts'
import type { Verified } from './verification.ts'

const layout = join(import.meta.dirname, 'card.typ')

/** The layout of cards. */
export const cardLayout = (): string => readFileSync(layout, 'utf8')

/** What the layout prints: a card on a page per side, or only one side of it, or many cards on sheets of A4. */
export interface CardPages {
  cards: object[]
  side: 'front' | 'back' | null
  sheet: DocumentDefinition['sheet'] | null
}

/** What is printed of a register entry. */
interface PrintedEntry {
  item: Item
  definition: DocumentDefinition
  /** Finds the value at a pointer, following references. */
  valueAt: (pointer: string) => Promise<unknown>
  /** The name of its picture, if there is one. */
  picture: string | null
  /** It is no valid paper: printed across it. */
  isVoid: boolean
}

/** A register entry for the layout of cards, with its code, which is made when it is printed first. */
export async function cardOfEntry(
  trx: Transaction<DB>,
  { item, definition, valueAt, picture, isVoid }: PrintedEntry,
  { library, publicUrl }: { library: Pick<Library, 'text'>; publicUrl: string },
): Promise<object> {
  const { text } = library
  const code = await codeOf(trx, item.id)
  const rows = []
  for (const { label, value, or, format, strong = false } of definition.rows) {
    const named = await valueAt(value)
    const found = isBlank(named) && or !== undefined ? await valueAt(or) : named
    if (!isBlank(found)) rows.push({ label: text(label), value: printed(found, format, item.data), strong })
  }
  const number = String(at(item.data, known(definition.barcode, 'the bar code of a card')))
  return {
    title: Object.fromEntries(languages.map((language) => [language, text(definition.title, {}, language)])),
    number,
    holder: String(at(item.data, known(definition.holder, 'the holder of a card'))),
    rows,
    notes: (definition.notes ?? []).flatMap((note) => languages.map((language) => text(note, {}, language))),
    bars: barsOf(number),
    verify: printedCode(library, { code, address: `${publicUrl}/verify/${code}` }),
    letterhead: (await itemInUse(trx, 'platform/letterhead')) ?? {},
    void: isVoid ? text('platform.document-void') : null,
    noPicture: text('platform.paper.no-picture'),
    picture,
  }
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** The code of an entry's papers: 128 random bits, the same for all of them. */
async function codeOf(trx: Transaction<DB>, item: string): Promise<string> {
  await trx
    .insertInto('item_code')
    .values({ item_id: item, code: randomBytes(16).toString('hex') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { code } = await trx
    .selectFrom('item_code')
    .select('code')
    .where('item_id', '=', item)
    .executeTakeFirstOrThrow()
  return code
}

/** The papers of register entries that have a code; undefined if no entry has it. */
export async function findVerifiedEntry(
  db: Kysely<DB>,
  { registers, documents }: Pick<Library, 'registers' | 'documents'>,
  code: string,
): Promise<Verified | undefined> {
  const row = await db
    .selectFrom('item_code as c')
    .innerJoin('register_item as i', 'i.id', 'c.item_id')
    .select(['i.register', 'i.title', 'i.status', 'i.data', 'i.created_at', 'i.changed_at'])
    .select(sql<Date>`now()`.as('now'))
    .where('c.code', '=', code)
    .executeTakeFirst()
  const register = registers.get(row?.register ?? '')
  if (!row || !register?.paper) return undefined
  const { document, from } = register.paper
  const reported = row.status === inUse(register) ? await reportedAt(db, registers, register, row) : undefined
  const { state, endedAt } = reported
    ? { state: 'reported' as const, endedAt: reported }
    : stateOf(register, register.paper, row)
  const isReplaced = state === 'withdrawn' && (await standsAnother(db, register, row))
  return {
    kind: document,
    number: row.title,
    holder: textAt(row.data, documents.get(document)?.holder ?? '') ?? '',
    issuedAt: new Date(`${textAt(row.data, from)}T00:00:00+05:30`),
    signedBy: [],
    state: isReplaced ? 'replaced' : state,
    endedAt,
    sha256: null,
  }
}

/**
 * Whether an entry that was handed over, in use or not, names this one as the one that it stands for (`paper.replaces`):
 * a version of it is neither `not-yet` nor final.
 */
async function standsAnother(
  db: Kysely<DB>,
  definition: RegisterDefinition,
  { register, title }: { register: string; title: string },
): Promise<boolean> {
  const { replaces, states = {} } = definition.paper ?? {}
  if (replaces === undefined) return false
  const { statuses, final = [] } = definition
  const given = statuses.filter((status) => states[status] !== 'not-yet' && !final.includes(status))
  const { rows } = await sql`select from register_item i
    where i.register = ${register} and i.data ->> ${replaces.slice(1)} = ${title} and exists (
      select from register_item_version v where v.item_id = i.id and v.status = any(${given}::text[])) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

function stateOf(
  register: RegisterDefinition,
  { until, states = {} }: PaperOfEntry,
  { status, data, changed_at, now }: { status: string; data: JsonObject; changed_at: Date; now: Date },
): Pick<Verified, 'state' | 'endedAt'> {
  if (status !== inUse(register)) {
    const state = states[status] ?? 'withdrawn'
    return { state, endedAt: state === 'not-yet' ? null : changed_at }
  }
  const last = until && textAt(data, until)
  if (last && last < dayInColombo(now)) return { state: 'expired', endedAt: new Date(endOfDay(last)) }
  return { state: 'valid', endedAt: null }
}
