import dayjs from 'dayjs'
import { type Transaction, sql } from 'kysely'
import { writtenDay } from '../../kernel/colombo.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type LetterField, type LetterTemplate, placeholdersOf } from '../../model/definitions/document.ts'
import { REQUESTER } from '../../model/definitions/manifest.ts'
import { type RegisterDefinition, at, inUse, pathOf, textAt } from '../../model/definitions/register.ts'
import { type Language, type Library, languages } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { asCertified } from '../../records/registers/last-in-use.ts'
import { findAnyItem } from '../rows/items.ts'
import { type NamedItem, valueAt } from '../../model/definitions/named.ts'

/** What a letter is written from. */
export interface LetterContent {
  found: { reference: string; flow: string; requesterId: string }
  data: JsonObject
  number: string
  /** The day of issue. */
  today: string
  /** Fields that the document needs besides those that the text names. */
  needs: readonly string[]
}

/** The words of a letter; `entry` is the content of the register entry that they come from. */
export interface WrittenLetter {
  entry: JsonObject
  /** What the document keeps, and prints. */
  printed: { letter: JsonObject; fields: JsonObject; number: string; validUntil?: string }
}

/**
 * Writes a letter: the text that its entry has in the language asked for, with the values that the registers hold now.
 * Throws `platform.letter-incomplete` if a field that the text names has no value, and `platform.letter-not-in-use` if
 * the requester's own entry or that of the text is not in use in its register.
 */
export async function writeLetter(
  trx: Transaction<DB>,
  library: Library,
  template: LetterTemplate,
  content: LetterContent,
): Promise<WrittenLetter> {
  const { found, data, number, today, needs } = content
  const language = languages.find((one) => one === at(data, template.language)) ?? 'en'
  const own = await findOwnEntry(trx, found.requesterId)
  const source: Source = { trx, library, data, flow: found.flow, language, own }
  const text = await findAnyItem(trx, String(await lookedUp(source, template.entry)))
  for (const used of [own, text]) refuseUnused(library, used)
  const entry = text?.data ?? {}
  const inLanguage = (pointer: string, of: Language) => textAt(entry, pointer.replace('{language}', of)) ?? ''
  const months = template.validMonths && at(entry, template.validMonths)
  const validUntil = typeof months === 'number' ? dayjs(today).add(months, 'month').format('YYYY-MM-DD') : undefined
  const fields: JsonObject = {
    ...(await valuesOf(source, template.fields)),
    ...{ reference: found.reference, number, issued_on: writtenDay(today) },
    ...(validUntil !== undefined && { valid_until: writtenDay(validUntil) }),
  }
  const body = inLanguage(template.body, language)
  const named = placeholdersOf(body)
  const missing = named.filter((name) => !(name in fields))
  if (missing.length > 0 || body === '')
    throw new BusinessError('platform.letter-incomplete', { fields: missing.join(', ') || template.body })
  const written = body.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => String(fields[name]))
  const letter = {
    language,
    titles: Object.fromEntries(languages.map((one) => [one, inLanguage(template.title, one)])),
    paragraphs: written.split(/\n\s*\n/).map((one) => one.trim()),
  }
  const used = new Set([...named, ...needs])
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => used.has(name)))
  return { entry, printed: { letter, fields: kept, number, ...(validUntil !== undefined && { validUntil }) } }
}

function refuseUnused({ registers }: Library, item: Awaited<ReturnType<typeof findAnyItem>>): void {
  const definition = item && registers.get(item.register)
  if (definition && item.status !== inUse(definition))
    throw new BusinessError('platform.letter-not-in-use', { entry: item.title })
}

interface Source {
  trx: Transaction<DB>
  library: Library
  data: JsonObject
  flow: string
  language: Language
  own: (NamedItem & { register: string }) | undefined
}

/** The values of the fields; one without a value is left out. */
async function valuesOf(source: Source, fields: Record<string, LetterField>): Promise<JsonObject> {
  const values: JsonObject = {}
  for (const [name, field] of Object.entries(fields)) {
    const value =
      typeof field === 'string' ? inWords(source, field, await lookedUp(source, field)) : await newest(source, field)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is found in JSON: the case or a register entry
    if (value !== undefined && value !== null && value !== '') values[name] = value as JsonValue
  }
  return values
}

async function lookedUp({ trx, library, data, own }: Source, lookup: string): Promise<unknown> {
  const find = (id: string) => asCertified(trx, library.registers, id)
  const [named = lookup] = lookup.split('#')
  const item = named === REQUESTER ? own : await find(String(at(data, named)))
  return valueAt(lookup, data, new Map(item ? [[named, item]] : []), find)
}

/** A choice of the start form in the words of the language; every other value as it is. */
function inWords({ library, flow, language }: Source, lookup: string, value: unknown): unknown {
  const start = library.forms.get(library.flows.get(flow)?.manifest.start ?? '')
  const title = start?.schema.properties?.[lookup.slice(1)]?.oneOf?.find((one) => one.const === value)?.title
  return title === undefined ? value : library.text(title, {}, language)
}

/** The field of the newest entry in use that names the requester. */
async function newest(
  { trx, library, own }: Source,
  { register, by, newest: order, value }: Exclude<LetterField, string>,
): Promise<unknown> {
  const definition: RegisterDefinition | undefined = library.registers.get(register)
  if (!own || !definition) return undefined
  const field = (pointer: string) => sql<string | null>`data #>> ${sql.val(pathOf(pointer))}::text[]`
  const row = await trx
    .selectFrom('register_item')
    .select('data')
    .where('register', '=', register)
    .where('status', '=', inUse(definition))
    .where(field(by), '=', own.id)
    .orderBy(field(order), 'desc')
    .executeTakeFirst()
  return at(row?.data, value)
}
