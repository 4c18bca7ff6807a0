import { Type } from 'typebox'
import type { AreaRoutes } from '../platform/edge/server/area-routes.ts'
import { Id, Nullable, Query, refusals } from '../platform/http/schemas.ts'
import { component } from '../platform/kernel/components.ts'
import { compareCurriculums } from './comparison.ts'

const Place = component(
  'CurriculumPlace',
  Type.Object({
    year: Type.Integer(),
    semester: Type.Integer(),
    kind: Type.String(),
    credits: Type.Integer({ description: 'Those of the subject, if the curriculum gives none' }),
    needs: Type.String({ description: 'The codes of its prerequisites' }),
  }),
)

const Comparison = component(
  'CurriculumComparison',
  Type.Object({
    versions: Type.Array(
      Type.Object({ id: Id, title: Type.String(), version: Type.Integer(), status: Type.String() }),
      { description: 'All versions of the degree program, the first one first' },
    ),
    before: Nullable(Id),
    after: Nullable(Id),
    credits: Type.Object({ before: Type.Integer(), after: Type.Integer() }),
    totals: Type.Array(
      Type.Object({
        year: Type.Integer(),
        semester: Nullable(Type.Integer()),
        before: Type.Integer(),
        after: Type.Integer(),
      }),
      { description: 'Credits of each semester and, where it is null, of the year' },
    ),
    rows: Type.Array(
      Type.Object({
        subject: Type.Object({ id: Id, title: Type.String() }),
        is: Type.Enum(['added', 'removed', 'changed', 'same']),
        before: Nullable(Place),
        after: Nullable(Place),
      }),
    ),
  }),
)

const routes: AreaRoutes = (app, { db }) => {
  app.get(
    '/api/setup/curriculums/:id/comparison',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'compareCurriculums',
        tags: ['setup'],
        summary: 'Compare two versions of the curriculum of a degree program, subject by subject',
        params: Type.Object({ id: Id }),
        querystring: Query({
          with: Type.Optional(Type.String({ format: 'uuid', description: 'By default the version before it' })),
        }),
        response: { 200: Comparison, ...refusals(401, 404) },
      },
    },
    async (request) => compareCurriculums(db, request.params.id, request.query.with),
  )
}

export default routes
