import Type, { type Static } from 'typebox'
import { component } from '../../kernel/components.ts'

const Value = Type.Union([Type.String({ maxLength: 4000 }), Type.Number(), Type.Boolean(), Type.Null()])
/** Values of variables by name; a text such as `+P3D` means three days after the present time of the trial. */
const Values = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Value)
const element = Type.String({ pattern: '^[A-Za-z_][\\w.-]{0,199}$' })

/** A worker's answer: its output, or the business error that it raised. */
const Answer = component(
  'WorkerAnswer',
  Type.Object(
    { gives: Type.Optional(Values), raises: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) },
    { additionalProperties: false },
  ),
)

/** One event of a case: a desk answers, time passes, the timer of one element fires, a message arrives. */
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

/** A scenario of a case with its expected result: stored with the flow and run on the engine before a deployment. */
export const Scenario = component(
  'Scenario',
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, format: 'name' }),
      /** Variables at the start, beside those that the server always sets. */
      start: Type.Optional(Values),
      steps: Type.Array(Step, { maxItems: 200 }),
      /** Topic or element id → what its worker answers; the last of several answers is repeated. */
      topics: Type.Optional(
        Type.Record(Type.String({ maxLength: 200 }), Type.Union([Answer, Type.Array(Answer, { maxItems: 200 })])),
      ),
      expect: Type.Object(
        {
          /** Status list → its states in order. */
          statuses: Type.Optional(
            Type.Record(Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 100 }))),
          ),
          /** The expected end event. */
          end: Type.Optional(element),
          /** Or the desks at which it waits at the end. */
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

/** The result of one scenario, or of one replayed case. */
export const Result = component(
  'ScenarioResult',
  Type.Object({
    name: Type.String(),
    passed: Type.Boolean(),
    /** Why it failed: `element` is where, `step` the number (from 1) of the step that was not possible. */
    reasons: Type.Array(
      Type.Object({
        element: Type.Union([Type.String(), Type.Null()]),
        reason: Type.String(),
        step: Type.Optional(Type.Integer()),
      }),
    ),
    statuses: Type.Record(Type.String(), Type.Array(Type.String())),
    /** The end event; null if it did not end. */
    end: Type.Union([Type.String(), Type.Null()]),
    /** The elements in the order in which they were reached. */
    path: Type.Array(Type.String()),
  }),
)
export type Result = Static<typeof Result>
