import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { casesOfEntries } from '../../work/cases/of-entries.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Item, titleToldIn } from '../../records/registers/item.ts'
import { registersService } from '../../work/registers/service.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown, versionWanted } from '../../http/etag.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Moment, Named, Nullable, Query, filtersOf, refusals, RegisterName } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { known } from '../../kernel/known.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import { invalid } from '../../people/access/refusals.ts'
import { openRecord } from '../../work/registers/opening.ts'
import { ends, fields, owner, tells, titles, Items, itemFilters, type ItemRouteDependencies } from './schemas.ts'

/** The state of a person's case in a flow. */
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

const OwnItem = component(
  'RegisterItemWithRights',
  Type.Object({
    ...fields,
    owner,
    ends,
    titles,
    mayChange: Type.Boolean(),
    corrects: Nullable(
      Type.Array(Type.String(), { description: 'Fields that alone you may change (`ownCorrects`); null: all' }),
    ),
    ledBy: Nullable(
      Type.Object(
        { id: Id, reference: Type.String(), title: Type.String({ description: 'Text key' }) },
        { description: 'The newest case whose status the item has' },
      ),
    ),
    sealed: Nullable(
      Type.Object(
        {
          openUntil: Nullable(Moment),
          mayOpen: Type.Boolean(),
          lost: Type.Boolean({ description: 'You have opened them, but nobody can read them: their key is lost' }),
          restricted: Type.Boolean({ description: 'What the person shows does not open it' }),
          reasons: Type.Array(Type.Object({ const: Type.String(), title: Type.String({ description: 'Text key' }) }), {
            description: 'What opens it without the person',
          }),
        },
        { description: 'Of an item with encrypted fields: until when you have opened them' },
      ),
    ),
    tells,
    selections: Type.Array(Type.String(), { description: 'The selections of the register that the item is among' }),
  }),
)

/** Reading entries. */
function itemReadingRoutes(app: App, { db, library, fieldKeys }: ItemRouteDependencies): void {
  const service = registersService({ db, library, fieldKeys })
  const entries = casesOfEntries({ db, library })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`
  const told = <T extends Pick<Item, 'title' | 'data'>>(request: FastifyRequest, register: string, item: T): T => {
    const definition = library.registers.get(register)
    return definition ? { ...item, title: titleToldIn(languageOf(request), definition, item) } : item
  }

  app.get(
    '/api/registers/:area/:name/items',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listItems',
        tags: ['registers'],
        summary: 'List items by title; `filter.<field>` for the filters of the register',
        params: Type.Object(RegisterName),
        querystring: Query(
          {
            ...itemFilters,
            selection: Type.Optional(
              Type.String({ maxLength: 60, description: 'Only those of a selection of the register' }),
            ),
            casesOf: Type.Optional(
              Type.String({ maxLength: 120, description: 'A flow whose requesters are in this register' }),
            ),
            statuses: Type.Optional(
              Type.String({ maxLength: 300, description: 'Only those in one of these, separated by commas' }),
            ),
            mine: Type.Optional(
              Type.Boolean({ description: 'Only those about you, for which you need no other right' }),
            ),
            entrusted: Type.Optional(
              Type.Boolean({
                description: 'Only those entrusted to you (`entrustedTo`), for which you need no other right',
              }),
            ),
            lacks: Type.Optional(
              Type.String({
                maxLength: 120,
                description: 'A wanted list of the register that you see: only items without an entry in use there',
              }),
            ),
            ending: Type.Optional(Type.Boolean({ description: 'Only items in use that end soon or have ended' })),
            whole: Type.Optional(
              Type.Boolean({ description: 'Also search by whole values of sensitive fields, for people who may' }),
            ),
            caseStatus: Type.Optional(
              Type.String({
                maxLength: 60,
                description: 'Only people whose newest case is in this state; `none`: without a case',
              }),
            ),
          },
          { filters: true, needs: { caseStatus: ['casesOf'] } },
        ),
        response: {
          200: Type.Object({
            ...Items.properties,
            cases: Type.Optional(
              Type.Record(Type.String(), EntryCase, { description: 'The newest case of `casesOf`, by item' }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => {
      const { search, whole, mine, entrusted, ending, lacks, status, statuses, inUse, selection, cursor, limit } =
        request.query
      const { casesOf, caseStatus } = request.query
      const [person, register] = [personOf(request), keyOf(request.params)]
      const cases = casesOf === undefined ? undefined : entries.of(person, register, casesOf)
      const also = caseStatus === undefined ? undefined : cases?.where(caseStatus)
      const listed = { search, status, inUse, selection, cursor, limit }
      const among = statuses === undefined ? {} : { statuses: statuses.split(',') }
      const query = { ...listed, ...among, filters: filtersOf(request.query), ...(also && { also }) }
      const page = await service.items(person, register, query, { whole, mine, entrusted, ending, lacks })
      const found = await cases?.list(
        page.items.map(({ id }) => id),
        languageOf(request),
      )
      return {
        ...page,
        items: page.items.map((item) => told(request, register, item)),
        ...(found && { cases: Object.fromEntries(found) }),
      }
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
          'Get an item; send its ETag as If-Match when changing it. Reading sensitive fields is recorded in the audit trail',
        params: Type.Object({ ...RegisterName, id: Id }),
        querystring: Query({
          sensitive: Type.Optional(Type.Boolean({ default: true, description: 'False if not needed' })),
        }),
        response: { 200: OwnItem, 304: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const register = keyOf(request.params)
      const item = await service.item(personOf(request), register, request.params.id, request.query)
      // Whether encrypted fields are open changes without a new version.
      if (item.sealed) reply.header('cache-control', 'no-store')
      else if (isKnown(request, reply, item.version)) return reply.code(304).send(null)
      return told(request, register, item)
    },
  )
}

/** Creating and changing entries. */
function itemChangeRoutes(app: App, { db, library, fieldKeys, afterChange }: ItemRouteDependencies): void {
  const service = registersService({ db, library, fieldKeys, afterChange })
  const keyOf = ({ area, name }: { area: string; name: string }) => `${area}/${name}`

  app.post(
    '/api/registers/:area/:name/items',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'createItem',
        tags: ['registers'],
        summary: 'Add an item',
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is JSON
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
        summary: 'Replace the data of an item; needs If-Match',
        params: Type.Object({ ...RegisterName, id: Id }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: OwnItem, ...refusals(401, 403, 404, 409, 412, 422, 428) },
      },
    },
    async (request, reply) => {
      const version = versionWanted(request)
      if (version === undefined) throw new BusinessError('platform.version-wanted')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is JSON
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
        summary: 'Change the status of an item: items are deactivated, never deleted',
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
}

/** Opening the encrypted fields of entries. */
function openingRoutes(app: App, { db, library, fieldKeys, publicUrl }: ItemRouteDependencies): void {
  const offers = { definitions: definitionStore(db), roles: library.roles }
  const context = { db, library, fieldKeys, publicUrl, offers }

  app.post(
    '/api/registers/:area/:name/items/:id/openings',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'openRecord',
        tags: ['registers'],
        summary:
          'Open the encrypted fields about a person with what they show, or with a declared reason, which the head is mailed',
        params: Type.Object({ ...RegisterName, id: Id }),
        body: Type.Object(
          {
            shown: Type.Optional(
              Type.String({ minLength: 1, maxLength: 60, description: 'Number of a card, or of the identity card' }),
            ),
            reason: Type.Optional(
              Type.String({ minLength: 2, maxLength: 30, description: 'One of `sealed.reasons` of the entry' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 201: Type.Object({ until: Moment }), ...refusals(401, 403, 404, 409, 422, 429) },
      },
    },
    async (request, reply) => {
      const { area, name, id } = request.params
      const { shown, reason } = request.body
      if ((shown === undefined) === (reason === undefined))
        throw invalid([{ field: '/reason', code: 'platform.field-required' }])
      const opensWith = shown === undefined ? { reason: known(reason, 'a reason') } : { shown }
      return reply.code(201).send(await openRecord(context, personOf(request), `${area}/${name}`, id, opensWith))
    },
  )
}

/** Reading and changing the entries of a register. */
export function itemRoutes(app: App, deps: ItemRouteDependencies): void {
  itemReadingRoutes(app, deps)
  itemChangeRoutes(app, deps)
  openingRoutes(app, deps)
}
