import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { type Manifest, REQUESTER } from '../../model/definitions/manifest.ts'
import { type FindItem, type NamedItems, valueAt } from '../../model/definitions/named.ts'
import { inUse, pathOf } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'

/** An entry in use of a register that excepts people: what it holds of those who may not ask. */
export interface Exception {
  register: string
  status: string
  /** The field that names the person's own entry. */
  person: string
  holds: ReadonlyMap<string, unknown>
  /** Error code of their own. */
  code: string | undefined
}

/** A request, with the requester's own entry among the entries that it names. */
export interface ExceptionsAsked {
  registers: Library['registers']
  manifest: Manifest
  data: unknown
  items: NamedItems
  find: FindItem
}

/** Which entries except people from this request. */
export function exceptionsTo({ registers, manifest, data, items, find }: ExceptionsAsked): Promise<Exception[]> {
  const { unless = [] } = manifest.requester ?? {}
  return Promise.all(
    unless.map(async ({ register, person, where = {}, is = {}, code }) => {
      const values = Object.entries(where).map(
        async ([pointer, lookup]) => [pointer, await valueAt(lookup, data, items, find)] as const,
      )
      const status = inUse(known(registers.get(register), 'a register that excepts people'))
      return { register, status, person, code, holds: new Map([...Object.entries(is), ...(await Promise.all(values))]) }
    }),
  )
}

/** An entry that excepts a requester, and the error of its own if the flow names one. */
export interface Excepting {
  entry: string
  code: string | undefined
}

/** The entry that excepts the requester, whose own entry is among the entries. */
export async function exceptingEntry(db: Kysely<DB>, asked: ExceptionsAsked): Promise<Excepting | undefined> {
  const own = known(asked.items.get(REQUESTER), "the requester's own entry")
  for (const exception of await exceptionsTo(asked)) {
    const { rows } = await sql<{ title: string }>`
      select e.title from register_item e where ${excepts(exception, sql.val(own.id))} limit 1`.execute(db)
    if (rows[0]) return { entry: rows[0].title, code: exception.code }
  }
  return undefined
}

/** The condition that the entry `e` excepts the person with this entry. */
export function excepts({ register, status, person, holds }: Exception, id: Expression<unknown>): RawBuilder<unknown> {
  const also = [...holds].map(
    ([pointer, value]) => sql`e.data #> ${pathOf(pointer)}::text[] = ${JSON.stringify(value ?? null)}::jsonb`,
  )
  return sql`e.register = ${register} and e.status = ${status} and e.data #>> ${pathOf(person)}::text[] = ${id}::text
    and (${sql.join([sql`true`, ...also], sql` and `)})`
}
