import { v7 as uuid } from 'uuid'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Language } from '../../model/library/library.ts'
import { type RegisterDefinition, at, inUse, textAt, withGeneratedIds } from '../../model/definitions/register.ts'

/** An entry of a register in one version. */
export interface Item {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: JsonObject
  createdAt: string
  changedAt: string
}

/** The version of an entry that a change is based on. */
export type ItemAt = Pick<Item, 'id' | 'register' | 'version'>

/** Who changes an entry: an account id, or null for the system (initial data). */
export type By = string | null

/** A new entry; without a status it is active. */
export interface NewItem {
  id?: string
  status?: string
  data: JsonObject
}

/** A new entry with all defaults. */
export type Draft = Required<NewItem>

/** A row of `register_item`. */
export interface ItemRow {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: JsonObject
  created_at: Date
  changed_at: Date
}

export function itemOf(row: ItemRow): Item {
  const { id, register, version, status, title } = row
  return {
    id,
    register,
    version,
    status,
    title,
    data: row.data,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  }
}

/** What the database compares within an entry: days, months, moments and numbers; null if nothing. */
export function boundsOf({ item: { properties = {} } }: RegisterDefinition): JsonObject | null {
  const bounds = Object.entries(properties).flatMap(([name, field]): [string, JsonObject][] => {
    const { type, format, 'x-most-days': most, 'x-after': after, 'x-not-before': notBefore } = field
    const { 'x-once': once, 'x-row': row, 'x-least': least } = field
    if (least ?? row) return [[name, { row: { ...(least ?? row) } }]]
    if (once !== undefined) return [[name, { once }]]
    if (most) return [[name, most]]
    if (typeof notBefore === 'string') return [[name, { notBefore }]]
    const isCompared = format === 'date-time' || type === 'integer'
    return typeof after === 'string' && isCompared ? [[name, { after }]] : []
  })
  return bounds.length === 0 ? null : Object.fromEntries(bounds)
}

/** The number of the case whose steps wrote an entry, which people then do not change; null if there is none. */
export function caseOf({ ofCase }: RegisterDefinition, data: JsonObject): string | null {
  return ofCase === undefined ? null : (textAt(data, ofCase) ?? null)
}

/** What people write of an entry: fields that only steps write (`readOnly`) are left out. */
export function byPeople({ item: { properties = {} } }: RegisterDefinition, data: JsonObject, by: By): JsonObject {
  if (by === null) return data
  return Object.fromEntries(Object.entries(data).filter(([name]) => properties[name]?.['readOnly'] !== true))
}

/** The title of an entry. */
export function titleOf(
  { titleField, titleWith = [], titleIn = {}, titleSeparator = ' ' }: RegisterDefinition,
  data: JsonObject,
): string {
  return [...titleWith, titleField, ...Object.values(titleIn)]
    .map((field) => String(at(data, field) ?? ''))
    .join(titleSeparator)
}

/** The title in one language, if the register has it in several. */
export function titleToldIn(
  language: Language,
  { titleField, titleIn }: RegisterDefinition,
  { title, data }: Pick<Item, 'title' | 'data'>,
): string {
  if (!titleIn) return title
  const own = language === 'en' ? titleField : (titleIn[language] ?? titleField)
  return textAt(data, own) ?? title
}

/** Whether an entry is in a status after which it never changes. */
export function isFinal({ final }: RegisterDefinition, { status }: { status: string }): boolean {
  return final?.includes(status) ?? false
}

/** New entries with all defaults. */
export function draftsOf(definition: RegisterDefinition, items: readonly NewItem[]): Draft[] {
  return items.map(({ id = uuid(), status = inUse(definition), data }) => ({
    id,
    status,
    data: entered(definition, data),
  }))
}

/** The data of an entry without empty values, with the ids that its register assigns. */
export function entered({ item }: RegisterDefinition, data: JsonObject): JsonObject {
  return withGeneratedIds(item, effectiveAnswers(item, data), uuid)
}
