import { Type } from 'typebox'
import { sql } from 'kysely'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Query, refusals } from '../../http/schemas.ts'
import { type RegisterDefinition, pathOf } from '../../model/definitions/register.ts'
import { entriesSeen } from '../../work/registers/seen.ts'
import type { RegisterRouteDependencies } from './schemas.ts'

/** Entries that a code leads to at most. */
const MOST = 10

/** The fields whose value a bar code or QR code of an entry holds: its code, and the number on its paper. */
const codesOf = ({ codeField, paper, titleField }: RegisterDefinition): string[] => [
  ...new Set([...(codeField === undefined ? [] : [codeField]), ...(paper ? [titleField] : [])]),
]

/** What a code that somebody has scanned stands for. */
export function scannedRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  app.get(
    '/api/scanned',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'lookUpScanned',
        tags: ['registers'],
        summary: 'The items that you see whose code, or number of their paper, this is; letter case does not count',
        querystring: Query({ code: Type.String({ minLength: 1, maxLength: 120 }) }),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                register: Key,
                title: Type.String(),
                what: Type.String({ description: 'What it is, in your language' }),
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const [person, language] = [personOf(request), languageOf(request)]
      const code = request.query.code.trim()
      const found = await Promise.all(
        [...library.registers].map(async ([register, definition]) => {
          const fields = definition.sealed ? [] : codesOf(definition)
          if (fields.length === 0) return []
          const is = fields.map((field) => sql<boolean>`upper(data #>> ${pathOf(field)}::text[]) = upper(${code})`)
          const entries = await db
            .selectFrom('register_item')
            .select(['id', 'register', 'status', 'title', 'data'])
            .where('register', '=', register)
            .where(sql<boolean>`(${sql.join(is, sql` or `)})`)
            .limit(MOST)
            .execute()
          const seen = await entriesSeen(db, person, definition, entries)
          const what = library.text(definition.item.title ?? definition.title, {}, language)
          return entries.filter((_, at) => seen[at]).map(({ id, title }) => ({ id, register, title, what }))
        }),
      )
      return { items: found.flat().slice(0, MOST) }
    },
  )
}
