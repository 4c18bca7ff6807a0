import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { makeCaseFile } from './case-files.ts'
import { readCaseThen } from './case-at-moment.ts'
import { notAsSigned, type SignedHeadMemory } from './signed-head.ts'
import { auditLines, headerOf, publicKeysOf, stretchOf } from './export.ts'
import { comparedParts } from './comparison.ts'
import { compareLookups, nothingWrong } from './lookups.ts'
import { listMoments } from './moments.ts'
import { momentsContext } from './moments-context.ts'
import { reportNames, reportsContext, readReport, reportRows } from './reports.ts'
import { AUDITORS } from './auditors.ts'
import { inboxViews } from '../../work/inbox/views.ts'
import {
  daysOf,
  searchEntries,
  searchSheet,
  noteExport,
  auditVocabulary,
  findAuditPeople,
  readAuditPerson,
  searchCases,
  entriesSheet,
} from './search.ts'

import { BusinessError } from '../../kernel/errors.ts'
import { keysIn, type SigningKey } from '../../kernel/keys.ts'
import { streamed } from '../../kernel/sheets/stream.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Moment, Name, Named, NamedPerson, Nullable, Query, fileOf, refusals } from '../../http/schemas.ts'
import { SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import { component } from '../../kernel/components.ts'
import { NOTHING, earliest, harms } from './chain-findings.ts'
import { examine } from './chain-examination.ts'

const rule = { group: AUDITORS }

const Doer = component(
  'AuditDoer',
  Type.Object({
    id: Nullable(Type.String({ format: 'uuid', description: 'Null for what the product did by itself' })),
    name: Type.String(),
    registered: Type.Boolean({ description: 'An entry of a register answers for the name, or it is the product' }),
    post: Nullable(Type.String()),
  }),
)
const Word = component('AuditWord', Type.Object({ key: Type.String(), text: Type.String() }))

const Entry = component(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: Moment,
    sequence: Nullable(Type.String({ description: 'Place in the chain' })),
    action: Type.String(),
    text: Type.String({ description: 'The act in one sentence' }),
    by: Doer,
    authority: Nullable(Type.String({ description: 'On whose authority, in words' })),
    for: Nullable(Type.String({ description: 'In whose stead' })),
    reason: Nullable(Type.String()),
    caseId: Nullable(Id),
    reference: Nullable(Type.String()),
    flow: Nullable(Word),
    desk: Nullable(Word),
    erased: Type.Boolean({ description: 'Its details were erased by an act' }),
    missing: Type.Boolean({ description: 'Its details are gone, and no act erased them' }),
  }),
)

const FoundCase = component(
  'AuditCase',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Word,
    title: Type.String(),
    status: Named,
    requester: NamedPerson,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    end: Nullable(Type.String({ description: 'How it ended, in words' })),
  }),
)

const next = Nullable(Type.String({ description: '`cursor` of what came before these' }))
const narrow = Type.Boolean({ description: 'There was too much to look through: `next` looks further back' })

const Day = Type.String({ format: 'date', description: 'In Colombo' })
const days = { from: Type.Optional(Day), until: Type.Optional(Day) }
const asked = {
  ...days,
  reference: Type.Optional(Type.String({ minLength: 2, maxLength: 40, description: 'Beginning of a reference' })),
  person: Type.Optional(Id),
  part: Type.Optional(Type.Enum(['acted', 'concerned'])),
  flow: Type.Optional(Key),
  desk: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })),
  action: Type.Optional(Type.String({ pattern: '^[a-z-]+\\.[a-z-]+$', maxLength: 60 })),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}
const casesAsked = { reference: asked.reference, person: asked.person, flow: asked.flow, text: asked.text }
const walk = {
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
}

const Field = component(
  'AuditField',
  Type.Object({
    field: Type.String({ description: 'JSON pointer' }),
    label: Type.String(),
    value: Type.String(),
    sensitive: Type.Boolean(),
  }),
)
const Step = component(
  'AuditStep',
  Type.Object({
    at: Moment,
    kind: Type.String(),
    text: Type.String(),
    by: Nullable(Doer),
    authority: Nullable(Type.String()),
    for: Nullable(Type.String()),
    reason: Nullable(Type.String()),
    element: Nullable(Type.String()),
  }),
)
const NamedValue = component('NamedValue', Type.Object({ name: Type.String(), value: Type.String() }))

const CaseThen = component(
  'AuditCaseThen',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Word,
    title: Type.String(),
    requester: Doer,
    at: Moment,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    end: Nullable(Type.String({ description: 'How it ended, in words' })),
    state: Type.Enum(['running', 'ended']),
    statuses: Type.Array(Type.Object({ list: Type.String(), status: Named })),
    data: Type.Array(Field),
    tasks: Type.Array(
      Type.Object({
        id: Type.String(),
        desk: Type.String(),
        name: Type.String(),
        state: Type.Enum(['open', 'held', 'decided', 'gone']),
        roles: Type.Array(Type.String()),
        since: Moment,
        dueAt: Nullable(Moment),
        holder: Nullable(Type.String()),
        decidedBy: Nullable(Type.String()),
        decidedAt: Nullable(Moment),
        outcome: Nullable(Type.String()),
      }),
    ),
    path: Type.Object({
      definitionId: Type.String(),
      visited: Type.Array(
        Type.Object({ element: Type.String(), startedAt: Moment, endedAt: Nullable(Moment), canceled: Type.Boolean() }),
      ),
      present: Type.Array(Type.String()),
    }),
    elements: Type.Array(
      Type.Object({
        element: Type.String(),
        name: Type.String(),
        passes: Type.Integer(),
        milliseconds: Type.Integer(),
      }),
    ),
    submissions: Type.Array(
      Type.Object({
        id: Id,
        at: Moment,
        form: Type.String(),
        title: Type.String(),
        by: Doer,
        authority: Nullable(Type.String()),
        for: Nullable(Type.String()),
        void: Nullable(Type.String({ description: 'Why it did not take effect' })),
        fields: Type.Array(Field),
        changes: Nullable(
          Type.Array(
            Type.Object({
              field: Type.String(),
              label: Type.String(),
              before: Nullable(Type.String()),
              after: Nullable(Type.String()),
            }),
            { description: 'Against what was sent by the same form before; null for the first' },
          ),
        ),
      }),
    ),
    decisions: Nullable(
      Type.Array(
        Type.Object({
          at: Moment,
          element: Nullable(Type.String()),
          name: Type.String(),
          rows: Type.Array(
            Type.Object({
              inputs: Type.Array(NamedValue),
              outputs: Type.Array(NamedValue),
              rule: Nullable(Type.String()),
            }),
          ),
        }),
        { description: 'Null while the engine, which keeps them, is away' },
      ),
    ),
    versions: Type.Object({
      model: Type.Object({
        definitionId: Type.String(),
        version: Type.Integer(),
        deployedAt: Moment,
        hash: Type.String(),
      }),
      forms: Type.Array(Type.Object({ key: Type.String(), title: Type.String(), hash: Type.String() })),
    }),
    mails: Type.Array(
      Type.Object({ at: Moment, recipient: Type.String(), subject: Type.String(), sentAt: Nullable(Moment) }),
    ),
    documents: Type.Array(
      Type.Object({ number: Type.String(), kind: Type.String(), issuedAt: Moment, ended: Type.Boolean() }),
    ),
    readers: Type.Array(
      Type.Object({
        at: Moment,
        by: Doer,
        authority: Nullable(Type.String()),
        fields: Type.Array(Type.String()),
      }),
    ),
    unlike: Type.Array(
      Type.Object({
        part: Type.Enum([...comparedParts]),
        id: Nullable(Type.String({ description: 'What of it; null for all of the part' })),
        how: Type.Enum(['differs', 'missing', 'unsealed', 'erased']),
        sealed: Nullable(Type.String({ description: 'What the record has of it, where that can be read' })),
        text: Type.String(),
      }),
      { description: 'What of the case as it is now is not what was sealed, or was never sealed' },
    ),
  }),
)

const Search = component(
  'AuditSearch',
  Type.Object({
    id: Id,
    name: Type.String(),
    query: Type.Record(Type.String(), Type.String()),
    version: Type.Integer(),
  }),
)

/** Links that are checked while somebody waits; longer stretches are checked as a file. */
const CHECKED = 100_000

/** The auditor's console: who did what, when and on whose authority, and whether anybody changed the record since. */
export function auditRoutes(
  app: App,
  deps: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    engine: Pick<Engine, 'decisions' | 'decisionXml'>
    auditKey: SigningKey
    auditMemory: SignedHeadMemory
  },
): void {
  const { db } = deps
  /** The keys that are handed out, and what is known to be wrong with the record without looking at its links. */
  const knownOf = async () => {
    const { pems, wrong } = await publicKeysOf(db, deps.auditKey, deps.auditMemory)
    return { keys: pems, broken: (await notAsSigned(db, deps.auditMemory)) ?? wrong }
  }
  const moments = momentsContext(deps)
  const reportsDeps = reportsContext(deps)

  app.get(
    '/api/audit/entries',
    {
      config: { rule },
      schema: {
        operationId: 'searchAudit',
        tags: ['audit'],
        summary: 'Audit entries, the newest first; `towards=newer` walks the other way from `cursor`',
        querystring: Query({ ...asked, ...walk, towards: Type.Optional(Type.Enum(['older', 'newer'])) }),
        response: {
          200: Type.Object({
            items: Type.Array(Entry),
            next,
            previous: Nullable(Type.String({ description: 'The same towards the newest' })),
            narrow,
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => {
      const { cursor, limit = 50, towards = 'older', ...query } = request.query
      return searchEntries(
        deps,
        query,
        { towards, limit, ...(cursor !== undefined && { cursor }) },
        languageOf(request),
      )
    },
  )

  app.get(
    '/api/audit/entries/file',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditSearch',
        tags: ['audit'],
        summary: 'All entries of a search as a file for spreadsheets, however many they are',
        querystring: Query({ ...asked, format: SheetFormat }),
        produces: [...sheetTypes],
        response: { 200: fileOf(...sheetTypes), ...refusals(401, 403) },
      },
    },
    async (request, reply) => {
      const { format, ...query } = request.query
      const sheet = searchSheet(deps, query, languageOf(request))
      await noteExport(deps, personOf(request), 'audit.search-exported', { ...query, format })
      return sendSheet(reply, streamed(format, { ...sheet, body: sheet.body() }))
    },
  )

  app.get(
    '/api/audit/vocabulary',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditVocabulary',
        tags: ['audit'],
        summary: 'Acts, flows and desks that there are in the audit, in words',
        response: {
          200: Type.Object({ actions: Type.Array(Word), flows: Type.Array(Word), desks: Type.Array(Word) }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => auditVocabulary(deps, languageOf(request)),
  )

  app.get(
    '/api/audit/people',
    {
      config: { rule },
      schema: {
        operationId: 'findAuditPeople',
        tags: ['audit'],
        summary: 'People by a part of their name',
        querystring: Query({ name: Type.String({ minLength: 2, maxLength: 100 }) }),
        response: {
          200: Type.Object({
            items: Type.Array(Type.Object({ id: Id, name: Type.String(), post: Nullable(Type.String()) })),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => ({ items: await findAuditPeople(deps, request.query.name) }),
  )

  app.get(
    '/api/audit/people/:id',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditPerson',
        tags: ['audit'],
        summary: 'A person by their account',
        params: Type.Object({ id: Id }),
        response: {
          200: Type.Object({ id: Id, name: Type.String(), post: Nullable(Type.String()) }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => readAuditPerson(deps, request.params.id),
  )

  app.get(
    '/api/audit/cases',
    {
      config: { rule },
      schema: {
        operationId: 'searchAuditCases',
        tags: ['audit'],
        summary: 'All cases, the newest first; `person` is the requester',
        querystring: Query({ ...days, ...walk, ...casesAsked }),
        response: { 200: Type.Object({ items: Type.Array(FoundCase), next, narrow }), ...refusals(401, 403) },
      },
    },
    async (request) => {
      const { cursor, limit = 50, ...query } = request.query
      return searchCases(deps, query, { limit, ...(cursor !== undefined && { cursor }) }, languageOf(request))
    },
  )

  app.get(
    '/api/audit/cases/:id',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditCase',
        tags: ['audit'],
        summary: 'A case as it was at a moment; without one, as it is',
        params: Type.Object({ id: Id }),
        querystring: Query({ at: Type.Optional(Moment) }),
        response: { 200: CaseThen, ...refusals(401, 403, 404) },
      },
    },
    async (request) =>
      readCaseThen(moments, personOf(request), request.params.id, request.query.at, languageOf(request)),
  )

  app.get(
    '/api/audit/cases/:id/moments',
    {
      config: { rule },
      schema: {
        operationId: 'listAuditMoments',
        tags: ['audit'],
        summary: 'Everything that happened to a case, oldest first, to step through',
        params: Type.Object({ id: Id }),
        response: { 200: Type.Object({ items: Type.Array(Step) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({
      items: await listMoments(moments, personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/audit/cases/:id/file',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditCase',
        tags: ['audit'],
        summary: 'A case with everything that happened to it: a dossier to print, or data',
        params: Type.Object({ id: Id }),
        querystring: Query({ format: Type.Enum(['pdf', 'csv', 'json']) }),
        produces: ['application/pdf', 'text/csv', 'application/json'],
        response: { 200: fileOf('application/pdf', 'text/csv', 'application/json'), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const made = await makeCaseFile(moments, personOf(request), params.id, query.format, languageOf(request))
      await noteExport(deps, personOf(request), 'audit.case-exported', { format: query.format }, params.id)
      return reply
        .type(made.type)
        .header('content-disposition', `attachment; filename="${made.name}"`)
        .send(Readable.from([made.content]))
    },
  )

  app.get(
    '/api/audit/reports/:name',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditReport',
        tags: ['audit'],
        summary: 'Who was refused, stood in, acted as an administrator or gave roles, and which desks a table left out',
        params: Type.Object({ name: Type.Enum([...reportNames]) }),
        querystring: Query(days),
        response: {
          200: Type.Object({
            items: Type.Array(Entry),
            more: Type.Boolean(),
            narrow: Type.Boolean({ description: 'Not all cases of these days were looked into: a file has them all' }),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => readReport(reportsDeps, request.params.name, request.query, languageOf(request)),
  )

  app.get(
    '/api/audit/reports/:name/file',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditReport',
        tags: ['audit'],
        summary: 'The same as a file for spreadsheets',
        params: Type.Object({ name: Type.Enum([...reportNames]) }),
        querystring: Query({ ...days, format: SheetFormat }),
        produces: [...sheetTypes],
        response: { 200: fileOf(...sheetTypes), ...refusals(401, 403) },
      },
    },
    async (request, reply) => {
      const { format, ...span } = request.query
      const { name } = request.params
      await noteExport(deps, personOf(request), 'audit.search-exported', { report: name, ...span, format })
      const rows = reportRows(reportsDeps, name, span, languageOf(request))
      const sheet = entriesSheet(deps, `audit-${name}`, rows, languageOf(request))
      return sendSheet(reply, streamed(format, { ...sheet, body: sheet.body() }))
    },
  )

  app.get(
    '/api/audit/chain',
    {
      config: { rule },
      schema: {
        operationId: 'verifyAudit',
        tags: ['audit'],
        summary:
          'Checks the chain of some days, link by link, and says what is wrong first; also where it was written anew',
        querystring: Query(days),
        response: {
          200: Type.Object({
            links: Type.Integer(),
            from: Nullable(Type.String({ description: 'Place of the first link' })),
            to: Nullable(Type.String({ description: 'Place of the last link' })),
            erased: Type.Integer({ description: 'Entries whose details were erased by an act' }),
            missing: Type.Integer({ description: 'Entries whose details are gone, and no act erased them' }),
            checkpoints: Type.Integer(),
            vouched: Nullable(Type.String({ description: 'Place of the last link that something signed vouches for' })),
            unvouched: Type.Integer({ description: 'Entries after the last signature' }),
            search: Type.Object(
              {
                missing: Type.Integer(),
                altered: Type.Integer(),
                extra: Type.Integer(),
                first: Nullable(
                  Type.Object({
                    sequence: Nullable(Type.String({ description: 'Null where the entry stands in no place' })),
                    entryId: Type.String(),
                    harm: Type.Enum(['missing', 'altered', 'extra']),
                  }),
                ),
              },
              { description: 'Rows that the search has, or has not, otherwise than the entries say' },
            ),
            first: Nullable(
              Type.Object({
                harm: Type.Enum([...harms]),
                sequence: Type.String(),
                entryId: Nullable(Type.String()),
                text: Type.String(),
              }),
            ),
          }),
          ...refusals(401, 403, 422),
        },
      },
    },
    async (request) => {
      const { broken, keys } = await knownOf()
      const stretch = await stretchOf(db, daysOf(request.query))
      if (!stretch) return { ...NOTHING, first: broken ?? null, search: nothingWrong }
      if (BigInt(stretch.to) - BigInt(stretch.from) >= BigInt(CHECKED)) {
        if (broken) return { ...NOTHING, first: broken, search: nothingWrong }
        throw new BusinessError('platform.audit-stretch-too-long', { most: CHECKED.toLocaleString('en') })
      }
      const verdict = await examine(() => auditLines(db, stretch), keysIn(keys.join('')), stretch)
      const { from, until } = request.query
      const lookups = await compareLookups(db, { ...stretch, whole: from === undefined && until === undefined })
      return { ...verdict, first: earliest(verdict, broken, stretch.head), search: lookups }
    },
  )

  app.get(
    '/api/audit/export',
    {
      config: { rule },
      schema: {
        operationId: 'exportAuditChain',
        tags: ['audit'],
        summary:
          'The chain of some days with its entries, one per line, for `npm run audit:verify -- FILE`; it says so where it is known not to be whole',
        querystring: Query({
          ...days,
          registers: Type.Optional(
            Type.Boolean({ description: 'Also what was written into items of registers; that is noted' }),
          ),
        }),
        produces: ['application/x-ndjson'],
        response: { 200: fileOf('application/x-ndjson'), ...refusals(401, 403) },
      },
    },
    async (request, reply) => {
      const { registers = false, ...span } = request.query
      const { broken } = await knownOf()
      const stretch = await stretchOf(db, daysOf(span))
      const places = stretch && { from: stretch.from, to: stretch.to }
      const action = registers ? 'audit.registers-exported' : 'audit.chain-exported'
      await noteExport(deps, personOf(request), action, { days: span, ...places, registers })
      const lines = async function* () {
        yield `${JSON.stringify(headerOf(stretch, deps.auditKey, broken))}\n`
        if (stretch) for await (const line of auditLines(db, stretch, { registers })) yield `${JSON.stringify(line)}\n`
      }
      return reply
        .type('application/x-ndjson')
        .header(
          'content-disposition',
          `attachment; filename="audit-${broken ? 'not-whole-' : ''}${stretch?.from ?? 0}-${stretch?.to ?? 0}.jsonl"`,
        )
        .send(Readable.from(lines(), { objectMode: false }))
    },
  )

  app.get(
    '/api/audit/key',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditKey',
        tags: ['audit'],
        summary: 'The public keys that the chain was ever signed with, the one that signs now first, as PEM',
        produces: ['application/x-pem-file'],
        response: { 200: fileOf('application/x-pem-file'), ...refusals(401, 403) },
      },
    },
    async (_request, reply) =>
      reply
        .type('application/x-pem-file')
        .header('content-disposition', 'attachment; filename="audit-key.pem"')
        .send(Readable.from((await knownOf()).keys)),
  )

  app.get(
    '/api/audit/searches',
    {
      config: { rule },
      schema: {
        operationId: 'listAuditSearches',
        tags: ['audit'],
        summary: 'The searches that the person who asks has kept',
        response: { 200: Type.Object({ items: Type.Array(Search) }), ...refusals(401, 403) },
      },
    },
    async (request) => ({ items: await inboxViews(db, 'audit').list(personOf(request)) }),
  )

  app.post(
    '/api/audit/searches',
    {
      config: { rule },
      schema: {
        operationId: 'saveAuditSearch',
        tags: ['audit'],
        summary: 'Keeps a search under a name',
        body: Type.Object(
          {
            name: Name({ minLength: 1, maxLength: 60, pattern: '\\S' }),
            query: Type.Record(Type.String({ pattern: '^[a-z]{1,20}$' }), Type.String({ maxLength: 200 }), {
              maxProperties: 12,
            }),
          },
          { additionalProperties: false },
        ),
        response: { 201: Search, ...refusals(401, 403, 409, 422) },
      },
    },
    async (request, reply) => reply.code(201).send(await inboxViews(db, 'audit').save(personOf(request), request.body)),
  )

  app.delete(
    '/api/audit/searches/:id',
    {
      config: { rule },
      schema: {
        operationId: 'deleteAuditSearch',
        tags: ['audit'],
        summary: 'Forgets a search that was kept',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await inboxViews(db, 'audit').delete(personOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
