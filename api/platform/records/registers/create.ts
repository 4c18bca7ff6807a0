import { sql } from 'kysely'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { keepBooks } from './books.ts'
import { beginningStatus, uncertified } from './certifying.ts'
import { type RegistersContext, definitionOf } from './context.ts'
import {
  type By,
  type Item,
  type ItemRow,
  type NewItem,
  boundsOf,
  byPeople,
  caseOf,
  draftsOf,
  isFinal,
  itemOf,
  titleOf,
} from './item.ts'
import { type ItemError, type Pointer, refuseWrong, wrongWith } from './refusals.ts'
import { withTitleFields } from './title-fields.ts'
import { recordWritten } from './written.ts'
import { known } from '../../kernel/known.ts'

/** Creates one entry. */
export async function createItem(
  context: RegistersContext,
  register: string,
  data: JsonObject,
  by: By,
  given: Omit<NewItem, 'data'> = {},
): Promise<Item> {
  const [made] = await insert(context, register, [{ data, ...given }], by)
  return known(made, 'the created entry')
}

/** Creates several entries with few statements, or none; errors include the position: `/3/name`. */
export async function createItems(
  context: RegistersContext,
  register: string,
  items: readonly NewItem[],
  by: By,
): Promise<Item[]> {
  return insert(context, register, items, by, (index, field) => `/${index}${field}`)
}

/**
 * Why entries cannot be created, each with its position in the list; `whole`: with their encrypted fields. `seen` has the
 * unique values of entries before these, and gets theirs.
 */
export async function examineItems(
  context: RegistersContext,
  register: string,
  items: readonly NewItem[],
  about: { whole?: boolean; seen?: Set<string> } = {},
): Promise<ItemError[]> {
  const definition = definitionOf(context, register)
  const drafts = await withTitleFields(context, definition, draftsOf(definition, items))
  return wrongWith(context, definition, register, drafts, about)
}

async function insert(
  context: RegistersContext,
  register: string,
  items: readonly NewItem[],
  by: By,
  pointer?: Pointer,
): Promise<Item[]> {
  const { trx } = context
  const definition = definitionOf(context, register)
  const given = draftsOf(definition, items).map((one) => ({
    ...one,
    data: byPeople(definition, one.data, by),
    status: beginningStatus(definition, one.status, by),
  }))
  const drafts = await withTitleFields(context, definition, given)
  const refuse = (wrong: readonly ItemError[]) => refuseWrong(wrong, pointer)
  refuse(await wrongWith(context, definition, register, drafts))
  for (const [index, one] of by === null ? [] : drafts.entries())
    refuse((await uncertified(trx, definition, one)).map((error) => ({ ...error, index })))
  const wanted = drafts.map((one) => ({
    ...one,
    title: titleOf(definition, one.data),
    final: isFinal(definition, one),
    bounds: boundsOf(definition),
    of_case: caseOf(definition, one.data),
  }))
  const inserted = await sql<ItemRow>`
    insert into register_item (id, register, status, title, data, final, bounds, of_case)
    select id, ${register}, status, title, data, final, nullif(bounds, 'null'), of_case
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      as r(id uuid, status text, title text, data jsonb, final boolean, bounds jsonb, of_case text)
    returning *`.execute(trx)
  const byId = new Map(inserted.rows.map((row) => [row.id, row]))
  const rows = drafts.map(({ id }) => known(byId.get(id), 'the created entry'))
  const told = (row: ItemRow) => ({ action: 'register-item.created', payload: { data: row.data } })
  refuse(await recordWritten(trx, { register, library: context.library, definition, rows, by, told }))
  const made = rows.map(itemOf)
  for (const [index, { id, version, status, data }] of made.entries()) {
    const wrong = await keepBooks(trx, register, definition, { id, version, after: { status, data } })
    refuse(wrong.map((error) => ({ ...error, index })))
  }
  return made
}
