import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import { component } from '../../kernel/components.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Form, FormData, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { discardStepDraft, readOwnRecord, saveStep } from './service.ts'

const Name = Type.String({ pattern: '^[a-z0-9-]{1,60}$' })
const RecordPath = Type.Object({ area: Name, record: Name })
const StepPath = Type.Object({ area: Name, record: Name, step: Type.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' }) })
const keyOf = ({ area, record }: { area: string; record: string }) => `${area}/${record}`

const OwnRecord = component(
  'OwnRecord',
  Type.Object({
    title: Type.String({ description: 'Text key' }),
    steps: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String({ description: 'Text key' }),
        optional: Type.Boolean(),
        state: Type.Enum(['open', 'done', 'to-correct']),
        form: Form,
        initial: FormData,
        data: Nullable(FormData),
        draft: Nullable(FormData),
        version: Nullable(Type.Integer()),
        savedAt: Nullable(Moment),
      }),
    ),
  }),
)

/** Records that people fill in over many sittings. */
export function ownRecordRoutes(
  app: App,
  dependencies: { db: Kysely<DB>; library: Library; store: ObjectStore },
): void {
  app.get(
    '/api/records/:area/:record',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getOwnRecord',
        tags: ['records'],
        summary: 'Get your own record with all its steps',
        description:
          'Applications copy `data`, as last saved as complete. `draft` is what was typed since, `initial` what the form holds before. A step `to-correct` does not fit the rules of today.',
        params: RecordPath,
        response: { 200: OwnRecord, ...refusals(401, 404) },
      },
    },
    async (request) => readOwnRecord(dependencies, personOf(request), keyOf(request.params)),
  )

  app.put(
    '/api/records/:area/:record/steps/:step',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'saveOwnRecordStep',
        tags: ['records'],
        summary: 'Save a step of your own record, as a draft or as complete',
        description:
          'Only complete steps are checked, and only they are copied into applications. Fails with `platform.draft-changed` if another device has saved in the meantime: read the record again.',
        params: StepPath,
        body: Type.Object(
          {
            data: FormData,
            complete: Type.Boolean(),
            version: Type.Optional(
              Type.Integer({ minimum: 1, description: 'Version that this is based on; omitted for the first' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ version: Type.Integer(), savedAt: Moment }),
          ...refusals(401, 404, 409, 413, 422),
        },
      },
    },
    async (request) => {
      const of = { record: keyOf(request.params), step: request.params.step }
      return saveStep(dependencies, personOf(request), of, request.body)
    },
  )

  app.delete(
    '/api/records/:area/:record/steps/:step/draft',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'discardOwnRecordDraft',
        tags: ['records'],
        summary: 'Discard what was typed in a step since it was last complete',
        params: StepPath,
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const of = { record: keyOf(request.params), step: request.params.step }
      await discardStepDraft(dependencies, personOf(request), of)
      return reply.code(204).send(null)
    },
  )
}
