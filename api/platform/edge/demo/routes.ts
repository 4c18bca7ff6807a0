import { Type } from 'typebox'
import people from '../../../../forms/platform/people.demo.json' with { type: 'json' }
import { DEMO_PASSWORD } from './password.ts'
import type { App } from '../../http/app.ts'
import { Nullable, refusals } from '../../http/schemas.ts'

/** The demo accounts for the sign-in page; the route exists only in demo mode. */
export function demoRoutes(app: App): void {
  app.get(
    '/api/demo',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getDemo',
        tags: ['demo'],
        summary: 'List the demonstration accounts and their password (demonstrations only)',
        response: {
          200: Type.Object({
            password: Type.String(),
            people: Type.Array(
              Type.Object({ username: Type.String(), name: Type.String(), post: Nullable(Type.String()) }),
            ),
          }),
          ...refusals(),
        },
      },
    },
    async () => ({
      password: DEMO_PASSWORD,
      people: people.map(({ username, name, post }) => ({ username, name, post: post ?? null })),
    }),
  )
}
