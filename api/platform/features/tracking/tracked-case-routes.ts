import { Type } from 'typebox'
import { fileOf } from '../../records/documents/verification.ts'
import {
  readTrackedCase,
  trackedDocument,
  completeTrackedTask,
  answerTrackedQuestion,
  withdrawTrackedCase,
  actOnTrackedCase,
} from './tracking.ts'
import type { App } from '../../http/app.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, refusals } from '../../http/schemas.ts'
import { UPLOAD_DESCRIPTION, UPLOAD_LIMIT, Upload, Uploaded, uploads } from '../../http/uploads.ts'
import type { TrackingRoutesDependencies } from './context.ts'
import { TrackedCase } from './schemas.ts'
import { trackerOf, BODY_LIMIT } from './requests.ts'

/** The case, and what its requester may do. */
export function trackedCaseRoutes(app: App, deps: TrackingRoutesDependencies): void {
  caseViewRoutes(app, deps)
  caseActRoutes(app, deps)
}

/** The case as its requester sees it. */
function caseViewRoutes(app: App, deps: TrackingRoutesDependencies): void {
  const { db, library } = deps

  app.get(
    '/api/public/tracking/case',
    {
      config: { rule: 'tracking' },
      schema: {
        operationId: 'getTrackedCase',
        tags: ['tracking'],
        summary: 'Get the case, as its requester sees it',
        response: { 200: TrackedCase, ...refusals(401) },
      },
    },
    async (request) => readTrackedCase(deps, trackerOf(request), languageOf(request)),
  )

  app.get(
    '/api/public/tracking/documents/:document',
    {
      config: { rule: 'tracking', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getTrackedDocument',
        tags: ['tracking'],
        summary: 'Download a document issued in the case, such as its invoice, as PDF',
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
      const found = await trackedDocument(deps, trackerOf(request), request.params.document)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${found.number}.pdf"`)
        .send(await fileOf(db, library, found))
    },
  )
}

/** Acts of its requester. */
function caseActRoutes(app: App, deps: TrackingRoutesDependencies): void {
  const receive = uploads(deps)

  app.post(
    '/api/public/tracking/tasks/:id/complete',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'completeTrackedTask',
        tags: ['tracking'],
        summary: 'Submit the form that the case expects from its requester',
        params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 403, 404, 409, 413, 422) },
      },
    },
    async (request) =>
      completeTrackedTask(deps, trackerOf(request), request.params.id, request.body.data, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/questions/:question/answer',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'answerTrackedQuestion',
        tags: ['tracking'],
        summary: 'Answer a question from a desk about the case',
        params: Type.Object({ question: Id }),
        body: Type.Object({ answer: Type.String({ minLength: 1, maxLength: 4000 }) }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 404, 409, 413) },
      },
    },
    async (request) =>
      answerTrackedQuestion(
        deps,
        trackerOf(request),
        request.params.question,
        request.body.answer,
        languageOf(request),
      ),
  )

  app.post(
    '/api/public/tracking/withdraw',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'withdrawTrackedCase',
        tags: ['tracking'],
        summary: 'Withdraw the case',
        body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 409, 413) },
      },
    },
    async (request) => withdrawTrackedCase(deps, trackerOf(request), request.body.reason, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/acts/:name',
    {
      config: { rule: 'tracking' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'actOnTrackedCase',
        tags: ['tracking'],
        summary: 'Use an act that the case offers its requester',
        params: Type.Object({ name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,59}$' }) }),
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: { 200: TrackedCase, ...refusals(401, 404, 409, 413, 422) },
      },
    },
    async (request) =>
      actOnTrackedCase(deps, trackerOf(request), request.params.name, request.body.data, languageOf(request)),
  )

  app.post(
    '/api/public/tracking/files',
    {
      config: {
        rule: 'tracking',
        // Counted per case, because the account that owns the files may not be the caller's.
        rateLimit: { max: 10, timeWindow: '10 minutes', keyGenerator: (request) => trackerOf(request).caseId },
      },
      bodyLimit: UPLOAD_LIMIT,
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'uploadTrackedFile',
        tags: ['tracking'],
        summary: 'Upload a file; put its id into the form that it belongs to',
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
