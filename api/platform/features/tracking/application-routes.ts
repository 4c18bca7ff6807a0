import { Type } from 'typebox'
import { applyWithAccount, publicFlow } from './applications.ts'
import type { GuestDependencies } from './guest-routes.ts'
import { BODY_LIMIT } from './requests.ts'
import type { App } from '../../http/app.ts'
import { beginForm } from '../../work/cases/begun.ts'
import { BegunForm } from '../../work/cases/start-draft-routes.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Idempotent, Key, Nullable, refusals } from '../../http/schemas.ts'
import { ProofHeader, anonymousWrites } from '../../http/anonymous-writes.ts'
import { component } from '../../kernel/components.ts'

/** Forms that visitors of one network may begin, such as all pupils of a school: each is a row. */
const BEGUN_PER_HOUR = 600

const Day = Type.String({ description: 'YYYY-MM-DD' })

const OpenEntry = component(
  'OpenEntry',
  Type.Object({
    id: Id,
    title: Type.String(),
    data: FormData,
    opens: Day,
    closes: Day,
    state: Type.Enum(['coming', 'open', 'closed']),
    places: Nullable(Type.Object({ there: Type.Integer(), free: Type.Integer() })),
  }),
)

/** Applications of people who get an account with them. */
export function applicationRoutes(app: App, dependencies: GuestDependencies): void {
  const { db, library, vault } = dependencies
  const { demandProof } = anonymousWrites({ db, vault })

  app.get(
    '/api/public/flows/:area/:name/open',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getPublicFlow',
        tags: ['public'],
        summary: 'Get the forms of a public flow, and the published items for which it opens',
        params: Type.Object({ area: Type.String({ maxLength: 60 }), name: Type.String({ maxLength: 60 }) }),
        response: {
          200: Type.Object({
            title: Type.String(),
            description: Nullable(Type.String()),
            form: Type.String(),
            field: Type.String({ description: 'Field of the form that names an item' }),
            account: Type.Object({
              form: Type.String(),
              after: Nullable(Type.String({ description: 'Field of the form that must be true first' })),
            }),
            schema: FormData,
            items: Type.Array(OpenEntry),
          }),
          ...refusals(404),
        },
      },
    },
    async ({ params }, reply) => {
      reply.header('cache-control', 'no-store')
      return publicFlow({ db, library }, `${params.area}/${params.name}`)
    },
  )

  app.post(
    '/api/public/applications/begun',
    {
      config: { rule: 'public', rateLimit: { max: BEGUN_PER_HOUR, timeWindow: '1 hour' } },
      schema: {
        operationId: 'beginApplication',
        tags: ['guests'],
        summary: 'Say that you begin the form for a register item; who has begun may send it a little later',
        body: Type.Object({ flow: Key, item: Id }, { additionalProperties: false }),
        response: { 200: BegunForm, ...refusals(403, 404, 422) },
      },
    },
    async (request) => beginForm(dependencies, request.body, null),
  )

  app.post(
    '/api/public/applications',
    {
      config: { rule: 'public' },
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'applyWithAccount',
        tags: ['guests'],
        summary: 'Start a case of a flow that gives its guests an account; a link to confirm the address is mailed',
        description:
          'Account and case are created together or not at all. `account` is the data of the account form that the flow names, `begun` the id of the form that was begun. A request repeated within a day with the same Idempotency-Key returns the same case.',
        headers: Type.Intersect([ProofHeader, Idempotent]),
        body: Type.Object(
          { flow: Key, data: FormData, account: FormData, begun: Type.Optional(Id) },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({ username: Type.String(), caseId: Id, reference: Type.String() }),
          ...refusals(404, 409, 413, 422, 428),
        },
      },
    },
    async (request, reply) => {
      await demandProof(request)
      const key = request.headers['idempotency-key']
      const asked = { ...request.body, ...(key === undefined ? {} : { key }) }
      return reply.code(201).send(await applyWithAccount(dependencies, asked, languageOf(request)))
    },
  )
}
