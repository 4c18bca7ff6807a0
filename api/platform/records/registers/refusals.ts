import { type Transaction, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import { uuidIn } from '../../kernel/db/uuid.ts'
import { type RegisterDefinition, agreesIn, inUse, plainSchema } from '../../model/definitions/register.ts'
import { checkForm } from '../../model/forms/check.ts'
import { tooLargeTogether } from '../files/totals.ts'
import { overlapping } from './apart.ts'
import { type RegistersContext, definitionOf, selectionOf } from './context.ts'
import type { Draft } from './item.ts'
import { brokenRules } from './reference-rules.ts'
import { caseNumbers, references, uniqueValues } from './values.ts'

/** An error in a field of the entry at this position of a list. */
export interface ItemError extends FieldError {
  index: number
}

type Placed = Draft & { index: number }

/**
 * Why entries cannot be stored: all errors at once, each with its position. `whole`: with their encrypted fields. `seen`
 * has the unique values of entries before these, and gets theirs.
 */
export async function wrongWith(
  context: RegistersContext,
  definition: RegisterDefinition,
  register: string,
  items: readonly Draft[],
  { whole = false, seen = new Set() }: { whole?: boolean; seen?: Set<string> } = {},
): Promise<ItemError[]> {
  const wrong = items.flatMap(({ status, data }, index): ItemError[] => [
    ...checkForm(whole ? definition.item : plainSchema(definition.item), data).map((error) => ({ ...error, index })),
    ...(definition.statuses.includes(status) ? [] : [{ index, field: '/status', code: 'platform.check-enum' }]),
  ])
  const placed = items.map((one, index) => ({ ...one, index }))
  const told = new Set(wrong.map(({ index, field }) => `${index}${field}`))
  const found = [
    ...(await taken(context.trx, definition, register, { items: placed, seen })),
    ...(await danglingReferences(context, definition, placed)),
    ...(await unknownCases(context.trx, definition, placed)),
    ...(await brokenRules(context.trx, definition, placed)),
    ...(await overlapping(context.trx, definition, { register, items: placed })),
  ]
  for (const { index, data } of placed) {
    const heavy = await tooLargeTogether(context.trx, definition.item, data)
    found.push(...heavy.map((error) => ({ ...error, index })))
  }
  return [...wrong, ...found.filter(({ index, field }) => !told.has(`${index}${field}`))].toSorted(
    (a, b) => a.index - b.index,
  )
}

/** The unique values of each entry. */
const valuesOf = (definition: RegisterDefinition, items: readonly Placed[]) =>
  items.flatMap(({ id, index, data, status }) =>
    uniqueValues(definition, { data, status }).map((one) => ({ id, index, ...one })),
  )

/** Which entry has a unique value that one of these would have, with the position and the path of that one. */
export const holdersOf = (
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  register: string,
  items: readonly Placed[],
) => holdersOfValues(trx, register, valuesOf(definition, items))

async function holdersOfValues(
  trx: Transaction<DB>,
  register: string,
  wanted: ReturnType<typeof valuesOf>,
): Promise<{ index: number; path: string; holder: string }[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<{ index: number; path: string; holder: string }>`
    select w.index, w.path, u.item_id as holder from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      as w(id uuid, index integer, path text, value text)
    join register_unique u on u.register = ${register} and u.field = w.path and u.value = w.value and u.item_id <> w.id
    order by w.index, w.path`.execute(trx)
  return rows
}

/** Unique values that another entry has, or an earlier one in the list or before it. */
async function taken(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  register: string,
  { items, seen }: { items: readonly Placed[]; seen: Set<string> },
): Promise<ItemError[]> {
  const wanted = valuesOf(definition, items)
  const rows = await holdersOfValues(trx, register, wanted)
  const doubled = wanted.filter(({ path, value }) => {
    const name = JSON.stringify([path, value])
    return seen.has(name) || !seen.add(name)
  })
  const places = new Set([...rows, ...doubled].map(({ index, path }) => `${index}${path}`))
  return wanted.flatMap(({ index, path, code }) =>
    places.delete(`${index}${path}`) ? [{ index, field: path, code }] : [],
  )
}

/** Numbers of cases that there are not; one that the entry has already may stay. */
async function unknownCases(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  items: readonly Placed[],
): Promise<ItemError[]> {
  const named = items.flatMap(({ id, index, data }) =>
    caseNumbers(definition, data).map((one) => ({ id, index, ...one, steps: one.path.slice(1).split('/') })),
  )
  if (named.length === 0) return []
  const { rows } = await sql<{ index: number; field: string; code: string }>`
    select n.index, n.path as field, n.code from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as n(id uuid, index integer, path text, flow text, number text, code text, steps text[])
    where not exists (select from flow_case c where c.flow = n.flow and c.reference = n.number)
      and not exists (select from register_item i where i.id = n.id and i.data #>> n.steps = n.number)`.execute(trx)
  return rows
}

async function danglingReferences(
  context: RegistersContext,
  definition: RegisterDefinition,
  items: readonly Placed[],
): Promise<ItemError[]> {
  const named = items.flatMap(({ id, index, data, status }) =>
    references(definition, data).map(({ agrees, ...reference }) => ({
      ...{ id, index, ...reference },
      selection: status === inUse(definition) ? selectionOf(context, reference) : null,
      ...(agrees && agreesIn(definition, status) ? { agrees, data } : { agrees: null }),
    })),
  )
  if (named.length === 0) return []
  await holdNamed(
    context.trx,
    named.flatMap(({ target, freezes, agrees }) => ((freezes ?? agrees) && isUuid(target) ? [target] : [])),
  )
  const { rows } = await sql<{
    index: number
    path: string
    register: string
    status: string | null
    statuses: string[] | null
    kept: boolean
    within: boolean
    outside: string | null
    lacks: string | null
    differs: string | null
    title: string | null
  }>`
    select n.index, n.path, n.register, i.status, n.statuses, exists (
        select from register_reference r where r.target_id = i.id and r.item_id = n.id
          and regexp_replace(r.path, '/[0-9]+/', '/*/') = regexp_replace(n.path, '/[0-9]+/', '/*/')) as kept,
      n.within is null or i.data -> (n.within ->> 'by') = n.within -> 'is' as within,
      case when not is_selected(i.data, nullif(n.selection, 'null')) then n.selection ->> 'code' end as outside,
      (select min(f.code) from jsonb_each_text(n.needs) f(name, code) where nullif(i.data ->> f.name, '') is null) as lacks,
      disagreement(n.data, i.data, nullif(n.agrees, 'null')) as differs, i.title
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as n(id uuid, index integer, path text, register text, target text, statuses jsonb, within jsonb,
        selection jsonb, needs jsonb, agrees jsonb, data jsonb)
    left join register_item i on i.id = ${uuidIn(sql`n.target`)} and i.register = n.register
    order by n.index, n.path`.execute(context.trx)
  return rows.flatMap(({ index, path, register, status, statuses, kept, ...found }): ItemError[] => {
    const { within, outside, lacks, differs, title } = found
    if (status === null) return [{ index, field: path, code: 'platform.item-unknown' }]
    if (!within) return [{ index, field: path, code: 'platform.item-not-within' }]
    if (outside !== null) return [{ index, field: path, code: outside }]
    if (lacks !== null) return [{ index, field: path, code: lacks }]
    // An existing reference may stay, even if its entry is no longer active, and move with its row.
    const usable = kept || (statuses ?? [inUse(definitionOf(context, register))]).includes(status)
    if (!usable) return [{ index, field: path, code: 'platform.item-inactive' }]
    if (differs === null) return []
    return [{ index, field: `/${differs}`, code: 'platform.item-does-not-fit', values: { item: title ?? '' } }]
  })
}

/**
 * Keeps entries whose fields are about to be frozen or agreed with as they are until the end of the transaction, so
 * that a change at the same time either is seen here or sees who names them. In one order, so that two transactions
 * never wait for each other.
 */
async function holdNamed(trx: Transaction<DB>, targets: readonly string[]): Promise<void> {
  if (targets.length === 0) return
  await sql`select from register_item where id = any(${targets}::uuid[]) order by id for share`.execute(trx)
}

/** The path of a field in a list of entries: `/3/name`, or `/name` if there is only one. */
export type Pointer = (index: number, field: string) => string

const fieldAlone: Pointer = (_, field) => field

/** Throws the errors, if there are any. */
export function refuseWrong(wrong: readonly ItemError[], pointer: Pointer = fieldAlone): void {
  if (wrong.length === 0) return
  const fields = wrong.map(({ index, field, ...rest }) => ({ ...rest, field: pointer(index, field) }))
  throw new BusinessError('platform.form-invalid', {}, fields)
}
