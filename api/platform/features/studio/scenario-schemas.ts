import { Type } from 'typebox'
import { Result, Scenario } from '../../model/definitions/scenario.ts'
import { FormData, Id, Moment, Nullable } from '../../http/schemas.ts'
import { OfProcess } from './schemas.ts'
import { component } from '../../kernel/components.ts'

/** Value of a variable. */
export const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** The last result of a scenario. */
const Last = component(
  'LastRun',
  Type.Object({
    runId: Id,
    at: Moment,
    passed: Type.Boolean(),
    ofDraft: Type.Boolean(),
    outdated: Type.Boolean({ description: 'The model or the scenario has changed since' }),
    reasons: Result.properties.reasons,
  }),
)

const Named = component('NamedElement', Type.Object({ id: Type.String(), name: Type.String() }))

const AnswerForm = component('DeskForm', Type.Object({ ...Named.properties, form: FormData }))

/** A scenario of a flow, with its last result. */
const KeptScenario = Type.Object({
  id: Type.String(),
  source: Type.Enum(['repository', 'owner']),
  scenario: Scenario,
  changedBy: Nullable(Type.String()),
  changedAt: Nullable(Moment),
  last: Nullable(Last),
})

/** The scenarios of a flow, with the newest replay and the present run. */
export const KeptScenarios = Type.Object({
  items: Type.Array(KeptScenario),
  rehearsal: Nullable(Id),
  running: Nullable(Id),
})

/** The parts that a scenario can be made of. */
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

/** A scenario or a run of a flow. */
export const OfScenario = Type.Object({ ...OfProcess.properties, id: Type.String({ format: 'uuid' }) })
