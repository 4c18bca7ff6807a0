import { Type } from 'typebox'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Kysely } from 'kysely'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { Library } from '../../model/library/library.ts'
import { FormData, Id, Moment, PageOf, Query, paging } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import type { AfterChange } from '../../work/registers/context.ts'

export const Texts = Type.Array(Type.String())

export const fields = {
  id: Id,
  register: Type.String(),
  version: Type.Integer(),
  status: Type.String(),
  title: Type.String(),
  data: FormData,
  createdAt: Moment,
  changedAt: Moment,
}
export const titles = Type.Record(Type.String(), Type.String(), {
  description: 'Titles of referenced items, by id',
})

/** The title of the item that an item belongs to. */
export const owner = Type.Optional(Type.String({ description: 'Title of the item that it belongs to (`belongsTo`)' }))
export const ends = Type.Optional(
  Type.Boolean({ description: 'It ends soon, or has ended, and no later item replaces it (`expires`)' }),
)
export const tells = Type.Array(
  Type.Object({
    title: Type.String({ description: 'Text key' }),
    entries: Type.Array(
      Type.Object({
        id: Id,
        register: Type.String(),
        title: Type.String(),
        sees: Type.Boolean({ description: 'You see this entry' }),
      }),
    ),
  }),
  { description: 'Entries to which the item leads (`tells`)' },
)

const Item = component('RegisterItem', Type.Object({ ...fields, owner, ends }))
/** A page of entries with the titles of the entries they refer to. */
export const Items = component('RegisterItemPage', Type.Object({ ...PageOf(Item).properties, titles }))
/** An entry as the public sees it. */
export const PublicItem = component('PublicRegisterItem', Type.Object({ ...fields, titles }))

/** Filters for lists of entries. */
export const itemFilters = {
  ...paging,
  search: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(Type.String({ maxLength: 60 })),
  inUse: Type.Optional(Type.Boolean({ description: 'Only items that may be referenced' })),
}
/** The query of a list of entries. */
export const itemQuery = Query(itemFilters, { filters: true })

export interface RegisterRouteDependencies {
  db: Kysely<DB>
  library: Library
}

export interface ItemRouteDependencies extends RegisterRouteDependencies {
  fieldKeys: FieldKeys
  publicUrl: string
  afterChange: ReadonlyMap<string, AfterChange>
}
