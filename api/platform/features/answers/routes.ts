import { Type } from 'typebox'
import { type AnswerDependencies, answerByLink, lookAtQuestion } from './service.ts'
import type { App } from '../../http/app.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Key, Moment, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

/** Largest answer. */
const BODY_LIMIT = 64 * 1024
const Token = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$' }) })

const Asked = component(
  'MailedQuestion',
  Type.Object({
    flowTitle: Type.String(),
    question: Type.String(),
    name: Type.String({ description: 'The person who is asked' }),
    language: Type.Enum(['en', 'si', 'ta'], { description: 'In which the person is written to' }),
    closesAt: Moment,
    shown: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
    form: Type.Object({ key: Key, hash: Type.String(), schema: FormData }),
  }),
)

/** Answering a question of a case with a mailed link, without an account. */
export function answerRoutes(app: App, deps: AnswerDependencies): void {
  const config = { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } } as const

  app.get(
    '/api/public/answers/:token',
    {
      config,
      schema: {
        operationId: 'lookAtMailedQuestion',
        tags: ['public'],
        summary: 'Show what the link of an email asks; showing answers nothing',
        params: Token,
        response: { 200: Asked, ...refusals(410) },
      },
    },
    async (request) => lookAtQuestion(deps, request.params.token, languageOf(request)),
  )

  app.post(
    '/api/public/answers/:token',
    {
      config,
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'answerMailedQuestion',
        tags: ['public'],
        summary: 'Answer with the link of an email, once',
        params: Token,
        body: Type.Object({ data: FormData }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            state: Type.Enum(['done', 'accepted'], { description: 'Saved and in effect, or saved' }),
          }),
          ...refusals(409, 410, 413, 422),
        },
      },
    },
    async (request) => answerByLink(deps, request.params.token, request.body.data, languageOf(request)),
  )
}
