import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Cases } from './service.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown } from '../../http/etag.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Idempotent, Key, PageOf, Query, filtersOf, paging, refusals } from '../../http/schemas.ts'
import { Case, CaseId, CaseRow, LinkName } from './schemas.ts'
import { logCase } from './follow.ts'
import { caseLookUpRoutes } from './look-up-routes.ts'
import { caseActRoutes } from './act-routes.ts'

/** Cases: beginning and reading them, with the routes of the files beside this one. */
export function caseRoutes(app: App, deps: { db: Kysely<DB>; cases: Cases; library: Library }): void {
  const { cases } = deps

  app.post(
    '/api/cases',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'submitCase',
        tags: ['cases'],
        summary: 'Start a case',
        description: 'A request repeated within a day with the same Idempotency-Key returns the same case.',
        headers: Idempotent,
        body: Type.Object(
          {
            flow: Key,
            data: FormData,
            for: Type.Optional(
              Type.Object(
                { accountId: Type.Optional(Id), entry: Type.Optional(Id) },
                {
                  additionalProperties: false,
                  minProperties: 1,
                  maxProperties: 1,
                  description: 'Requester of the case, if the flow allows another: the account, or the register entry',
                },
              ),
            ),
            follows: Type.Optional(
              Type.Object(
                { case: Id, name: LinkName },
                { additionalProperties: false, description: 'The case that it follows from, as that one offers' },
              ),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 201: Case, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key']
      const wanted = { ...request.body, ...(key === undefined ? {} : { key }) }
      const { case: begun, repeated } = await cases.submit(personOf(request), wanted, languageOf(request))
      logCase(request, begun.id)
      if (repeated) reply.header('idempotency-replayed', 'true')
      return reply.code(201).header('location', `/api/cases/${begun.id}`).send(begun)
    },
  )

  app.get(
    '/api/cases',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listCases',
        tags: ['cases'],
        summary: 'List the cases that you may see, or only your own; newest first',
        description:
          '`filter.<list>=<state>` filters by a status list of the flow other than `status`, `filter.<field>=<value>` by ' +
          'a field of its start form marked x-filter.',
        querystring: Query(
          {
            ...paging,
            mine: Type.Optional(Type.Boolean({ default: false })),
            flow: Type.Optional(Key),
            running: Type.Optional(Type.Boolean({ description: 'Only cases that have not ended' })),
            status: Type.Optional(
              Type.String({ maxLength: 300, description: 'One state, or several separated by commas (any of them)' }),
            ),
            item: Type.Optional(Id),
            search: Type.Optional(
              Type.String({ maxLength: 200, description: 'Searches case number, subject and facts' }),
            ),
          },
          { filters: true },
        ),
        response: { 200: PageOf(CaseRow), ...refusals(401) },
      },
    },
    async (request) => {
      const { status, ...query } = request.query
      const asked = { ...query, ...(status && { status: status.split(',') }), filters: filtersOf(request.query) }
      return cases.list(personOf(request), asked, languageOf(request))
    },
  )

  app.get(
    '/api/cases/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCase',
        tags: ['cases'],
        summary: 'Get a case with its submissions, open tasks and files',
        params: CaseId,
        response: { 200: Case, 304: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      logCase(request, request.params.id)
      const found = await cases.get(personOf(request), request.params.id, languageOf(request))
      // Hash the whole answer: what a case waits for can change without its version.
      const tag = createHash('sha256').update(JSON.stringify(found)).digest('base64url').slice(0, 22)
      if (isKnown(request, reply, tag)) return reply.code(304).send(null)
      return found
    },
  )

  caseActRoutes(app, deps)

  caseLookUpRoutes(app, deps)
}
