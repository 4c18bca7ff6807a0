import { Type } from 'typebox'
import { whyContext, whyTask } from './why.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Cases } from '../cases/service.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Moment, Nullable, Who, refusals, TaskId } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

const Value = component('VariableValue', Type.Object({ name: Type.String(), value: Type.String() }))

export function whyRoutes(
  app: App,
  deps: {
    db: Kysely<DB>
    library: Library
    definitions: Definitions
    cases: Cases
    engine: Pick<Engine, 'decisions' | 'decisionXml' | 'variables'>
  },
): void {
  const context = whyContext(deps)

  app.get(
    '/api/tasks/:id/why',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getTaskWhy',
        tags: ['tasks'],
        summary: 'Explain why you have a task: its rule, the path to it, and what follows each decision',
        params: TaskId,
        response: {
          200: Type.Object({
            rule: Type.String({ description: 'Purpose of the desk, and who it is meant for' }),
            role: Type.String({ description: 'Capacity in which you have it' }),
            because: Nullable(
              Type.String({
                description: 'Why you have it in place of somebody else: a vacant post, or a substitution',
              }),
            ),
            decision: Nullable(
              Type.Object(
                {
                  name: Type.String(),
                  rows: Type.Array(
                    Type.Object({
                      inputs: Type.Array(Value),
                      outputs: Type.Array(Value),
                      rule: Nullable(Type.String({ description: 'Annotation of the row in the table' })),
                    }),
                  ),
                },
                { description: 'The row of a decision table that routed the case here' },
              ),
            ),
            path: Type.Array(
              Type.Object({
                element: Type.String(),
                name: Type.String(),
                at: Moment,
                by: Nullable(Who),
                outcome: Nullable(Type.String()),
              }),
              { description: 'Path of the case, oldest first' },
            ),
            before: Type.Array(
              Type.Object({
                desk: Type.String(),
                name: Type.String(),
                by: Who,
                for: Nullable(Who),
                at: Moment,
                outcome: Nullable(Type.String()),
              }),
              { description: 'Earlier decisions, oldest first' },
            ),
            next: Type.Array(
              Type.Object({
                outcome: Type.String(),
                title: Type.String(),
                leads: Type.Array(
                  Type.Object({
                    name: Type.String(),
                    who: Type.String(),
                    by: Nullable(Type.String({ description: 'Due time, in words' })),
                  }),
                ),
              }),
              { description: 'What each decision leads to' },
            ),
          }),
          ...refusals(401, 404),
        },
      },
    },
    async (request) => whyTask(context, personOf(request), request.params.id, languageOf(request)),
  )
}
