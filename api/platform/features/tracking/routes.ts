import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { fileOf } from '../../records/documents/verification.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Counted, throttle } from '../../people/identity/throttle.ts'
import { trackingMails } from './resending.ts'
import { trackingService } from './tracking.ts'
import type { Tracker } from '../../http/auth.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import type { Vault } from '../../kernel/keys.ts'
import { networkOf } from '../../http/network.ts'
import { languageOf } from '../../http/problems.ts'
import { PROOF_HEADER, proofs } from '../../http/proof.ts'
import { FormData, Id, Key, Moment, Named, Nullable, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { UPLOAD_DESCRIPTION, UPLOAD_LIMIT, Upload, Uploaded, uploads } from '../../http/uploads.ts'
import { Case } from '../../work/cases/schemas.ts'
import { component } from '../../kernel/components.ts'

/** What a case's data comes to at most. */
const BODY_LIMIT = 64 * 1024
const Reference = Type.String({ minLength: 1, maxLength: 60 })

const TrackedCase = component(
  'TrackedCase',
  Type.Object({
    reference: Type.String(),
    flow: Key,
    flowTitle: Type.String(),
    title: Type.String(),
    subject: FormData,
    status: Named,
    statuses: Type.Record(Type.String(), Named),
    state: Type.Enum(['starting', 'running', 'ended', 'failed']),
    data: FormData,
    facts: FormData,
    createdAt: Moment,
    endedAt: Nullable(Moment),
    endReason: Nullable(Type.String()),
    withdrawable: Type.Boolean(),
    acts: Case.properties.acts,
    documents: Case.properties.documents,
    form: Type.Object({ key: Key, hash: Type.String() }, { description: 'The form that it began with' }),
    confirmUntil: Nullable(
      Type.String({ format: 'date-time', description: 'The mailed link has to be used until then' }),
    ),
    waitsWith: Type.Array(
      Type.Object({
        name: Type.String(),
        principals: Type.Array(Type.String(), { description: 'Whom it waits for, in words; nobody: oneself' }),
        since: Moment,
        dueAt: Nullable(Moment),
      }),
    ),
    tasks: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        dueAt: Nullable(Moment),
        form: Nullable(Type.Object({ key: Key, hash: Type.String() })),
      }),
      { description: 'What waits for oneself' },
    ),
    decisions: Type.Array(
      Type.Object({ task: Type.String(), outcome: Named, reason: Nullable(Type.String()), at: Moment }),
    ),
    questions: Type.Array(
      Type.Object({
        id: Id,
        question: Type.String(),
        askedAt: Moment,
        answer: Nullable(Type.String()),
        answeredAt: Nullable(Moment),
        open: Type.Boolean(),
      }),
      { description: 'What a desk wants to know' },
    ),
    history: Type.Array(Type.Object({ at: Moment, text: Type.String() })),
  }),
)

/** Following one case with its reference and secret, without an account. */
export function trackingRoutes(
  app: App,
  deps: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    cases: Cases
    tasks: Tasks
    store: ObjectStore
    vault: Vault
    publicUrl: string
  },
): void {
  const { db, vault } = deps
  const tracking = trackingService(deps)
  const receive = uploads(deps)
  const counts = throttle(db)
  const proof = proofs({ db, vault })
  const { demandProof } = anonymousWrites({ db, vault })

  /** Wrong secrets make the next attempt dearer, from the same network soon and from everywhere late; nobody is locked out. */
  async function attempt<T>(request: FastifyRequest, reference: string, act: () => Promise<T>): Promise<T> {
    const of = reference.trim().toUpperCase()
    const network = networkOf(request.ip)
    const counted: Counted[] = [
      { kind: 'tracking-address', of: `${of} ${network}` },
      { kind: 'tracking', of },
      { kind: 'address', of: network },
    ]
    const level = await counts.level(counted)
    if (level > 0) await proof.demand(request.headers[PROOF_HEADER], level)
    try {
      const done = await act()
      await counts.forget(counted.slice(0, 1))
      return done
    } catch (error) {
      if (error instanceof BusinessError && error.code === 'platform.tracking-refused') await counts.note(counted)
      throw error
    }
  }

  app.post(
    '/api/public/tracking',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'trackCase',
        tags: ['tracking'],
        summary: 'A token to follow a case with, for half an hour; it goes along as `Authorization: Tracking <token>`',
        headers: ProofHeader,
        body: Type.Object(
          { reference: Reference, secret: Type.String({ maxLength: 200 }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ token: Type.String(), expiresAt: Moment }),
          ...refusals(413, 422, 428),
        },
      },
    },
    async (request) => {
      const { reference, secret } = request.body
      return attempt(request, reference, () => tracking.open(reference, secret))
    },
  )

  app.post(
    '/api/public/tracking/resend',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'resendTracking',
        tags: ['tracking'],
        summary: 'Has the address at which a case is followed mailed again; the answer does not tell whether it was',
        headers: ProofHeader,
        body: Type.Object(
          { reference: Reference, email: Type.String({ maxLength: 300 }) },
          { additionalProperties: false },
        ),
        response: { 202: Type.Null(), ...refusals(413, 428) },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const { reference, email } = request.body
      await trackingMails(db).sendLater(reference.trim(), email.trim())
      return reply.code(202).send(null)
    },
  )

  app.get(
    '/api/public/tracking/case',
    {
      config: { rule: 'tracking' },
      schema: {
        operationId: 'getTrackedCase',
        tags: ['tracking'],
        summary: 'The case, as its requester sees it',
        response: { 200: TrackedCase, ...refusals(401) },
      },
    },
    async (request) => tracking.get(trackerOf(request), languageOf(request)),
  )

  app.get(
    '/api/public/tracking/documents/:document',
    {
      config: { rule: 'tracking', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getTrackedDocument',
        tags: ['tracking'],
        summary: 'A document that was issued in the case, such as its invoice, as PDF',
        params: Type.Object({ document: Id }),
        response: {
          200: {
            content: { 'application/pdf': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
          },
          ...refusals(401, 404),
        },
      },
    },
    async (request, reply) => {
      const found = await tracking.document(trackerOf(request), request.params.document)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${found.number}.pdf"`)
        .send(await fileOf(db, deps.library, found))
    },
  )

  app.post(
    '/api/public/tracking/tasks/:id/complete',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'completeTrackedTask',
        tags: ['tracking'],
        summary: 'Answers what the case waits for its requester with',
        params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 403, 404, 409, 413, 422) },
      },
    },
    async (request) => tracking.complete(trackerOf(request), request.params.id, request.body.data, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/questions/:question/answer',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'answerTrackedQuestion',
        tags: ['tracking'],
        summary: 'Answers a question that a desk asked about the case',
        params: Type.Object({ question: Id }),
        body: Type.Object({ answer: Type.String({ minLength: 1, maxLength: 4000 }) }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 404, 409, 413) },
      },
    },
    async (request) =>
      tracking.answer(trackerOf(request), request.params.question, request.body.answer, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/withdraw',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'withdrawTrackedCase',
        tags: ['tracking'],
        summary: 'Withdraws the case',
        body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 409, 413) },
      },
    },
    async (request) => tracking.withdraw(trackerOf(request), request.body.reason, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/acts/:name',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'actOnTrackedCase',
        tags: ['tracking'],
        summary: 'Asks for something that the case offers its requester',
        params: Type.Object({ name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,59}$' }) }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 404, 409, 413, 422) },
      },
    },
    async (request) => tracking.act(trackerOf(request), request.params.name, request.body.data, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/files',
    {
      config: {
        rule: 'tracking',
        // By the case, because whoever follows it need not be the one whose files they count as.
        rateLimit: { max: 10, timeWindow: '10 minutes', keyGenerator: (request) => trackerOf(request).caseId },
      },
      bodyLimit: UPLOAD_LIMIT,
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadTrackedFile',
        tags: ['tracking'],
        summary: 'Stores a file; its id then stands in the form that it belongs to',
        description: UPLOAD_DESCRIPTION,
        consumes: ['multipart/form-data'],
        body: Upload,
        response: { 201: Uploaded, ...refusals(401, 404, 413, 415, 422) },
      },
    },
    async (request, reply) => {
      const { id, name, contentType, size } = await receive(request, trackerOf(request).person.id)
      return reply.code(201).send({ id, name, contentType, size })
    },
  )
}

function trackerOf(request: FastifyRequest): Tracker {
  if (!request.tracker) throw new BusinessError('platform.tracking-over')
  return request.tracker
}
