import { v7 as uuid } from 'uuid'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type RegisterDefinition, at, inUse, withMadeIds } from '../../model/definitions/register.ts'

/** One entry of a register at one of its versions. */
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

/** The version of an item that a change is made on. */
export type ItemAt = Pick<Item, 'id' | 'register' | 'version'>

/** Who changes an item: an account id, or null for the product itself (first contents). */
export type By = string | null

/** An item to be made; without a status it is in use. */
export interface NewItem {
  id?: string
  status?: string
  data: JsonObject
}

/** An item about to be made, with all that was not given. */
export type Draft = Required<NewItem>

/** A row of `register_item`. */
export interface ItemRow {
  id: string
  register: string
  version: number
  status: string
  title: string
  data: unknown
  created_at: Date
  changed_at: Date
}

/** An item as it is stored. */
export function itemOf(row: ItemRow): Item {
  const { id, register, version, status, title } = row
  return {
    id,
    register,
    version,
    status,
    title,
    data: row.data as JsonObject,
    createdAt: row.created_at.toISOString(),
    changedAt: row.changed_at.toISOString(),
  }
}

/** What an item is called. */
export function titleOf({ titleField, titleWith = [] }: RegisterDefinition, data: JsonObject): string {
  return [...titleWith, titleField].map((field) => String(at(data, field) ?? '')).join(' ')
}

/** Whether an item is in a status after which it is never changed again. */
export function isFinal({ final }: RegisterDefinition, { status }: { status: string }): boolean {
  return final?.includes(status) ?? false
}

/** Items about to be made, out of what was given of them. */
export function draftsOf(definition: RegisterDefinition, items: readonly NewItem[]): Draft[] {
  return items.map(({ id = uuid(), status = inUse(definition), data }) => ({
    id,
    status,
    data: entered(definition, data),
  }))
}

/** What of an item's data counts, with the ids that its register gives. */
export function entered({ item }: RegisterDefinition, data: JsonObject): JsonObject {
  return withMadeIds(item, effectiveAnswers(item, data), uuid)
}
