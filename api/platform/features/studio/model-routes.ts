import { Type } from 'typebox'
import { listModels, listModelVersions, readModelVersion, readVocabulary, checkModel } from './models.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { refusals } from '../../http/schemas.ts'
import {
  ModelSummary,
  Bpmn,
  DefinitionId,
  MODEL_LIMIT,
  OfProcess,
  Problems,
  Table,
  Tables,
  Version,
  Vocabulary,
  MODELS_PATH,
  MODEL_PATH,
} from './schemas.ts'
import type { StudioDependencies } from './context.ts'

/** The models of an owner's flows: their versions, and what is wrong with a model. */
export function modelRoutes(app: App, dependencies: StudioDependencies): void {
  app.get(
    MODELS_PATH,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listModels',
        tags: ['studio'],
        summary: 'List the flows that you own; all of them for ADMIN and SA',
        response: {
          200: Type.Object({
            items: Type.Array(ModelSummary),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => ({ items: await listModels(dependencies, personOf(request), languageOf(request)) }),
  )

  app.get(
    `${MODEL_PATH}/versions`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'listModelVersions',
        tags: ['studio'],
        summary: 'List the versions of a flow, newest first',
        params: OfProcess,
        response: { 200: Type.Object({ items: Type.Array(Version) }), ...refusals(401, 403, 404) },
      },
    },
    async (request) => ({ items: await listModelVersions(dependencies, personOf(request), request.params.process) }),
  )

  app.get(
    `${MODEL_PATH}/versions/:definitionId`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelVersion',
        tags: ['studio'],
        summary: 'Get the diagram and the decision tables of a version',
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
    `${MODEL_PATH}/vocabulary`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelVocabulary',
        tags: ['studio'],
        summary: 'List everything that a model of the flow may refer to',
        params: OfProcess,
        response: { 200: Vocabulary, ...refusals(401, 403, 404) },
      },
    },
    async (request) => readVocabulary(dependencies, personOf(request), request.params.process, languageOf(request)),
  )

  app.post(
    `${MODEL_PATH}/check`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio', rateLimit: { max: 60, timeWindow: '1 minute' } },
      schema: {
        operationId: 'checkModel',
        tags: ['studio'],
        summary: 'Check a model for what prevents its deployment; without tables, those of the draft are used',
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
