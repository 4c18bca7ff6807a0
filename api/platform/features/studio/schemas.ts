import { Type } from 'typebox'
import { Id, Moment, Nullable } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

export const MODELS_PATH = '/api/studio/models'
export const MODEL_PATH = `${MODELS_PATH}/:process`

/** A flow by its process. */
export const OfProcess = Type.Object({ process: Type.String({ pattern: '^[A-Za-z0-9-]+$', maxLength: 100 }) })
/** Id of a deployed version. */
export const DefinitionId = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9._:/-]+$' })
/** Reason of an act. */
export const Note = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })
/** Confirmation, by the owner who deploys and the one who approves, of table rows after which nobody decides. */
export const NobodyDecides = Type.Optional(
  Type.Boolean({ description: 'Deliberate: some rows of its tables need no decision' }),
)
/** A diagram as BPMN 2.0; larger than 1 MiB, the service rejects it with a message. */
export const Bpmn = Type.String({ maxLength: 2_000_000, description: 'BPMN 2.0, at most 1 MiB' })
/** A decision table with its file name. */
export const Table = component(
  'DecisionTable',
  Type.Object(
    {
      key: Type.String({
        pattern: '^[a-z0-9-]+/[A-Za-z0-9_-]+\\.dmn$',
        maxLength: 120,
        description: '`<area>/<file>.dmn`',
      }),
      content: Type.String({ maxLength: 1_200_000, description: 'DMN 1.3' }),
    },
    { additionalProperties: false },
  ),
)
export const Tables = Type.Array(Table, { maxItems: 20 })
/** Largest request with a model and its tables, in bytes. */
export const MODEL_LIMIT = 4 * 1024 * 1024

const Source = Type.Enum(['repository', 'owner'])
const Results = Nullable(
  Type.Object(
    { runId: Id, passed: Type.Integer(), total: Type.Integer() },
    { description: 'Results of the scenarios before it was deployed' },
  ),
)
export const Version = component(
  'ModelVersion',
  Type.Object({
    definitionId: Type.String(),
    version: Type.Integer(),
    deployedAt: Moment,
    by: Nullable(Type.String({ description: 'Person who deployed it; null for the version shipped with the product' })),
    note: Nullable(Type.String({ description: 'Reason' })),
    source: Source,
    approvedBy: Nullable(Type.String()),
    results: Results,
    running: Type.Integer({ description: 'Number of running cases' }),
    ended: Type.Integer({ description: 'Number of ended cases' }),
  }),
)
const Deployed = component('Deployment', Type.Object({ definitionId: Type.String(), version: Type.Integer() }))
/** Either new cases start from it, or another owner is asked. */
export const Released = component(
  'Release',
  Type.Object({
    deployed: Type.Optional(Deployed),
    waiting: Type.Optional(Type.Object({ id: Id }, { description: 'The proposal waiting for another owner' })),
  }),
)
export const Decided = component('Decided', Type.Object({ deployed: Nullable(Deployed) }))
export const Lock = component('ModelLock', Type.Object({ by: Type.String(), until: Moment, mine: Type.Boolean() }))
export const Draft = component(
  'ModelDraft',
  Type.Object({
    revision: Type.Integer(),
    bpmn: Type.String(),
    dmn: Type.Array(Table),
    savedAt: Moment,
    savedBy: Type.String(),
    base: Deployed,
    behind: Type.Boolean({ description: 'Another version has been deployed since it was opened' }),
    lock: Nullable(Lock),
  }),
)
export const Proposal = component(
  'Proposal',
  Type.Object({
    id: Id,
    state: Type.Enum(['waiting', 'accepted', 'refused', 'withdrawn']),
    note: Type.String(),
    proposedBy: Type.String(),
    proposedAt: Moment,
    mine: Type.Boolean({ description: 'You proposed it' }),
    base: Deployed,
    restores: Nullable(Type.Integer({ description: 'The version that it restores' })),
    results: Nullable(Type.String({ description: 'The scenario run it was proposed with' })),
    bpmn: Type.String(),
    dmn: Type.Array(Table),
  }),
)
export const Problems = component(
  'ModelProblems',
  Type.Object({
    problems: Type.Array(
      Type.Object({
        element: Type.String({
          description: 'Id of the element; of the process or `definitions` for the whole model',
        }),
        reason: Type.String(),
        level: Type.Enum(['error', 'warning']),
        source: Type.Enum(['gate', 'lint']),
        rule: Type.Optional(Type.String({ description: 'Name of the lint rule' })),
        apartFrom: Type.Optional(
          Type.String({ description: 'Who must be listed in its four eyes: `requester`, or the id of a desk' }),
        ),
      }),
    ),
  }),
)
const names = Type.Array(Type.String())
export const Vocabulary = component(
  'Vocabulary',
  Type.Object({
    forms: Type.Array(
      Type.Object({
        key: Type.String(),
        title: Type.String(),
        outcomes: Type.Array(Type.Object({ value: Type.String(), title: Type.String() })),
      }),
    ),
    roles: Type.Array(
      Type.Object({
        role: Type.String(),
        scopes: Type.Array(Type.Object({ kind: Type.String(), variable: Type.String() })),
      }),
    ),
    people: Type.Array(Type.Object({ candidate: Type.String(), title: Type.String() })),
    topics: Type.Array(
      Type.Object({ topic: Type.String(), title: Type.String(), needs: names, gives: names, raises: names }),
    ),
    mails: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
    statusLists: Type.Array(
      Type.Object({
        property: Type.String(),
        states: Type.Array(Type.Object({ state: Type.String(), title: Type.String() })),
      }),
    ),
    decisions: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), reads: names, gives: names })),
    messages: names,
    variables: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), from: Type.String() })),
    calls: names,
    errors: names,
  }),
)

/** A flow in the list of models. */
export const ModelSummary = Type.Object({
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
      { description: 'The version that new cases start on' },
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
        mine: Type.Boolean({ description: 'You proposed it' }),
        undecided: Type.Array(Type.String(), { description: 'Rows of its tables that need no decision' }),
        results: Results,
      },
      { description: 'What waits for the approval of another owner' },
    ),
  ),
  moving: Type.Array(Type.Object({ id: Id, from: Type.String(), to: Type.String() }), {
    description: 'Running migrations of cases',
  }),
  secondOwner: Type.Boolean({ description: 'Deployments need the approval of another owner' }),
  mayAskWaiver: Type.Boolean({ description: 'You may request a waiver of the second owner' }),
  waiver: Nullable(
    Type.Object(
      {
        id: Id,
        reason: Type.String(),
        askedBy: Type.String(),
        askedAt: Moment,
        mine: Type.Boolean({ description: 'You requested it' }),
      },
      { description: 'A requested waiver of the second owner, waiting for a second person' },
    ),
  ),
})
