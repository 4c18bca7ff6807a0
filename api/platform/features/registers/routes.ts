import { Type } from 'typebox'
import { casesOfEntries } from '../../work/cases/of-entries.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { RegisterView } from '../../work/registers/views.ts'
import { registersService } from '../../work/registers/service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown, versionWanted } from '../../http/etag.ts'
import { languageOf } from '../../http/problems.ts'
import {
  FormData,
  Id,
  Key,
  Moment,
  Named,
  Nullable,
  PageOf,
  Query,
  RegisterName,
  filtersOf,
  paging,
  refusals,
} from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Texts = Type.Array(Type.String())
const Register = component(
  'RegisterDescription',
  Type.Object({
    register: Type.String(),
    title: Type.String({ description: 'Text key' }),
    titleField: Type.String(),
    codeField: Type.Optional(Type.String()),
    statuses: Texts,
    search: Texts,
    filters: Texts,
    columns: Texts,
    mayCreate: Type.Boolean(),
    mayImport: Type.Boolean(),
    batches: Type.Array(Type.String(), { description: 'Flows that can be opened for all whom an item is meant for' }),
    related: Type.Array(
      Type.Object({
        register: Key,
        field: Type.String({ description: 'The field of that register that names an item of this one' }),
        title: Type.String({ description: 'Text key' }),
      }),
    ),
    final: Type.Array(Type.String(), { description: 'Statuses after which an item is never changed again' }),
    fixed: Type.Boolean({ description: 'Items are made by the product; people only change their status' }),
    reports: Type.Array(
      Type.Object({ report: Key, field: Type.String(), title: Type.String({ description: 'Text key' }) }),
      {
        description: 'Reports on an item, each with the field of its filter that takes it',
      },
    ),
    item: FormData,
  }),
)

const Imported = component(
  'ImportResult',
  Type.Object({
    rows: Type.Integer(),
    columns: Texts,
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line of the file in which the row begins; the header is line 1' }),
        column: Type.String({ description: 'Name of the field; empty for the whole line or file' }),
        code: Type.String(),
        message: Type.String(),
        value: Type.String(),
      }),
    ),
    errorCount: Type.Integer({ description: 'All there are; `errors` holds the first of them' }),
    preview: Type.Array(Type.Object({ line: Type.Integer(), cells: Type.Record(Type.String(), Type.String()) }), {
      description: 'The first rows as they are understood',
    }),
    added: Type.Integer({ description: 'All rows or none' }),
  }),
)

/** A file of 5,000 long lines. */
const IMPORT_LIMIT = 4 * 1024 * 1024

const fields = {
  id: Id,
  register: Type.String(),
  version: Type.Integer(),
  status: Type.String(),
  title: Type.String(),
  data: FormData,
  createdAt: Moment,
  changedAt: Moment,
}
const titles = Type.Record(Type.String(), Type.String(), { description: 'Titles of the items referred to, by id' })

/** An item in a list. */
const Item = component('RegisterItem', Type.Object(fields))
/** How the person of an entry stands in a flow. */
const EntryCase = component(
  'EntryCase',
  Type.Object({
    id: Id,
    reference: Type.String(),
    status: Named,
    state: Type.String(),
    endReason: Nullable(Type.String()),
  }),
)
/** A page of items with the titles of what they refer to. */
export const Items = component('RegisterItemPage', Type.Object({ ...PageOf(Item).properties, titles }))
/** An item as anybody may see it. */
export const PublicItem = component('PublicRegisterItem', Type.Object({ ...fields, titles }))
const OwnItem = component('RegisterItemWithRights', Type.Object({ ...fields, titles, mayChange: Type.Boolean() }))

/** Names a register in an address. */
const itemFilters = {
  ...paging,
  search: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(Type.String({ maxLength: 60 })),
  inUse: Type.Optional(Type.Boolean({ description: 'Only items that may be referred to' })),
}
/** What lists of items take. */
export const itemQuery = Query(itemFilters, { filters: true })

/** Master data: registers and their items. */
export function registerRoutes(app: App, { db, library }: { db: Kysely<DB>; library: Library }): void {
  const service = registersService({ db, library })
  const entries = casesOfEntries({ db, library })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`

  app.get(
    '/api/registers',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listRegisters',
        tags: ['registers'],
        summary: 'The registers that the person who asks may see',
        response: { 200: Type.Object({ items: Type.Array(Register) }), ...refusals(401) },
      },
    },
    async (request) => ({ items: service.list(personOf(request)).map(shown) }),
  )

  app.get(
    '/api/registers/:area/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getRegister',
        tags: ['registers'],
        summary: 'A register with the schema of its items',
        params: Type.Object(RegisterName),
        response: { 200: Register, ...refusals(401, 404) },
      },
    },
    async (request) => shown(await service.get(personOf(request), keyOf(request.params))),
  )

  app.get(
    '/api/registers/:area/:name/items',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listItems',
        tags: ['registers'],
        summary: 'Items by title; `filter.<field>` for the fields that the register filters by',
        params: Type.Object(RegisterName),
        querystring: Query(
          {
            ...itemFilters,
            casesOf: Type.Optional(
              Type.String({ maxLength: 120, description: 'A flow that people of this register ask for' }),
            ),
            caseStatus: Type.Optional(
              Type.String({ maxLength: 60, description: 'Only those whose newest case is in it; `none`: without one' }),
            ),
          },
          { filters: true, needs: { caseStatus: ['casesOf'] } },
        ),
        response: {
          200: Type.Object({
            ...Items.properties,
            cases: Type.Optional(
              Type.Record(Type.String(), EntryCase, { description: 'By item, the newest case of `casesOf`' }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => {
      const { search, status, inUse, cursor, limit, casesOf, caseStatus } = request.query
      const [person, register] = [personOf(request), keyOf(request.params)]
      const cases = casesOf === undefined ? undefined : entries.of(person, register, casesOf)
      const also = caseStatus === undefined ? undefined : cases?.where(caseStatus)
      const query = { search, status, inUse, cursor, limit, filters: filtersOf(request.query), ...(also && { also }) }
      const page = await service.items(person, register, query)
      const found = await cases?.list(
        page.items.map(({ id }) => id),
        languageOf(request),
      )
      return { ...page, ...(found && { cases: Object.fromEntries(found) }) }
    },
  )

  app.get(
    '/api/registers/:area/:name/items/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getItem',
        tags: ['registers'],
        summary:
          'An item; its ETag goes back as If-Match with a change. Reading what is sensitive is told to the audit',
        params: Type.Object({ ...RegisterName, id: Id }),
        querystring: Query({
          sensitive: Type.Optional(Type.Boolean({ default: true, description: 'Not wanted: false' })),
        }),
        response: { 200: OwnItem, 304: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const item = await service.item(personOf(request), keyOf(request.params), request.params.id, request.query)
      if (isKnown(request, reply, item.version)) return reply.code(304).send(null)
      return item
    },
  )

  app.post(
    '/api/registers/:area/:name/items',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'createItem',
        tags: ['registers'],
        summary: 'Adds an item',
        params: Type.Object(RegisterName),
        body: Type.Object(
          { data: FormData, status: Type.Optional(Type.String({ maxLength: 60 })) },
          { additionalProperties: false },
        ),
        response: { 201: OwnItem, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { data, status } = request.body
      const register = keyOf(request.params)
      const item = await service.create(personOf(request), register, data as JsonObject, status)
      isKnown(request, reply, item.version)
      return reply.code(201).header('location', `/api/registers/${register}/items/${item.id}`).send(item)
    },
  )

  app.put(
    '/api/registers/:area/:name/items/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'changeItem',
        tags: ['registers'],
        summary: 'Puts new data in place of the old; needs If-Match',
        params: Type.Object({ ...RegisterName, id: Id }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: OwnItem, ...refusals(401, 403, 404, 409, 412, 422, 428) },
      },
    },
    async (request, reply) => {
      const version = versionWanted(request)
      if (version === undefined) throw new BusinessError('platform.version-wanted')
      const data = request.body.data as JsonObject
      const item = await service.change(personOf(request), keyOf(request.params), request.params.id, version, data)
      isKnown(request, reply, item.version)
      return item
    },
  )

  app.post(
    '/api/registers/:area/:name/items/:id/status',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'setItemStatus',
        tags: ['registers'],
        summary: "Puts an item into another of its register's statuses: items are deactivated, never deleted",
        params: Type.Object({ ...RegisterName, id: Id }),
        body: Type.Object({ status: Type.String({ maxLength: 60 }) }, { additionalProperties: false }),
        response: { 200: OwnItem, ...refusals(401, 403, 404, 409, 412, 422) },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      const version = versionWanted(request)
      const item = await service.setStatus(personOf(request), keyOf(params), params.id, version, body.status)
      isKnown(request, reply, item.version)
      return item
    },
  )

  app.get(
    '/api/registers/:area/:name/template.csv',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getImportTemplate',
        tags: ['registers'],
        summary: 'An empty CSV file with the columns that an import takes',
        params: Type.Object(RegisterName),
        response: { 200: { content: { 'text/csv': { schema: Type.String() } } }, ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const csv = service.template(personOf(request), keyOf(request.params))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${request.params.name}.csv"`)
        .send(csv)
    },
  )

  app.post(
    '/api/registers/:area/:name/imports',
    {
      config: { rule: 'signed-in' },
      bodyLimit: IMPORT_LIMIT,
      schema: {
        operationId: 'importItems',
        tags: ['registers'],
        summary: 'Reads a CSV file of items and says what is wrong with which cell; with `commit`, adds all or nothing',
        params: Type.Object(RegisterName),
        body: Type.Object({ csv: Type.String(), commit: Type.Boolean() }, { additionalProperties: false }),
        response: { 200: Imported, ...refusals(401, 403, 404, 413) },
      },
    },
    async (request) => {
      const { csv, commit } = request.body
      return service.import(personOf(request), keyOf(request.params), csv, commit, languageOf(request))
    },
  )
}

function shown({ register, definition, mayCreate, mayImport, related, batches, reports }: RegisterView) {
  const { title, titleField, codeField, statuses, search = [], filters = [], columns = [], item } = definition
  const { final = [], fixed = false } = definition
  const code = codeField === undefined ? {} : { codeField }
  return {
    register,
    title,
    titleField,
    ...code,
    statuses,
    search,
    filters,
    columns,
    mayCreate,
    mayImport,
    batches,
    related,
    reports,
    final,
    fixed,
    item,
  }
}
