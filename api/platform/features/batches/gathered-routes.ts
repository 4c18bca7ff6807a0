import { Type } from 'typebox'
import { type GatherDependencies, MAX_GATHERED, previewGathered, startGathered } from './gathered.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Idempotent, refusals } from '../../http/schemas.ts'
import { CHOICE_LIMIT, flowOf, ids, LeftOut, listed, Of } from './schemas.ts'
import { component } from '../../kernel/components.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'

const Choice = Type.Object(
  {
    ids: ids(MAX_GATHERED, 'Items chosen one by one'),
    except: ids(MAX_GATHERED, 'Items that are left out'),
    ...listed,
  },
  { additionalProperties: false },
)

const Preview = component(
  'GatherPreview',
  Type.Object({
    total: Type.Integer(),
    ready: Type.Integer({ description: 'Items that a case would name' }),
    stamp: Type.String({ description: 'Changes when another item is ready, or one has changed' }),
    cases: Type.Array(
      Type.Object({
        status: Type.String({ description: 'Status of its items, in words' }),
        titles: Type.Array(Type.String(), { description: 'What its items have in common' }),
        count: Type.Integer(),
      }),
      { description: 'The cases that would begin' },
    ),
    leftOut: LeftOut,
  }),
)

/** Starts a flow for many chosen register items together. */
export function gatheredRoutes(app: App, deps: GatherDependencies): void {
  const config = { rule: 'signed-in' } as const
  const tags = ['batches']

  app.post(
    '/api/gathered-cases/:area/:flow/preview',
    {
      config,
      bodyLimit: CHOICE_LIMIT,
      schema: {
        operationId: 'previewGatheredCases',
        tags,
        summary: 'Show the cases that would begin for the chosen items, and the items left out; changes nothing',
        params: Of,
        body: Type.Object({ choice: Choice }, { additionalProperties: false }),
        response: { 200: Preview, ...refusals(401, 404, 422) },
      },
    },
    async (request) =>
      previewGathered(deps, personOf(request), flowOf(request.params), request.body.choice, languageOf(request)),
  )

  app.post(
    '/api/gathered-cases/:area/:flow',
    {
      config,
      bodyLimit: CHOICE_LIMIT,
      schema: {
        operationId: 'startGatheredCases',
        tags,
        summary: 'Begin the cases for the chosen items: all of them, or none',
        description:
          'The problem `platform.gathered-refused` has the items that are refused, with the reasons, in `refused`. ' +
          'A request repeated within a day with the same Idempotency-Key returns the same cases.',
        headers: Idempotent,
        params: Of,
        body: Type.Object(
          {
            choice: Choice,
            stamp: Type.String({ maxLength: 100, description: 'The one of the preview that was confirmed' }),
            data: FormData,
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            cases: Type.Array(Type.Object({ id: Id, reference: Type.String(), count: Type.Integer() })),
          }),
          ...refusals(401, 403, 404, 409, 422),
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is JSON
      const asked = { ...body, data: body.data as JsonObject, key: headers['idempotency-key'] }
      const cases = await startGathered(deps, personOf(request), flowOf(params), asked, languageOf(request))
      return reply.code(201).send({ cases })
    },
  )
}
