import Type, { type Static } from 'typebox'
import { component } from '../../kernel/components.ts'

const Value = Type.Union([Type.String({ maxLength: 4000 }), Type.Number(), Type.Boolean(), Type.Null()])
/** Values of variables by name; a text such as `+P3D` stands for the moment three days after the present one of the trial. */
const Values = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Value)
const element = Type.String({ pattern: '^[A-Za-z_][\\w.-]{0,199}$' })

/** What a worker answered: what it gave, or the business error that it raised. */
const Answer = component(
  'WorkerAnswer',
  Type.Object(
    { gives: Type.Optional(Values), raises: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
    { additionalProperties: false },
  ),
)

/** One thing that happens to a case: a desk answers, time passes, the timer of one element fires, a message comes. */
const Step = component(
  'ScenarioStep',
  Type.Union([
    Type.Object(
      { desk: element, outcome: Type.Optional(Type.String({ maxLength: 200 })), variables: Type.Optional(Values) },
      { additionalProperties: false },
    ),
    Type.Object({ passes: Type.String({ pattern: '^P[0-9TDHMWSY]{2,40}$' }) }, { additionalProperties: false }),
    Type.Object({ fires: element }, { additionalProperties: false }),
    Type.Object(
      { message: Type.String({ minLength: 1, maxLength: 200 }), variables: Type.Optional(Values) },
      { additionalProperties: false },
    ),
  ]),
)

/** A story of a case, and how it should go: kept with the flow and told to the engine before a deployment. */
export const Scenario = component(
  'Scenario',
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      /** Variables at the start, beside those that the server always sets. */
      start: Type.Optional(Values),
      steps: Type.Array(Step, { maxItems: 200 }),
      /** Topic, or id of an element → what its worker answers; of several answers the last is repeated. */
      topics: Type.Optional(
        Type.Record(Type.String({ maxLength: 200 }), Type.Union([Answer, Type.Array(Answer, { maxItems: 200 })])),
      ),
      expect: Type.Object(
        {
          /** Status list → its states in order. */
          statuses: Type.Optional(
            Type.Record(Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 100 }))),
          ),
          /** The end event by which the case ends. */
          end: Type.Optional(element),
          /** Or the desks at which it waits then. */
          at: Type.Optional(Type.Array(element, { maxItems: 50 })),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
)
export type Scenario = Static<typeof Scenario>
export type Step = Static<typeof Step>
export type Answer = Static<typeof Answer>
export type Values = Static<typeof Values>

/** How one scenario, or one case that was told anew, went. */
export const Result = component(
  'ScenarioResult',
  Type.Object({
    name: Type.String(),
    passed: Type.Boolean(),
    /** Why it did not; `element` is where, `step` the number of the step, from 1, that could not be taken. */
    reasons: Type.Array(
      Type.Object({
        element: Type.Union([Type.String(), Type.Null()]),
        reason: Type.String(),
        step: Type.Optional(Type.Integer()),
      }),
    ),
    statuses: Type.Record(Type.String(), Type.Array(Type.String())),
    /** The end event; null where it did not end. */
    end: Type.Union([Type.String(), Type.Null()]),
    /** The elements in the order in which they were reached. */
    path: Type.Array(Type.String()),
  }),
)
export type Result = Static<typeof Result>
