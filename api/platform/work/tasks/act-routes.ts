import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TaskSummary } from './task-rows.ts'
import { taskActs } from './acts.ts'
import { caseQuestions } from './questions.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../cases/service.ts'
import type { Vault } from '../../kernel/keys.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Moment, Nullable, Query, refusals, TaskId } from '../../http/schemas.ts'
import { Case, follow } from '../cases/routes.ts'
import { TaskRow } from './routes.ts'

const closed = { additionalProperties: false }
const Reason = Type.String({ minLength: 1, maxLength: 500 })
const Words = Type.String({ minLength: 1, maxLength: 4000 })

/** What people do with a task beside deciding it: handing it on, putting it off, asking about it. */
export function taskActRoutes(
  app: App,
  deps: { db: Kysely<DB>; library: Library; definitions: Definitions; cases: Cases; vault: Vault; publicUrl: string },
): void {
  const acts = taskActs(deps)
  const questions = caseQuestions(deps)
  const signedIn = { rule: 'signed-in' } as const
  const response = { 200: TaskRow, ...refusals(401, 403, 404, 409, 422) }
  const tags = ['tasks']

  app.post(
    '/api/tasks/:id/assign',
    {
      config: signedIn,
      schema: {
        operationId: 'assignTask',
        tags,
        summary: 'Gives a task to somebody else it is offered to; who leads there also takes it from somebody',
        params: TaskId,
        body: Type.Object({ to: Id, reason: Type.Optional(Reason) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.assign(person, id, request.body, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/delegate',
    {
      config: signedIn,
      schema: {
        operationId: 'delegateTask',
        tags,
        summary: 'Asks a colleague for an opinion: they hold the task until they give it back, and may not decide it',
        params: TaskId,
        body: Type.Object({ to: Id, words: Words }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.delegate(person, id, request.body, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/resolve',
    {
      config: signedIn,
      schema: {
        operationId: 'resolveTask',
        tags,
        summary: 'Gives a task back with one’s opinion to the requester for it',
        params: TaskId,
        body: Type.Object({ opinion: Words }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.resolve(person, id, request.body.opinion, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/follow-up',
    {
      config: signedIn,
      schema: {
        operationId: 'followUpTask',
        tags,
        summary: 'Puts a task off until a date, or takes it up again; a free one is taken with it',
        params: TaskId,
        body: Type.Object({ at: Nullable(Moment) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.followUp(person, id, request.body.at, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/priority',
    {
      config: signedIn,
      schema: {
        operationId: 'setTaskPriority',
        tags,
        summary: 'Says how urgent a task is: 25 low, 50 as usual, 75 high',
        params: TaskId,
        body: Type.Object({ priority: Type.Enum([25, 50, 75]) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.setPriority(person, id, request.body.priority, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/due',
    {
      config: signedIn,
      schema: {
        operationId: 'setTaskDue',
        tags,
        summary: 'Says until when a task is to be decided; for who leads there',
        params: TaskId,
        body: Type.Object({ at: Moment, reason: Reason }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await acts.setDue(person, id, request.body, languageOf(request)))
    },
  )

  app.post(
    '/api/tasks/:id/question',
    {
      config: signedIn,
      schema: {
        operationId: 'askRequester',
        tags,
        summary: 'Asks the requester something; until it is answered the task waits, and then comes back',
        params: TaskId,
        body: Type.Object({ question: Type.String({ minLength: 1, maxLength: 2000 }) }, closed),
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await questions.ask(person, id, request.body.question, languageOf(request)))
    },
  )

  app.delete(
    '/api/tasks/:id/question',
    {
      config: signedIn,
      schema: {
        operationId: 'withdrawQuestion',
        tags,
        summary: 'Takes back a question that has not been answered yet',
        params: TaskId,
        response,
      },
    },
    async (request) => {
      const [person, { id }] = [personOf(request), request.params]
      return followed(request, await questions.withdraw(person, id, languageOf(request)))
    },
  )

  app.get(
    '/api/tasks/:id/people',
    {
      config: signedIn,
      schema: {
        operationId: 'listPeopleForTask',
        tags,
        summary: 'To whom a task can be given, or who can be asked for an opinion on it; whoever has least comes first',
        params: TaskId,
        querystring: Query({
          for: Type.Enum(['assign', 'delegate']),
          search: Type.Optional(Type.String({ maxLength: 100, description: 'In name and post' })),
        }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                post: Nullable(Type.String()),
                load: Type.Integer({ description: 'How many tasks they have taken' }),
              }),
            ),
          }),
          ...refusals(401, 403, 404, 409),
        },
      },
    },
    async (request) => ({ items: await acts.people(personOf(request), request.params.id, request.query) }),
  )

  app.post(
    '/api/cases/:id/questions/:question/answer',
    {
      config: signedIn,
      schema: {
        operationId: 'answerQuestion',
        tags: ['cases'],
        summary: 'Answers a question that was asked about an own case',
        params: Type.Object({ id: Id, question: Id }),
        body: Type.Object({ answer: Words }, closed),
        response: { 200: Case, ...refusals(401, 403, 404, 409) },
      },
    },
    async (request) => {
      const [person, { id, question }] = [personOf(request), request.params]
      follow(request, id)
      await questions.answer(person, id, question, request.body.answer)
      return deps.cases.get(person, id, languageOf(request))
    },
  )
}

/** The answer of an act; the lines of the request name the case from here on. */
function followed(request: FastifyRequest, task: TaskSummary): TaskSummary {
  follow(request, task.caseId)
  return task
}
