import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { findBooker, findOwnBooker, openBookerAccount } from './bookers.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { SignInElsewhere } from './external-sessions.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { FormData, Id, Nullable, Query, refusals } from '../../http/schemas.ts'

/** Rate limit per person: enough to fill in forms, too low to enumerate numbers. */
const seldom = { max: 30, timeWindow: '1 minute' }

const Booker = {
  name: Type.String(),
  email: Type.String(),
  contact_no: Nullable(Type.String()),
  designation: Nullable(Type.String()),
  reg_no: Nullable(Type.String()),
  employee_id: Nullable(Type.String()),
  associated_as: Nullable(Type.String()),
  accountId: Nullable(Id),
}

/** People that somebody books for. */
export function bookerRoutes(
  app: App,
  {
    db,
    library,
    publicUrl,
    identity,
  }: { db: Kysely<DB>; library: Library; publicUrl: string; identity?: SignInElsewhere | undefined },
): void {
  const context = { db, library, publicUrl, identity }

  app.get(
    '/api/bookers',
    {
      config: { rule: 'signed-in', rateLimit: seldom },
      schema: {
        operationId: 'findBooker',
        tags: ['bookers'],
        summary:
          'Get the form fields known about the person with a NIC or employee number: yourself, or somebody you book for',
        querystring: Query({
          nic: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
          employee_id: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
        }),
        response: {
          200: Type.Object(Booker),
          // Nobody found, or nobody that this person may see. It is the normal case while a form is filled in, so it is
          // not an error.
          204: Type.Null(),
          ...refusals(401),
        },
      },
    },
    async (request, reply) => {
      const { nic, employee_id: employeeId } = request.query
      if (nic === undefined && employeeId === undefined)
        throw new BusinessError('platform.request-invalid', {}, [
          { field: 'query/nic', code: 'platform.field-required' },
        ])
      const sought = { ...(nic && { nic }), ...(employeeId && { employeeId }) }
      return (await findBooker(context, personOf(request), sought)) ?? reply.code(204).send(null)
    },
  )

  app.get(
    '/api/bookers/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'findMyselfAsBooker',
        tags: ['bookers'],
        summary: 'Get the form fields that your own register entry fills in, if you have an entry',
        response: {
          200: Type.Object({
            entry: Nullable(
              Type.Object({ ...Booker, nic: Nullable(Type.String()), salutation: Nullable(Type.String()) }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { entry: await findOwnBooker(context, personOf(request)) }
    },
  )

  app.post(
    '/api/bookers',
    {
      config: { rule: 'signed-in', rateLimit: seldom },
      schema: {
        operationId: 'makeBookerAccount',
        tags: ['bookers'],
        summary: 'Get the account of a person you book for; created and announced by email if they have none',
        description: 'The body is the data of the form `applicant-accounts/temporary-account`.',
        body: FormData,
        response: {
          200: Type.Object({ accountId: Id }, { description: 'The account existed before' }),
          201: Type.Object({ accountId: Id }),
          ...refusals(401, 403, 409, 422),
        },
      },
    },
    async (request, reply) => {
      const { accountId, made } = await openBookerAccount(context, personOf(request), request.body, languageOf(request))
      return reply.code(made ? 201 : 200).send({ accountId })
    },
  )
}
