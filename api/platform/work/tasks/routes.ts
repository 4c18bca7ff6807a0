import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import type { Tasks } from './service.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Moment, Named, NamedPerson, Nullable, TaskId, Who, refusals } from '../../http/schemas.ts'
import { Case, UnavailableEntries } from '../cases/schemas.ts'
import { logCase } from '../cases/follow.ts'
import { taskTalk } from './schemas.ts'
import { component } from '../../kernel/components.ts'

export const TaskRow = component(
  'Task',
  Type.Object({
    id: Type.String(),
    caseId: Id,
    reference: Type.String(),
    flow: Type.String(),
    flowTitle: Type.String(),
    desk: Type.String(),
    name: Type.String(),
    title: Type.String({ description: 'One line that identifies the case to people' }),
    subject: FormData,
    requester: NamedPerson,
    state: Type.Enum(['open', 'held', 'accepted', 'done', 'void']),
    assignee: Nullable(Who),
    heldFor: Nullable(Type.Object(Who.properties, { description: 'Absent person that the assignee holds it for' })),
    for: Nullable(
      Type.Object(Who.properties, {
        description: 'Absent person that you have it for as substitute',
      }),
    ),
    delegatedBy: Nullable(Type.Object(Who.properties, { description: 'Person who asked the assignee for an opinion' })),
    asked: Type.Boolean({ description: 'A question to the requester is unanswered' }),
    comments: Type.Integer({ description: 'Number of comments on the case that you may read' }),
    decidedBy: Nullable(Who),
    decidedAt: Nullable(Moment),
    outcome: Nullable(Named),
    createdAt: Moment,
    dueAt: Nullable(Moment),
    overdue: Nullable(Type.Object({ workdays: Type.Integer() }, { description: 'Working days overdue' })),
    followUpAt: Nullable(Moment),
    priority: Type.Integer(),
    amount: Nullable(Type.Integer({ description: 'In cents' })),
    status: Named,
    standsInFor: Nullable(
      Type.String({ description: 'The desk of the vacant post, if that is why you have the task' }),
    ),
    columns: Type.Record(Type.String(), Type.Object({ text: Type.String() }), {
      description: 'Values of the flow’s columns, in words',
    }),
    version: Type.Integer(),
  }),
)

export function taskRoutes(app: App, { tasks }: { tasks: Tasks }): void {
  besideRoute(app, tasks)

  app.get(
    '/api/tasks/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getTask',
        tags: ['tasks'],
        summary: 'Get a task with its form and its case',
        params: TaskId,
        response: {
          200: Type.Object({
            task: TaskRow,
            case: Case,
            form: Nullable(Type.Object({ key: Type.String(), hash: Type.String(), schema: FormData })),
            question: Nullable(Type.String({ description: 'Decisions that the desk offers' })),
            blockedBy: Nullable(Type.String({ description: 'Code of the reason why you may not decide it' })),
            unavailable: UnavailableEntries,
            earlierDesks: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), by: Who }), {
              description: 'Desks that have decided before and can be selected in the form, in addition to `requester`',
            }),
            draft: Nullable(
              Type.Object(
                {
                  data: FormData,
                  version: Type.Integer(),
                  savedAt: Moment,
                  conflict: Nullable(Type.String({ description: 'Events since it was created that conflict with it' })),
                },
                { description: 'Your draft of the form' },
              ),
            ),
            ...taskTalk,
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => {
      const found = await tasks.get(personOf(request), request.params.id, languageOf(request))
      logCase(request, found.case.id)
      return found
    },
  )

  for (const [verb, operationId, summary] of [
    ['claim', 'claimTask', 'Takes a task for oneself'],
    ['release', 'releaseTask', 'Gives a task that one has taken back to all it was offered to'],
    ['undo', 'undoTask', 'Takes an own decision back that was made with `notBefore` and has not been sent yet'],
    ['send', 'sendTask', 'Sends an own decision at once that was made with `notBefore`'],
  ] as const) {
    app.post(
      `/api/tasks/:id/${verb}`,
      {
        config: { rule: 'signed-in' },
        schema: {
          operationId,
          tags: ['tasks'],
          summary,
          params: TaskId,
          response: { 200: TaskRow, ...refusals(401, 403, 404, 409) },
        },
      },
      async (request) => {
        const task = await tasks[verb](personOf(request), request.params.id, languageOf(request))
        logCase(request, task.caseId)
        return task
      },
    )
  }

  app.post(
    '/api/tasks/:id/complete',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'completeTask',
        tags: ['tasks'],
        summary: 'Decide a task: `done`, or `accepted` while the engine catches up',
        params: TaskId,
        body: Type.Object(
          {
            data: FormData,
            notBefore: Type.Optional(
              Type.String({
                format: 'date-time',
                description: 'Until then `undo` reverses it; a correction of the start form takes effect at once',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ state: Type.Enum(['done', 'accepted']), caseId: Id }),
          ...refusals(401, 403, 404, 409, 422),
        },
      },
    },
    async (request) => {
      const result = await tasks.complete(personOf(request), request.params.id, request.body)
      logCase(request, result.caseId)
      return result
    },
  )
}

function besideRoute(app: App, tasks: Tasks): void {
  app.get(
    '/api/tasks/:id/beside',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getTaskBeside',
        tags: ['tasks'],
        summary: 'What the flow says beside the fields of a task’s form at this moment, such as places left',
        params: TaskId,
        response: {
          200: Type.Object({
            notes: Type.Array(
              Type.Object({
                field: Type.String({ description: 'JSON pointer of the field' }),
                text: Type.String(),
                short: Type.Boolean({ description: 'It speaks against choosing the value' }),
              }),
            ),
            limits: Type.Array(
              Type.Object({
                field: Type.String({ description: 'JSON pointer of the list that is added up' }),
                least: Type.Number(),
                most: Type.Number(),
              }),
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => tasks.beside(personOf(request), request.params.id, languageOf(request)),
  )
}
