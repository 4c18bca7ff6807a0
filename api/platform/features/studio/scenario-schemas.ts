import { Type } from 'typebox'
import { Result, Scenario } from '../../model/definitions/scenario.ts'
import { FormData, Id, Moment, Nullable } from '../../http/schemas.ts'
import { OfProcess } from './schemas.ts'
import { component } from '../../kernel/components.ts'

/** What a variable may be. */
export const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** How a scenario last went. */
const Last = component(
  'LastRun',
  Type.Object({
    runId: Id,
    at: Moment,
    passed: Type.Boolean(),
    ofDraft: Type.Boolean(),
    outdated: Type.Boolean({ description: 'The model, or the scenario, has changed since' }),
    reasons: Result.properties.reasons,
  }),
)

const Named = component('NamedElement', Type.Object({ id: Type.String(), name: Type.String() }))

const AnswerForm = component('DeskForm', Type.Object({ ...Named.properties, form: FormData }))

/** A scenario of a flow, with how it last went. */
const KeptScenario = Type.Object({
  id: Type.String(),
  source: Type.Enum(['repository', 'owner']),
  scenario: Scenario,
  changedBy: Nullable(Type.String()),
  changedAt: Nullable(Moment),
  last: Nullable(Last),
})

/** The scenarios of a flow, with the newest run of real cases and the run that goes on. */
export const KeptScenarios = Type.Object({
  items: Type.Array(KeptScenario),
  rehearsal: Nullable(Id),
  running: Nullable(Id),
})

/** What a scenario can be made of. */
export const Parts = component(
  'ScenarioParts',
  Type.Object({
    start: FormData,
    moments: Type.Array(Named),
    desks: Type.Array(AnswerForm),
    timers: Type.Array(Named),
    messages: Type.Array(AnswerForm),
    topics: Type.Array(
      Type.Object({ ...AnswerForm.properties, moments: Type.Array(Named), raises: Type.Array(Type.String()) }),
    ),
    statusLists: Type.Array(
      Type.Object({ ...Named.properties, first: Nullable(Type.String()), states: Type.Array(Named) }),
    ),
    ends: Type.Array(Named),
  }),
)

/** A scenario, or a run of some, of a flow. */
export const OfScenario = Type.Object({ ...OfProcess.properties, id: Type.String({ format: 'uuid' }) })
