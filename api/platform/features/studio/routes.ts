import { Type } from 'typebox'
import { studioDrafts } from './drafts.ts'
import { studioModels } from './models.ts'
import { studioReleases } from './releases.ts'
import { studioSecondOwner } from './second-owner.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import {
  Bpmn,
  Decided,
  DefinitionId,
  Draft,
  Lock,
  MODEL_LIMIT,
  NobodyDecides,
  Note,
  OfProcess,
  Problems,
  Proposal,
  Released,
  Results,
  Source,
  Table,
  Tables,
  Version,
  Vocabulary,
} from './schemas.ts'
import { component } from '../../kernel/components.ts'

const PATH = '/api/studio/models'
const Setting = component('ModelSettings', Type.Object({ secondOwner: Type.Boolean() }))
const ONE = `${PATH}/:process`

/** Process owners at their models: what there is, the draft, what is wrong with it, deploying and taking back. */
export function studioRoutes(
  app: App,
  dependencies: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    engine: Pick<Engine, 'deploy'>
    publicUrl: string
  },
): void {
  const models = studioModels(dependencies)
  const drafts = studioDrafts(dependencies)
  const releases = studioReleases(dependencies)
  const secondOwner = studioSecondOwner(dependencies)

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
    async (request) => ({ items: await models.list(personOf(request), languageOf(request)) }),
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
    async (request) => ({ items: await models.versions(personOf(request), request.params.process) }),
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
    async (request) => models.version(personOf(request), request.params.process, request.params.definitionId),
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
    async (request) => models.vocabulary(personOf(request), request.params.process, languageOf(request)),
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
    async (request) => ({ problems: await models.check(personOf(request), request.params.process, request.body) }),
  )

  app.post(
    `${ONE}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'beginModelDraft',
        tags: ['studio'],
        summary: 'Begins the draft of a flow from a version, or gives the one that is open',
        params: OfProcess,
        body: Type.Object({ from: Type.Optional(DefinitionId) }, { additionalProperties: false }),
        response: { 200: Draft, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => drafts.begin(personOf(request), request.params.process, request.body.from),
  )

  app.get(
    `${ONE}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelDraft',
        tags: ['studio'],
        summary: 'The open draft of a flow',
        params: OfProcess,
        response: { 200: Draft, ...refusals(401, 403, 404) },
      },
    },
    async (request) => drafts.get(personOf(request), request.params.process),
  )

  app.put(
    `${ONE}/draft`,
    {
      bodyLimit: MODEL_LIMIT,
      config: { rule: 'studio' },
      schema: {
        operationId: 'saveModelDraft',
        tags: ['studio'],
        summary: 'Saves the draft, going on from a revision; takes or renews its lock',
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
    async (request) => drafts.save(personOf(request), request.params.process, request.body),
  )

  app.delete(
    `${ONE}/draft`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'discardModelDraft',
        tags: ['studio'],
        summary: 'Throws the draft away',
        params: OfProcess,
        response: { 204: Type.Null(), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      await drafts.discard(personOf(request), request.params.process)
      return reply.code(204).send(null)
    },
  )

  app.put(
    `${ONE}/draft/lock`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'lockModelDraft',
        tags: ['studio'],
        summary: 'Takes or renews the lock of the draft for five minutes; `takeOver` also takes it from somebody else',
        params: OfProcess,
        body: Type.Object({ takeOver: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
        response: { 200: Lock, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => drafts.lock(personOf(request), request.params.process, request.body.takeOver ?? false),
  )

  app.delete(
    `${ONE}/draft/lock`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'unlockModelDraft',
        tags: ['studio'],
        summary: 'Gives the own lock of the draft back',
        params: OfProcess,
        response: { 204: Type.Null(), ...refusals(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await drafts.unlock(personOf(request), request.params.process)
      return reply.code(204).send(null)
    },
  )

  app.post(
    `${ONE}/deploy`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'deployModel',
        tags: ['studio'],
        summary: 'Deploys the draft, or proposes it where the flow asks for a second owner',
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
    async (request) => releases.deploy(personOf(request), request.params.process, request.body),
  )

  app.post(
    `${ONE}/rollback`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'rollBackModel',
        tags: ['studio'],
        summary: 'Deploys the diagram and tables of an earlier version as the newest',
        params: OfProcess,
        body: Type.Object(
          { definitionId: DefinitionId, note: Note, nobodyDecides: NobodyDecides },
          { additionalProperties: false },
        ),
        response: { 200: Released, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => releases.rollBack(personOf(request), request.params.process, request.body),
  )

  app.get(
    `${ONE}/approvals/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'getModelProposal',
        tags: ['studio'],
        summary: 'What another owner is asked to approve of, as it was proposed',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        response: { 200: Proposal, ...refusals(401, 403, 404) },
      },
    },
    async (request) => models.proposal(personOf(request), request.params.process, request.params.id),
  )

  app.post(
    `${ONE}/approvals/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'decideModelProposal',
        tags: ['studio'],
        summary: 'Approves of what another owner has proposed, or refuses it; an own one can be taken back',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        body: Type.Object(
          { accept: Type.Boolean(), note: Note, nobodyDecides: NobodyDecides },
          { additionalProperties: false },
        ),
        response: { 200: Decided, ...refusals(401, 403, 404, 409, 422) },
      },
    },
    async (request) => releases.decide(personOf(request), request.params.process, request.params.id, request.body),
  )

  app.put(
    `${ONE}/settings`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'changeModelSettings',
        tags: ['studio'],
        summary: 'From now on another owner has to approve of what is deployed',
        params: OfProcess,
        body: Type.Object(
          {
            secondOwner: Type.Literal(true, { description: 'Doing without again takes two people: ask for a waiver' }),
          },
          { additionalProperties: false },
        ),
        response: { 200: Setting, ...refusals(401, 403, 404) },
      },
    },
    async (request) => secondOwner.ask(personOf(request), request.params.process),
  )

  app.post(
    `${ONE}/settings/waivers`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'askSecondOwnerWaiver',
        tags: ['studio'],
        summary: 'Asks to do without a second owner; holds once somebody else confirms it. ADMIN and SA may',
        params: OfProcess,
        body: Type.Object({ reason: Note }, { additionalProperties: false }),
        response: { 201: Type.Object({ id: Id }), ...refusals(401, 403, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await secondOwner.askWaiver(personOf(request), request.params.process, request.body)),
  )

  app.post(
    `${ONE}/settings/waivers/:id`,
    {
      config: { rule: 'studio' },
      schema: {
        operationId: 'decideSecondOwnerWaiver',
        tags: ['studio'],
        summary: 'Confirms that a flow does without a second owner, or refuses it; an own request can be taken back',
        params: Type.Object({ ...OfProcess.properties, id: Id }),
        body: Type.Object({ accept: Type.Boolean(), note: Note }, { additionalProperties: false }),
        response: { 200: Setting, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { process, id } = request.params
      return secondOwner.decideWaiver(personOf(request), process, id, request.body)
    },
  )
}
