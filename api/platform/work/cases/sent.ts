import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { askedOf, missingRows, strangeRows } from '../../../../forms/platform/asked.ts'
import { known } from '../../kernel/known.ts'
import { isObject } from '../../kernel/objects.ts'
import { type FieldError, BusinessError } from '../../kernel/errors.ts'
import { checkForm } from '../../model/forms/check.ts'
import { tooLargeTogether } from '../../records/files/totals.ts'
import type { Library } from '../../model/library/library.ts'
import type { ManifestAllocation } from '../../model/definitions/manifest.ts'
import type { RuleRequester, SlotPlan } from '../../model/deployed/rules.ts'
import { type FieldSchema, at, inUse, leaves } from '../../model/definitions/register.ts'
import { type NamedItem, type NamedItems, referencesOf } from '../../model/definitions/named.ts'
import { filesOf } from './routing.ts'
import { findItem } from '../rows/items.ts'
import { keepPayments } from '../rows/payments.ts'
import { addCaseFiles } from '../rows/submissions.ts'

/** A slot to allocate, with the field that names its entry. */
export type WantedSlot = SlotPlan & { path: string }

/** Prefix of pointers into the content of the case instead of the form. */
export const CURRENT = 'data:'

/** Throws the errors of a form, if there are any. */
export function refuse(wrong: FieldError[]): void {
  if (wrong.length > 0) throw new BusinessError('platform.form-invalid', {}, wrong)
}

/** The answers of a form that count; throws what is wrong with them, by field. */
export function checkedAnswers(schema: FieldSchema, data: unknown): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of the routes take a JSON object
  const answers = effectiveAnswers(schema, data as JsonObject)
  refuse(checkForm(schema, answers))
  return answers
}

/**
 * Adds the files and payments of a form to a case; throws if a file is not its sender's, those of a field are too large
 * together, or another case has a payment.
 */
export async function attachSent(
  trx: Transaction<DB>,
  { caseId, submissionId, by }: { caseId: string; submissionId: string; by: string },
  { schema, data }: { schema: FieldSchema; data: JsonObject },
): Promise<void> {
  const foreign = await addCaseFiles(trx, caseId, submissionId, by, filesOf(schema, data))
  refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
  refuse(await tooLargeTogether(trx, schema, data))
  refuse(await keepPayments(trx, caseId, { schema, data }))
}

/** The register entries that a form names; throws if one does not exist. */
export async function itemsNamed(trx: Transaction<DB>, schema: FieldSchema, data: unknown): Promise<NamedItems> {
  const items = new Map<string, NamedItem>()
  for (const { path, register, id } of referencesOf(schema, data)) {
    const item = await findItem(trx, register, id)
    if (item) items.set(path, item)
    else refuse([{ field: path, code: 'platform.item-unknown' }])
  }
  return items
}

/**
 * The answers of a start form without what the entries that it names do not ask for; throws if one of the answers that
 * they ask for is missing, unless it is still `open`.
 */
export function answersAsked(
  schema: FieldSchema,
  data: JsonObject,
  items: NamedItems,
  { open = false } = {},
): JsonObject {
  const { wanted, unwanted, rows } = askedOf(schema, (field) => items.get(`/${field}`)?.data)
  const inOrder = schema['x-order'] ?? [...wanted]
  const isMissing = (name: string) => wanted.has(name) && (data[name] === undefined || data[name] === '')
  const missing = open ? [] : inOrder.filter(isMissing)
  refuse(
    missing.map((name) => {
      const own = schema.properties?.[name]?.['x-messages']
      return { field: `/${name}`, code: String((isObject(own) && own['required']) || 'platform.field-required') }
    }),
  )
  if (!open)
    for (const [name, asked] of rows) {
      if (unwanted.has(name)) continue
      const strange = strangeRows(asked, data[name])
      const lacking = missingRows(asked, data[name])
      const titles = lacking.join(', ')
      refuse([
        ...strange.map((place) => ({ field: `/${name}/${place}/title`, code: 'platform.row-not-asked' })),
        ...(titles ? [{ field: `/${name}`, code: 'platform.rows-missing', values: { titles } }] : []),
      ])
    }
  return Object.fromEntries(Object.entries(data).filter(([name]) => !unwanted.has(name)))
}

/** The version of each entry. */
export function versionsOf(items: NamedItems): { path: string; id: string; version: number }[] {
  return [...items].map(([path, { id, version }]) => ({ path, id, version }))
}

/**
 * Throws if a form names an entry that is not active, or not among those that another field allows. An entry that the
 * sender cannot change to another one, `fixed`, may be out of use by now.
 */
export function refuseItems(
  library: Library,
  schema: FieldSchema,
  data: unknown,
  items: NamedItems,
  fixed: readonly string[] = [],
): void {
  refuse(
    referencesOf(schema, data)
      .filter(({ path, register, statuses }) => {
        if (fixed.includes(path)) return false
        const item = known(items.get(path), `the entry at ${path}`)
        const usual = inUse(known(library.registers.get(register), `the register ${register}`))
        return !(statuses ?? [usual]).includes(item.status)
      })
      .map(({ path }) => ({ field: path, code: 'platform.item-inactive' })),
  )
  refuse(
    leaves(schema, data).flatMap(({ path, schema: field }) => {
      const within = field['x-within']
      const beside = within && at(data, `${path.slice(0, path.lastIndexOf('/'))}/${within.field}`)
      const outside = within && at(items.get(path)?.data, `/${within.by}`) !== beside
      return outside ? [{ field: path, code: 'platform.item-not-within' }] : []
    }),
  )
}

/**
 * The slots of a form, as the flow's rules plan them or its manifest names them. They are in the order of their
 * entries, so that two submissions cannot deadlock. `current` is the content of the case, if the form is not that
 * itself.
 */
export async function slotsWanted(
  named: readonly ManifestAllocation[],
  data: JsonObject,
  { plan, current = data }: { plan?: (() => SlotPlan | Promise<SlotPlan>) | undefined; current?: JsonObject },
): Promise<WantedSlot[]> {
  const read = (pointer: string) =>
    pointer.startsWith(CURRENT) ? at(current, pointer.slice(CURRENT.length)) : at(data, pointer)
  const pathOf = ({ item }: ManifestAllocation) => item.replace(CURRENT, '')
  const [first] = named
  if (first && plan) return [{ ...(await plan()), path: pathOf(first) }]
  return named
    .map((one) => ({
      item: String(read(one.item)),
      booked: { from: String(read(one.from)), until: String(read(one.until)) },
      before: 0,
      after: 0,
      lent: [],
      code: one.code,
      path: pathOf(one),
    }))
    .toSorted((a, b) => (a.item < b.item ? -1 : 1))
}

/** The status that a person's own entry has after they left, by register. */
const left = { 'platform/employee': 'Inactive', 'platform/student': 'deactivated' }

/** A requester as the flow's rules see them. */
export async function ruleRequester(trx: Transaction<DB>, id: string): Promise<RuleRequester> {
  const { rows } = await sql<{ confirmed: boolean; formerMember: boolean; roles: string[] }>`
    select email_confirmed_at is not null as confirmed, exists (
      select from register_item where id = account.record_id
        and status = ${JSON.stringify(left)}::jsonb ->> register) as "formerMember", array(
      select distinct role from role_grant
      where account_id = account.id and starts_at <= now() and (ends_at is null or ends_at > now()) order by role) as roles
    from account where id = ${id}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error(`there is no account ${id}`)
  return { id, guest: false, ...row }
}

/** A guest as the flow's rules see them. All guests look alike, so no answer reveals whether an account exists. */
export function guestRequester(session: string): RuleRequester {
  return { id: session, roles: [], confirmed: false, formerMember: false, guest: true }
}
