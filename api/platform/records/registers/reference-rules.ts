import { type Transaction, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/objects.ts'
import type { EarlierRows, Listed, NotLater } from '../../model/definitions/field-rules.ts'
import { type RegisterDefinition, at } from '../../model/definitions/register.ts'
import { references } from './values.ts'

interface Named {
  title: string
  data: JsonObject
}

/** References that name the entry itself or what no list has, come before what they need, or lead to too late a day. */
export async function brokenRules(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  items: readonly { id: string; index: number; data: JsonObject }[],
): Promise<(FieldError & { index: number })[]> {
  const ruled = items.flatMap(({ id, index, data }) =>
    references(definition, data).flatMap(({ path, target, rules }) =>
      rules && isUuid(target) ? [{ id, index, data, path, target, rules }] : [],
    ),
  )
  if (ruled.length === 0) return []
  const named = await entries(
    trx,
    ruled.map(({ target }) => target),
  )
  const needed = await entries(
    trx,
    ruled.flatMap(({ target, rules }) => (rules.earlier ? needsOf(named.get(target), rules.earlier) : [])),
  )
  const broken = await brokenInDatabase(trx, ruled)
  const errors: (FieldError & { index: number })[] = []
  for (const [nr, { id, index, data, path, target, rules }] of ruled.entries()) {
    const about = { index, field: path }
    const item = named.get(target)?.title ?? ''
    if (rules.another && target === id) errors.push({ ...about, code: 'platform.names-itself' })
    if (rules.earlier)
      for (const need of needsOf(named.get(target), rules.earlier)) {
        const code = placeOf(data, path, need, rules.earlier)
        const values = { row: rowOf(path), item, needs: needed.get(need)?.title ?? '' }
        if (code !== undefined) errors.push({ ...about, code, values })
      }
    const { notLater, listed } = rules
    if (notLater && broken.get(nr)?.later) errors.push({ ...about, code: notLater.code, values: { item } })
    if (listed && broken.get(nr)?.unlisted)
      errors.push({ ...about, code: listed.code, values: { row: rowOf(path), item } })
  }
  return errors
}

/** The number of the row, as people count. */
const rowOf = (path: string): number => Number(path.split('/')[2]) + 1

const needsOf = (named: Named | undefined, { list, names }: EarlierRows): string[] => {
  const rows = named?.data[list]
  return Array.isArray(rows)
    ? rows.flatMap((row) => (isObject(row) && isUuid(row[names]) ? [String(row[names])] : []))
    : []
}

/** What is wrong with the place of what a row needs; undefined if an earlier row has it. */
function placeOf(data: JsonObject, path: string, need: string, { by }: EarlierRows): string | undefined {
  const [, list = '', position = '', field = ''] = path.split('/')
  const rows = at(data, `/${list}`)
  if (!Array.isArray(rows)) return undefined
  const numbers = (row: unknown) => by.map((name) => Number(at(row, `/${name}`)))
  const own = numbers(rows[Number(position)])
  const found = rows.filter((row) => at(row, `/${field}`) === need)
  if (found.length === 0) return 'platform.row-lacks'
  return found.some((row) => isBefore(numbers(row), own)) ? undefined : 'platform.row-too-early'
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const differs = one.findIndex((value, place) => value !== other[place])
  return differs >= 0 && (one[differs] ?? 0) < (other[differs] ?? 0)
}

async function entries(trx: Transaction<DB>, ids: readonly string[]): Promise<Map<string, Named>> {
  if (ids.length === 0) return new Map()
  const rows = await trx
    .selectFrom('register_item')
    .select(['id', 'title', 'data'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

interface Ruled {
  index: number
  data: JsonObject
  target: string
  rules: { notLater?: NotLater; listed?: Listed }
}

/** Which references lead to too late a day, or name what no list has, by their position; one question for all. */
async function brokenInDatabase(
  trx: Transaction<DB>,
  ruled: readonly Ruled[],
): Promise<Map<number, { later: boolean | null; unlisted: boolean | null }>> {
  const asked = ruled.flatMap(({ index, target, rules: { notLater, listed } }, nr) =>
    notLater || listed ? [{ nr, index, target, later: notLater, listed }] : [],
  )
  if (asked.length === 0) return new Map()
  const entered = new Map(ruled.map(({ index, data }) => [index, { index, data }]))
  const { rows } = await sql<{ nr: number; later: boolean | null; unlisted: boolean | null }>`
    select a.nr, case when a.listed is not null then not is_listed(e.data, a.target, a.listed) end as unlisted,
      case when a.later is not null then
        followed(i.data, a.later ->> 'at') collate "C" > followed(e.data, a.later ->> 'than') collate "C" end as later
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as a(nr integer, index integer, target uuid, later jsonb, listed jsonb)
    join jsonb_to_recordset(${JSON.stringify([...entered.values()])}::jsonb) as e(index integer, data jsonb) using (index)
    left join register_item i on i.id = a.target`.execute(trx)
  return new Map(rows.map(({ nr, ...row }) => [nr, row]))
}
