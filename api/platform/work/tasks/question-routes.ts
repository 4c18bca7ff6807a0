import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, TaskId, refusals } from '../../http/schemas.ts'
import { Case } from '../cases/schemas.ts'
import { logCase } from '../cases/follow.ts'
import type { Cases } from '../cases/service.ts'
import { followed } from './followed.ts'
import { type QuestionsDependencies, answerQuestion, askRequester, withdrawQuestion } from './questions.ts'
import { TaskRow } from './routes.ts'

const closed = { additionalProperties: false }
const Words = Type.String({ minLength: 1, maxLength: 4000 })

/** Questions that a desk asks the requester. */
export function taskQuestionRoutes(app: App, deps: QuestionsDependencies & { cases: Cases }): void {
  const signedIn = { rule: 'signed-in' } as const
  const response = { 200: TaskRow, ...refusals(401, 403, 404, 409, 422) }
  const tags = ['tasks']

  app.post(
    '/api/tasks/:id/question',
    {
      config: signedIn,
      schema: {
        operationId: 'askRequester',
        tags,
        summary: 'Ask the requester a question; the task waits for the answer',
        params: TaskId,
        body: Type.Object({ question: Type.String({ minLength: 1, maxLength: 2000 }) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await askRequester(deps, person, id, request.body.question, languageOf(request)))
    },
  )

  app.delete(
    '/api/tasks/:id/question',
    {
      config: signedIn,
      schema: {
        operationId: 'withdrawQuestion',
        tags,
        summary: 'Withdraw a question that has not been answered',
        params: TaskId,
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await withdrawQuestion(deps, person, id, languageOf(request)))
    },
  )

  app.post(
    '/api/cases/:id/questions/:question/answer',
    {
      config: signedIn,
      schema: {
        operationId: 'answerQuestion',
        tags: ['cases'],
        summary: 'Answer a question about your case',
        params: Type.Object({ id: Id, question: Id }),
        body: Type.Object({ answer: Words }, closed),
        response: { 200: Case, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const [person, { id, question }] = [personOf(request), request.params]
      logCase(request, id)
      await answerQuestion(deps, person, id, question, request.body.answer)
      return deps.cases.get(person, id, languageOf(request))
    },
  )
}
