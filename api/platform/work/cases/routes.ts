import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { fileOf } from '../../records/documents/verification.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Cases } from './service.ts'
import type { Library } from '../../model/library/library.ts'
import { personOf } from '../../http/auth.ts'
import { isKnown } from '../../http/etag.ts'
import { languageOf } from '../../http/problems.ts'
import {
  FormData,
  Id,
  Idempotent,
  Key,
  Moment,
  Named,
  Nullable,
  PageOf,
  Query,
  NamedPerson,
  Who,
  filtersOf,
  paging,
  refusals,
} from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const WaitingTask = component(
  'WaitingTask',
  Type.Object({
    taskId: Type.String(),
    desk: Type.String(),
    name: Type.String(),
    principals: Type.Array(Type.String(), { description: 'Whom it is offered to, in words' }),
    assignee: Nullable(Who),
    since: Moment,
    dueAt: Nullable(Moment),
  }),
)

const Submission = component(
  'Submission',
  Type.Object({
    id: Id,
    formKey: Type.String(),
    formHash: Type.String(),
    data: FormData,
    by: Who,
    for: Nullable(Who),
    actedAs: Nullable(Type.String()),
    at: Moment,
    effect: Type.Enum(['pending', 'done', 'void']),
    voidReason: Nullable(Type.String()),
    taskId: Nullable(Type.String()),
    desk: Nullable(Type.String()),
    outcome: Nullable(Type.String()),
    act: Nullable(Type.String({ description: 'Name of the act of the requester that it was' })),
  }),
)

const CaseRow = component(
  'CaseSummary',
  Type.Object({
    id: Id,
    reference: Type.String(),
    flow: Type.String(),
    flowTitle: Type.String(),
    title: Type.String({ description: 'One line by which people recognise the case' }),
    subject: FormData,
    status: Named,
    statuses: Type.Record(Type.String(), Named),
    state: Type.Enum(['starting', 'running', 'ended', 'failed']),
    requester: NamedPerson,
    scope: Type.Record(Type.String(), Type.String()),
    facts: FormData,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    endReason: Nullable(Type.String()),
    waitsWith: Type.Array(WaitingTask),
    version: Type.Integer(),
  }),
)

/** A question to the requester. */
const CaseQuestion = component(
  'CaseQuestion',
  Type.Object({
    id: Id,
    task: Type.String({ description: 'Name of the desk that asked' }),
    question: Type.String(),
    askedBy: Who,
    askedAt: Moment,
    answer: Nullable(Type.String()),
    answeredAt: Nullable(Moment),
    open: Type.Boolean({ description: 'Waits for an answer' }),
  }),
)

const CaseAct = component(
  'CaseAct',
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    confirm: Nullable(Type.String({ description: 'What is asked before it is sent' })),
    form: Type.String(),
    formHash: Type.String(),
  }),
)

/** A case with all that belongs to it. */
export const Case = component(
  'Case',
  Type.Object({
    ...CaseRow.properties,
    processDefinitionId: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What the case says now: the start form with all that was changed since',
    }),
    sentBy: Nullable(Who),
    withdrawable: Type.Boolean(),
    acts: Type.Array(CaseAct, { description: 'What the person who asks may ask for now' }),
    questions: Type.Array(CaseQuestion, { description: 'To the requester, oldest first' }),
    submissions: Type.Array(Submission),
    files: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        contentType: Type.String(),
        size: Type.Integer(),
        path: Type.String(),
        submissionId: Nullable(Id),
      }),
    ),
    documents: Type.Array(
      Type.Object({
        id: Id,
        kind: Type.String(),
        number: Type.String(),
        issuedAt: Moment,
        endedAt: Type.Union([Moment, Type.Null()], { description: 'Since when it holds no longer' }),
      }),
      { description: 'What was issued under a number' },
    ),
  }),
)

const CaseId = Type.Object({ id: Id })
const history = [
  'submitted',
  'acted',
  'task-created',
  'claimed',
  'asked',
  'decided',
  'status',
  'mail',
  'worker',
  'incident',
  'withdrawn',
  'ended',
] as const

/** Cases: beginning, reading and withdrawing them. */
export function caseRoutes(app: App, { db, cases, library }: { db: Kysely<DB>; cases: Cases; library: Library }): void {
  app.post(
    '/api/cases',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'submitCase',
        tags: ['cases'],
        summary: 'Begins a case',
        description: 'With an Idempotency-Key the same request, sent again within a day, gives the same case.',
        headers: Idempotent,
        body: Type.Object(
          {
            flow: Key,
            data: FormData,
            for: Type.Optional(
              Type.Object(
                { accountId: Id },
                { additionalProperties: false, description: 'Whose case it is to be, where the flow allows that' },
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
      follow(request, begun.id)
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
        summary: 'Cases that the person who asks may see, or only their own; the newest first',
        description: '`filter.<list>=<state>` asks for a state of another status list of the flow than `status`.',
        querystring: Query(
          {
            ...paging,
            mine: Type.Optional(Type.Boolean({ default: false })),
            flow: Type.Optional(Key),
            status: Type.Optional(
              Type.String({ maxLength: 300, description: 'A state, or several of them with commas: in any of them' }),
            ),
            item: Type.Optional(Id),
            search: Type.Optional(Type.String({ maxLength: 200, description: 'In reference, subject and facts' })),
          },
          { filters: true },
        ),
        response: { 200: PageOf(CaseRow), ...refusals(401) },
      },
    },
    async (request) => {
      const { status, ...query } = request.query
      const asked = { ...query, ...(status && { status: status.split(',') }), statuses: filtersOf(request.query) }
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
        summary: 'A case with what was sent, whom it waits for and its files',
        params: CaseId,
        response: { 200: Case, 304: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      follow(request, request.params.id)
      const found = await cases.get(personOf(request), request.params.id, languageOf(request))
      // Of the whole answer: what a case waits for changes without its version.
      const tag = createHash('sha256').update(JSON.stringify(found)).digest('base64url').slice(0, 22)
      if (isKnown(request, reply, tag)) return reply.code(304).send(null)
      return found
    },
  )

  app.post(
    '/api/cases/:id/withdraw',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'withdrawCase',
        tags: ['cases'],
        summary: 'Ends an own case, as long as its diagram allows that',
        params: CaseId,
        body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false }),
        response: { 200: Case, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      follow(request, request.params.id)
      return cases.withdraw(personOf(request), request.params.id, request.body.reason, languageOf(request))
    },
  )

  app.post(
    '/api/cases/:id/acts/:name',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'actOnCase',
        tags: ['cases'],
        summary: 'Asks for something in an own case, as long as its diagram waits for that',
        description: 'With an Idempotency-Key the same request, sent again within a day, happens once.',
        params: Type.Object({ id: Id, name: Type.String({ maxLength: 60 }) }),
        headers: Idempotent,
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: Case, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { id, name } = request.params
      follow(request, id)
      const key = request.headers['idempotency-key']
      const sent = { data: request.body.data, ...(key === undefined ? {} : { key }) }
      return cases.act(personOf(request), id, name, sent, languageOf(request))
    },
  )

  app.get(
    '/api/cases/:id/history',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCaseHistory',
        tags: ['cases'],
        summary: 'What happened to a case, in words, oldest first',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                at: Moment,
                kind: Type.Enum(history),
                text: Type.String(),
                actor: Type.Optional(Type.String()),
                element: Type.Optional(Type.String()),
                reason: Type.Optional(Type.String()),
                status: Type.Optional(Type.String({ description: 'Words of the status that it came to' })),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({
      items: await cases.history(personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/cases/:id/earlier',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getEarlierCases',
        tags: ['cases'],
        summary: 'What came before a case that concerns the same item, as its flow says; first what is alike',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Nullable(Type.String({ format: 'uuid', description: 'Null where the reader may not see it' })),
                reference: Type.String(),
                status: Named,
                amount: Nullable(Type.Integer({ description: 'In cents' })),
                createdAt: Moment,
                alike: Type.Boolean(),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({
      items: await cases.earlier(personOf(request), request.params.id, languageOf(request)),
    }),
  )

  app.get(
    '/api/cases/:id/documents/:document',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCaseDocument',
        tags: ['cases'],
        summary: 'A document that was issued in a case, such as its invoice, as PDF',
        params: Type.Object({ id: Id, document: Id }),
        response: {
          200: {
            content: { 'application/pdf': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
          },
          ...refusals(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id, document } = request.params
      follow(request, id)
      const found = await cases.document(personOf(request), id, document)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${found.number}.pdf"`)
        .send(await fileOf(db, library, found))
    },
  )

  app.get(
    '/api/cases/:id/path',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getCasePath',
        tags: ['cases'],
        summary: 'The way a case took through its diagram, and where it is now',
        params: CaseId,
        response: {
          200: Type.Object({
            definitionId: Type.String(),
            visited: Type.Array(
              Type.Object({
                element: Type.String(),
                startedAt: Moment,
                endedAt: Nullable(Moment),
                canceled: Type.Boolean(),
              }),
            ),
            present: Type.Array(Type.String()),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => cases.path(personOf(request), request.params.id),
  )

  app.get(
    '/api/cases/:id/variable-instances',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listCaseVariables',
        tags: ['cases'],
        summary: 'The process variables of a case, as the engine has them',
        params: CaseId,
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                name: Type.String(),
                type: Type.String(),
                value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => ({ items: await cases.variables(personOf(request), request.params.id) }),
  )
}

/** From here on the lines of this request name the case, as those of workers and relay do. */
export function follow(request: FastifyRequest, caseId: string): void {
  request.log = request.log.child({ case: caseId })
}
