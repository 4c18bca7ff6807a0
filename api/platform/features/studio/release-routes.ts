import { Type } from 'typebox'
import { readProposal } from './models.ts'
import { deployDraft, rollBack, decideProposal } from './releases.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, refusals } from '../../http/schemas.ts'
import { Decided, DefinitionId, NobodyDecides, Note, OfProcess, Proposal, Released, MODEL_PATH } from './schemas.ts'
import type { StudioDependencies } from './context.ts'

/** Deploying a draft or an earlier version, and proposals to other owners. */
export function releaseRoutes(app: App, dependencies: StudioDependencies): void {
  app.post(
    `${MODEL_PATH}/deploy`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'deployModel',
        tags: ['studio'],
        summary: 'Deploy the draft, or propose it if the flow requires a second owner',
        params: OfProcess,
        body: Type.Object(
          {
            revision: Type.Integer({ minimum: 1 }),
            note: Note,
            results: Type.Optional(Id),
            nobodyDecides: NobodyDecides,
          },
          { additionalProperties: false },
        ),
        response: { 200: Released, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => deployDraft(dependencies, personOf(request), request.params.process, request.body),
  )

  app.post(
    `${MODEL_PATH}/rollback`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'rollBackModel',
        tags: ['studio'],
        summary: 'Deploy the diagram and tables of an earlier version as the newest version',
        params: OfProcess,
        body: Type.Object(
          { definitionId: DefinitionId, note: Note, nobodyDecides: NobodyDecides },
          { additionalProperties: false },
        ),
        response: { 200: Released, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => rollBack(dependencies, personOf(request), request.params.process, request.body),
  )

  app.get(
    `${MODEL_PATH}/approvals/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelProposal',
        tags: ['studio'],
        summary: 'Get what another owner is asked to approve, as it was proposed',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        response: { 200: Proposal, ...refusals(401, 403, 404) },
      },
    },
    async (request) => readProposal(dependencies, personOf(request), request.params.process, request.params.id),
  )

  app.post(
    `${MODEL_PATH}/approvals/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'decideModelProposal',
        tags: ['studio'],
        summary: 'Approve or reject the proposal of another owner, or withdraw your own',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        body: Type.Object(
          { accept: Type.Boolean(), note: Note, nobodyDecides: NobodyDecides },
          { additionalProperties: false },
        ),
        response: { 200: Decided, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) =>
      decideProposal(dependencies, personOf(request), request.params.process, request.params.id, request.body),
  )
}
