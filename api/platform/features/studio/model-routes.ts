import { Type } from 'typebox'
import { listModels, listModelVersions, readModelVersion, readVocabulary, checkModel } from './models.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import {
  Bpmn,
  DefinitionId,
  MODEL_LIMIT,
  OfProcess,
  Problems,
  Results,
  Source,
  Table,
  Tables,
  Version,
  Vocabulary,
  PATH,
  ONE,
} from './schemas.ts'
import type { StudioDependencies } from './context.ts'

/** The models of an owner's flows: what there is, every version, and what is wrong with one. */
export function modelRoutes(app: App, dependencies: StudioDependencies): void {
  app.get(
    PATH,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listModels',
        tags: ['studio'],
        summary: 'The flows that the person who asks owns, ADMIN and SA all of them',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                process: Type.String(),
                flow: Type.String(),
                title: Type.String(),
                area: Type.String(),
                owners: Type.Array(Type.String()),
                running: Nullable(
                  Type.Object(
                    {
                      definitionId: Type.String(),
                      version: Type.Integer(),
                      deployedAt: Moment,
                      by: Nullable(Type.String()),
                      note: Nullable(Type.String()),
                      source: Source,
                    },
                    { description: 'The version that new cases start from' },
                  ),
                ),
                cases: Type.Array(
                  Type.Object({
                    definitionId: Type.String(),
                    version: Type.Integer(),
                    running: Type.Integer(),
                    ended: Type.Integer(),
                  }),
                ),
                draft: Nullable(
                  Type.Object({
                    revision: Type.Integer(),
                    savedAt: Moment,
                    savedBy: Type.String(),
                    lockedBy: Nullable(Type.String()),
                  }),
                ),
                waiting: Nullable(
                  Type.Object(
                    {
                      id: Id,
                      note: Type.String(),
                      proposedBy: Type.String(),
                      proposedAt: Moment,
                      mine: Type.Boolean({ description: 'Proposed by the person who asks' }),
                      undecided: Type.Array(Type.String(), { description: 'Its rows after which nobody decides' }),
                      results: Results,
                    },
                    { description: 'What waits for the approval of another owner' },
                  ),
                ),
                moving: Type.Array(Type.Object({ id: Id, from: Type.String(), to: Type.String() }), {
                  description: 'Migrations of running cases that go on',
                }),
                secondOwner: Type.Boolean({ description: 'What is deployed has to be approved by another owner' }),
                mayAskWaiver: Type.Boolean({ description: 'The person who asks may ask to do without a second owner' }),
                waiver: Nullable(
                  Type.Object(
                    {
                      id: Id,
                      reason: Type.String(),
                      askedBy: Type.String(),
                      askedAt: Moment,
                      mine: Type.Boolean({ description: 'Asked for by the person who asks' }),
                    },
                    { description: 'Somebody asks to do without a second owner; it waits for a second person' },
                  ),
                ),
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => ({ items: await listModels(dependencies, personOf(request), languageOf(request)) }),
  )

  app.get(
    `${ONE}/versions`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listModelVersions',
        tags: ['studio'],
        summary: 'The versions of a flow, the newest first',
        params: OfProcess,
        response: { 200: Type.Object({ items: Type.Array(Version) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ items: await listModelVersions(dependencies, personOf(request), request.params.process) }),
  )

  app.get(
    `${ONE}/versions/:definitionId`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelVersion',
        tags: ['studio'],
        summary: 'The diagram and the decision tables of a version',
        params: Type.Object({ ...OfProcess.properties, definitionId: DefinitionId }),
        response: {
          200: Type.Object({
            definitionId: Type.String(),
            version: Type.Integer(),
            bpmn: Type.String(),
            dmn: Type.Array(Table),
          }),
          ...refusals(401, 403, 404),
        },
      },
    },
    async (request) =>
      readModelVersion(dependencies, personOf(request), request.params.process, request.params.definitionId),
  )

  app.get(
    `${ONE}/vocabulary`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelVocabulary',
        tags: ['studio'],
        summary: 'All that a model of the flow may name',
        params: OfProcess,
        response: { 200: Vocabulary, ...refusals(401, 403, 404) },
      },
    },
    async (request) => readVocabulary(dependencies, personOf(request), request.params.process, languageOf(request)),
  )

  app.post(
    `${ONE}/check`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio', rateLimit: { max: 60, timeWindow: '1 minute' } },
      schema: {
        operationId: 'checkModel',
        tags: ['studio'],
        summary: 'What keeps a model from being deployed; without tables, those of the draft count',
        params: OfProcess,
        body: Type.Object({ bpmn: Bpmn, dmn: Type.Optional(Tables) }, { additionalProperties: false }),
        response: { 200: Problems, ...refusals(401, 403, 404, 409, 413) },
      },
    },
    async (request) => ({
      problems: await checkModel(dependencies, personOf(request), request.params.process, request.body),
    }),
  )
}
