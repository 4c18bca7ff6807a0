import { Type } from 'typebox'
import { beginDraft, readDraft, saveDraft, discardDraft, takeDraftLock, dropDraftLock } from './drafts.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Moment, refusals } from '../../http/schemas.ts'
import { Bpmn, DefinitionId, Draft, Lock, MODEL_LIMIT, OfProcess, Tables, MODEL_PATH } from './schemas.ts'
import type { StudioDependencies } from './context.ts'

/** The one open draft of a flow, and its edit lock. */
export function draftRoutes(app: App, dependencies: StudioDependencies): void {
  app.post(
    `${MODEL_PATH}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'beginModelDraft',
        tags: ['studio'],
        summary: 'Open the draft of a flow from a version, or get the open one',
        params: OfProcess,
        body: Type.Object({ from: Type.Optional(DefinitionId) }, { additionalProperties: false }),
        response: { 200: Draft, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => beginDraft(dependencies, personOf(request), request.params.process, request.body.from),
  )

  app.get(
    `${MODEL_PATH}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelDraft',
        tags: ['studio'],
        summary: 'Get the open draft of a flow',
        params: OfProcess,
        response: { 200: Draft, ...refusals(401, 403, 404) },
      },
    },
    async (request) => readDraft(dependencies, personOf(request), request.params.process),
  )

  app.put(
    `${MODEL_PATH}/draft`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'saveModelDraft',
        tags: ['studio'],
        summary: 'Save the draft, based on a revision; acquires or renews its lock',
        params: OfProcess,
        body: Type.Object(
          { revision: Type.Integer({ minimum: 1 }), bpmn: Type.Optional(Bpmn), dmn: Type.Optional(Tables) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ revision: Type.Integer(), savedAt: Moment }),
          ...refusals(401, 403, 404, 409, 413, 422),
        },
      },
    },
    async (request) => saveDraft(dependencies, personOf(request), request.params.process, request.body),
  )

  app.delete(
    `${MODEL_PATH}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'discardModelDraft',
        tags: ['studio'],
        summary: 'Discard the draft',
        params: OfProcess,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      await discardDraft(dependencies, personOf(request), request.params.process)
      return reply.code(204).send(null)
    },
  )

  app.put(
    `${MODEL_PATH}/draft/lock`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'lockModelDraft',
        tags: ['studio'],
        summary: 'Acquire or renew the lock of the draft for five minutes; `takeOver` also takes it from another owner',
        params: OfProcess,
        body: Type.Object({ takeOver: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
        response: { 200: Lock, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) =>
      takeDraftLock(dependencies, personOf(request), request.params.process, request.body.takeOver ?? false),
  )

  app.delete(
    `${MODEL_PATH}/draft/lock`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'unlockModelDraft',
        tags: ['studio'],
        summary: 'Release your lock of the draft',
        params: OfProcess,
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await dropDraftLock(dependencies, personOf(request), request.params.process)
      return reply.code(204).send(null)
    },
  )
}
