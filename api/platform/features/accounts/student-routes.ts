import { Type } from 'typebox'
import { STUDENT_OFFICES } from './student-accounts.ts'
import { listStudents, sendPasswordLinks, SKIPPED } from './students.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Nullable, Query, paging, refusals } from '../../http/schemas.ts'
import { seldom, type AccountRouteDependencies } from './account-schemas.ts'

/** Selects students by their register entries. */
const studentFilter = {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(Type.String({ maxLength: 40 })),
  faculty: Type.Optional(Id),
  department: Type.Optional(Id),
  programme: Type.Optional(Id),
  intake: Type.Optional(Id),
  year: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
  link: Type.Optional(
    Type.Enum(['first', 'again', 'without-password', ...SKIPPED], {
      description: 'The state of their account and link; `without-password`: those who should have a password',
    }),
  ),
}

/** Links to a first password, which the student office mails. */
export function studentRoutes(
  app: App,
  { db, definitions, identity, library, publicUrl }: AccountRouteDependencies,
): void {
  const studentContext = { db, definitions, library, publicUrl, identity }

  app.get(
    '/api/students/password-links',
    {
      config: { rule: { groups: STUDENT_OFFICES } },
      schema: {
        operationId: 'listStudentLinks',
        tags: ['accounts'],
        summary: 'List the students in your care, each with the kind of password link that can be sent',
        querystring: Query({ ...paging, ...studentFilter }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                regNo: Type.String(),
                faculty: Id,
                department: Nullable(Id),
                intake: Id,
                year: Nullable(Type.Integer()),
                status: Type.String(),
                link: Type.Enum(['first', 'again', ...SKIPPED], {
                  description: 'First link, another link, or the reason why none can be sent',
                }),
              }),
            ),
            next: Nullable(Type.String()),
            total: Type.Integer({ description: 'Exact number of matching students' }),
            titles: Type.Record(Type.String(), Type.String()),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request) => listStudents(studentContext, personOf(request), request.query),
  )

  app.post(
    '/api/students/password-links',
    {
      config: { rule: { groups: STUDENT_OFFICES }, rateLimit: seldom },
      schema: {
        operationId: 'sendPasswordLinks',
        tags: ['accounts'],
        summary: 'Mail students the link to their first password, and create missing accounts',
        body: Type.Union([
          Type.Object({ items: Type.Array(Id, { minItems: 1, maxItems: 1000 }) }, { additionalProperties: false }),
          Type.Object(
            {
              filter: Type.Object(studentFilter, { additionalProperties: false }),
            },
            { additionalProperties: false },
          ),
        ]),
        response: {
          202: Type.Object({
            sent: Type.Integer(),
            resent: Type.Integer({ description: 'An earlier link was sent and not used' }),
            skipped: Type.Array(
              Type.Object({
                id: Id,
                name: Nullable(Type.String()),
                reason: Type.Enum(['not-found', ...SKIPPED]),
              }),
            ),
          }),
          ...refusals(401, 403),
        },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sendPasswordLinks(studentContext, personOf(request), request.body)),
  )
}
