import { Type } from 'typebox'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { App } from '../../http/app.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Item } from '../../records/registers/item.ts'
import { plain } from '../../records/registers/values.ts'
import { personOf } from '../../http/auth.ts'
import { languageOf } from '../../http/problems.ts'
import { Id, Key, Query, refusals } from '../../http/schemas.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'
import { entriesSeen } from '../../work/registers/seen.ts'
import type { RegisterRouteDependencies } from './schemas.ts'

/** Entries that a code leads to at most. */
const MOST = 10

type Found = Pick<Item, 'id' | 'register' | 'status' | 'title' | 'data'>

/** The fields whose value a bar code or QR code of an entry holds: its code, and the number on its paper, if unique. */
const codesOf = ({ sealed, codeField, paper, titleField, item }: RegisterDefinition): string[] =>
  [...new Set([...(codeField === undefined ? [] : [codeField]), ...(paper ? [titleField] : [])])].filter(
    (field) => !sealed && item.properties?.[field.slice(1)]?.['x-unique'] !== undefined,
  )

/**
 * The entries with this code. Unique values are an index by register and field, so it is one look-up for all; a value
 * that is unique together with others comes before these.
 */
async function entriesWith(
  db: Kysely<DB>,
  code: string,
  places: readonly { register: string; field: string }[],
): Promise<Found[]> {
  const having = (value: RawBuilder<unknown>) => sql`
    select u.item_id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(register text, field text)
    join register_unique u on u.register = p.register and u.field = p.field and ${value} = ${plain(code)}`
  const { rows } = await sql<Found>`
    select i.id, i.register, i.status, i.title, i.data from register_item i where i.id in (
      ${having(sql`u.value`)}
      union ${having(sql`split_part(u.value, E'\\n', 1)`)} and u.value like E'%\\n%')
    order by i.title, i.id`.execute(db)
  return rows
}

/** What a code that somebody has scanned stands for. */
export function scannedRoutes(app: App, { db, library }: RegisterRouteDependencies): void {
  app.get(
    '/api/scanned',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'lookUpScanned',
        tags: ['registers'],
        summary:
          'The items that you see whose code, or number of their paper, this is, alone or with another field; letter case does not count',
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
      const places = [...library.registers].flatMap(([register, definition]) =>
        codesOf(definition).map((field) => ({ register, field })),
      )
      const entries = await entriesWith(db, request.query.code.trim(), places)
      const found = await Promise.all(
        [...Map.groupBy(entries, ({ register }) => register)].map(async ([register, of]) => {
          const definition = known(library.registers.get(register), `the register ${register}`)
          const seen = await entriesSeen(db, person, definition, of)
          const what = library.text(definition.item.title ?? definition.title, {}, language)
          return of.filter((_, at) => seen[at]).map(({ id, title }) => ({ id, register, title, what }))
        }),
      )
      return { items: found.flat().slice(0, MOST) }
    },
  )
}
