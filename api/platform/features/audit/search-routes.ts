import { Type } from 'typebox'
import {
  searchEntries,
  searchSheet,
  noteExport,
  auditVocabulary,
  findAuditPeople,
  readAuditPerson,
  searchCases,
} from './search.ts'
import { streamed } from '../../kernel/sheets/stream.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, Query, fileOf, refusals } from '../../http/schemas.ts'
import { SheetFormat, sendSheet, sheetTypes } from '../../http/sheets.ts'
import type { AuditConsole } from './context.ts'
import { rule, asked, walk, Entry, next, narrow, Word, days, casesAsked, FoundCase } from './schemas.ts'

/** Searching entries and cases. */
export function searchRoutes(app: App, deps: AuditConsole): void {
  foundRoutes(app, deps)
  vocabularyRoutes(app, deps)
}

/** Matching entries and cases. */
function foundRoutes(app: App, deps: AuditConsole): void {
  app.get(
    '/api/audit/entries',
    {
      config: { rule },
      schema: {
        operationId: 'searchAudit',
        tags: ['audit'],
        summary: 'List audit entries, newest first; `towards=newer` reverses the direction from `cursor`',
        querystring: Query({ ...asked, ...walk, towards: Type.Optional(Type.Enum(['older', 'newer'])) }),
        response: {
          200: Type.Object({
            items: Type.Array(Entry),
            next,
            previous: Nullable(Type.String({ description: 'Cursor towards newer entries' })),
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
        summary: 'Download all entries of a search as a spreadsheet, without a limit',
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
    '/api/audit/cases',
    {
      config: { rule },
      schema: {
        operationId: 'searchAuditCases',
        tags: ['audit'],
        summary: 'List all cases, newest first; `person` is the requester',
        querystring: Query({ ...days, ...walk, ...casesAsked }),
        response: { 200: Type.Object({ items: Type.Array(FoundCase), next, narrow }), ...refusals(401, 403) },
      },
    },
    async (request) => {
      const { cursor, limit = 50, ...query } = request.query
      return searchCases(deps, query, { limit, ...(cursor !== undefined && { cursor }) }, languageOf(request))
    },
  )
}

/** Possible conditions: actions, flows, desks and people. */
function vocabularyRoutes(app: App, deps: AuditConsole): void {
  app.get(
    '/api/audit/vocabulary',
    {
      config: { rule },
      schema: {
        operationId: 'getAuditVocabulary',
        tags: ['audit'],
        summary: 'List the acts, flows and desks that occur in the audit trail',
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
        summary: 'Find people by part of their name',
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
        summary: 'Get a person by account',
        params: Type.Object({ id: Id }),
        response: {
          200: Type.Object({ id: Id, name: Type.String(), post: Nullable(Type.String()) }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) => readAuditPerson(deps, request.params.id),
  )
}
