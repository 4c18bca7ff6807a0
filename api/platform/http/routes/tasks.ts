import { Type } from 'typebox'
import type { App, Dependencies } from '../app.ts'
import { personOf } from '../auth.ts'
import { languageOf } from '../problems.ts'
import {
  FormData,
  Id,
  Key,
  Moment,
  Named,
  Nullable,
  PageOf,
  Query,
  Who,
  filtersOf,
  paging,
  refusals,
} from '../schemas.ts'
import { Case, follow } from './cases.ts'

const Count = Type.Object({ value: Type.Integer(), more: Type.Boolean() })
const TaskId = Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9:-]{1,100}$' }) })

const TaskRow = Type.Object({
  id: Type.String(),
  caseId: Id,
  reference: Type.String(),
  flow: Type.String(),
  flowTitle: Type.String(),
  desk: Type.String(),
  name: Type.String(),
  title: Type.String({ description: 'One line by which people recognise the case' }),
  subject: FormData,
  requester: Who,
  state: Type.Enum(['open', 'held', 'accepted', 'done', 'void']),
  assignee: Nullable(Who),
  decidedBy: Nullable(Who),
  createdAt: Moment,
  dueAt: Nullable(Moment),
  priority: Type.Integer(),
  status: Named,
  standsInFor: Nullable(Type.String({ description: 'The desk that nobody is at, where that is why one has the task' })),
  version: Type.Integer(),
})

/** The inbox, and acting on a task. */
export function taskRoutes(app: App, { tasks }: Pick<Dependencies, 'tasks'>): void {
  app.get(
    '/api/tasks',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listTasks',
        tags: ['tasks'],
        summary: 'One queue of the inbox, the newest first; `filter.<field>` for what the forms mark with x-filter',
        querystring: Query(
          {
            ...paging,
            queue: Type.Optional(
              Type.Enum(['open', 'mine', 'group'], {
                default: 'open',
                description: 'Free to take, taken by the person who asks, taken by a colleague',
              }),
            ),
            flow: Type.Optional(Key),
            status: Type.Optional(Type.String({ maxLength: 100 })),
            desk: Type.Optional(Type.String({ maxLength: 100 })),
            search: Type.Optional(Type.String({ maxLength: 200, description: 'In reference, subject and requester' })),
            sort: Type.Optional(Type.Literal('created')),
          },
          { filters: true },
        ),
        response: { 200: PageOf(TaskRow), ...refusals(401) },
      },
    },
    async (request) => {
      const { queue = 'open', flow, status, desk, search, cursor, limit } = request.query
      const query = { queue, flow, status, desk, search, cursor, limit, filters: filtersOf(request.query) }
      return tasks.list(personOf(request), query, languageOf(request))
    },
  )

  app.get(
    '/api/tasks/count',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'countTasks',
        tags: ['tasks'],
        summary: 'How many tasks each queue has',
        response: { 200: Type.Object({ open: Count, mine: Count, group: Count }), ...refusals(401) },
      },
    },
    async (request) => tasks.count(personOf(request)),
  )

  app.get(
    '/api/tasks/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getTask',
        tags: ['tasks'],
        summary: 'A task with its form and its case',
        params: TaskId,
        response: {
          200: Type.Object({
            task: TaskRow,
            case: Case,
            form: Nullable(Type.Object({ key: Type.String(), hash: Type.String(), schema: FormData })),
            question: Nullable(Type.String({ description: 'What the desk has to answer' })),
            blockedBy: Nullable(Type.String({ description: 'Code of the reason why this person may not decide here' })),
            earlierDesks: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), by: Who }), {
              description: 'Desks that have decided before and can be named in the form, beside `requester`',
            }),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => {
      const found = await tasks.get(personOf(request), request.params.id, languageOf(request))
      follow(request, found.case.id)
      return found
    },
  )

  for (const [verb, operationId, summary] of [
    ['claim', 'claimTask', 'Takes a task for oneself'],
    ['release', 'releaseTask', 'Gives a task that one has taken back to all it was offered to'],
    ['undo', 'undoTask', 'Takes an own decision back that was made with `notBefore` and has not been sent yet'],
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
        follow(request, task.caseId)
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
        summary: 'Decides a task: `done`, or `accepted` while the engine catches up',
        params: TaskId,
        body: Type.Object(
          {
            data: FormData,
            notBefore: Type.Optional(
              Type.String({
                format: 'date-time',
                description: 'Until then `undo` takes it back; a correction of the start form takes effect at once',
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
      follow(request, result.caseId)
      return result
    },
  )
}
