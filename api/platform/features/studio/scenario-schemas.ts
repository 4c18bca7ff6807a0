import { Type } from 'typebox'
import { Result } from '../../model/definitions/scenario.ts'
import { FormData, Id, Moment, Nullable } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

export const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const Last = component(
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
