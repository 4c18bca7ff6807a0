import { Type } from 'typebox'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Nullable, RegisterName, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { owedBy } from '../../work/cases/owed.ts'
import { owedOfEntry } from '../../work/cases/clearing.ts'
import type { RegisterRouteDependencies } from './schemas.ts'

const Owed = component(
  'Owed',
  Type.Object({
    items: Type.Array(
      Type.Object({
        id: Id,
        kind: Type.String({ description: 'The register or flow' }),
        what: Type.String({ description: 'In your language' }),
        title: Type.String(),
        due: Nullable(Type.String({ format: 'date', description: 'The day by which it is given back' })),
      }),
    ),
  }),
)

/** What people still have to give back or settle. */
export function owedRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  app.get(
    '/api/owed',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listOwnOwed',
        tags: ['registers'],
        summary: 'What you still have to give back or settle',
        response: { 200: Owed, ...refusals(401) },
      },
    },
    async (request) => {
      const own = await findOwnEntry(db, personOf(request).id)
      return { items: own ? await owedBy(db, library, { people: [own.id], language: languageOf(request) }) : [] }
    },
  )

  app.get(
    '/api/registers/:area/:name/items/:id/owed',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listOwed',
        tags: ['registers'],
        summary: 'What the person of an item still has to give back or settle',
        params: Type.Object({ ...RegisterName, id: Id }),
        response: { 200: Owed, ...refusals(401, 404) },
      },
    },
    async (request) => {
      const { area, name, id } = request.params
      const asked = { register: `${area}/${name}`, id, language: languageOf(request) }
      return { items: await owedOfEntry(db, library, personOf(request), asked) }
    },
  )
}
