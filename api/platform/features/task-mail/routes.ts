import { Type } from 'typebox'
import { decideByLink, lookAtLink } from './service.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { SecondFactorPolicy } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Key, Moment, Named, NamedPerson, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

/** Largest answer of a desk. */
const BODY_LIMIT = 64 * 1024
const Token = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$' }) })
const Name = Type.Object({ name: Type.String() })
const FormName = { key: Key, hash: Type.String() }

const Decision = component(
  'MailDecision',
  Type.Object({
    state: Type.Literal('open'),
    task: Type.String(),
    reader: Name,
    for: Nullable(Name),
    reference: Type.String(),
    flow: Key,
    flowTitle: Type.String(),
    title: Type.String(),
    question: Nullable(Type.String({ description: 'Decisions that the desk offers' })),
    requester: Type.Object({ ...Name.properties, registered: NamedPerson.properties.registered }),
    status: Named,
    createdAt: Moment,
    dueAt: Nullable(Moment),
    subject: FormData,
    facts: FormData,
    shownFacts: Type.Array(Type.String(), { description: 'Facts that are shown' }),
    factUnits: Type.Record(Type.String(), Type.String(), { description: 'Units of facts that are amounts' }),
    data: FormData,
    startForm: Type.Object(FormName, { description: 'The form that `data` conforms to' }),
    decisions: Type.Array(
      Type.Object({ task: Type.String(), outcome: Named, reason: Nullable(Type.String()), by: Name, at: Moment }),
    ),
    form: Type.Object({ ...FormName, schema: FormData }),
    earlierDesks: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), by: Name })),
  }),
)

/** Deciding one task with a mailed link, without signing in. */
export function taskLinkRoutes(
  app: App,
  deps: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    tasks: Tasks
    sender: Pick<Sender, 'deliver'>
    secondFactor: SecondFactorPolicy
    identity?: object | undefined
  },
): void {
  const signInOnly = deps.secondFactor !== 'optional' || deps.identity !== undefined
  const context = { ...deps, signInOnly }
  const config = { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } } as const

  app.get(
    '/api/task-links/:token',
    {
      config,
      schema: {
        operationId: 'lookAtTaskLink',
        tags: ['tasks'],
        summary: 'Show what the link of an email is about; showing decides nothing',
        params: Token,
        response: {
          200: Type.Union([
            Type.Object({
              state: Type.Literal('sign-in', { description: 'The decision needs a sign-in' }),
              task: Type.String(),
            }),
            Decision,
          ]),
          ...refusals(403, 409, 410),
        },
      },
    },
    async (request) => lookAtLink(context, request.params.token, languageOf(request)),
  )

  app.post(
    '/api/task-links/:token',
    {
      config,
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'decideByTaskLink',
        tags: ['tasks'],
        summary: 'Decide the task of the link, which can be used once',
        params: Token,
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: {
          200: Type.Object({ state: Type.Enum(['done', 'accepted']) }),
          ...refusals(403, 409, 410, 413, 422),
        },
      },
    },
    async (request) => decideByLink(context, request.params.token, request.body.data),
  )
}
