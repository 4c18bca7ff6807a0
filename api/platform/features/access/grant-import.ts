import type { Transaction } from 'kysely'
import { recordOf } from '../../kernel/objects.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Language } from '../../model/library/library.ts'
import { getPerson } from '../../people/identity/accounts.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { type ImportResult, type Row, type Wrong, inWords, readRows } from '../../records/registers/csv.ts'
import {
  type AccessDependencies,
  type Before,
  type Effect,
  type Span,
  accessChanges,
  before,
  effectOf,
} from '../../work/access/changes.ts'
import { overlaps } from './grants.ts'
import { principalsOf, type Scope, UNIT_KINDS, type Units, principalOf, readUnits } from '../../people/access/units.ts'
import { scopeTrouble, mayGrant } from '../../people/access/rights.ts'
import { type GrantRow, addGrants, listLastingGrants } from '../../people/access/grant-rows.ts'
import { settleAt } from '../../people/access/dated.ts'
import type { Shift } from '../../work/access/settle.ts'
import { listPeopleByName } from '../../people/access/people-repository.ts'
import { POST_HOLDER } from '../../model/definitions/manifest.ts'

/** The columns of a grant file; username, role and reason are required. */
const NAMES = ['username', 'role', 'scope_kind', 'scope_code', 'starts', 'ends', 'reason'] as const
const COLUMNS = NAMES.map((name) => ({
  name,
  required: ['username', 'role', 'reason'].includes(name),
}))
const MAX_ROWS = 2000
/** Maximum people whose effect is shown. */
const MAX_SHOWN_PEOPLE = 20
/** Length of a reason, the same as for a single grant. */
const REASON = { least: 3, most: 500 }
/** Midnight in Colombo. */
const MIDNIGHT = 'T00:00:00+05:30'
/** Earlier and later dates are treated as typing errors. */
const EARLIEST = new Date(`2000-01-01${MIDNIGHT}`)
const LATEST = { starts: new Date(`2100-12-31${MIDNIGHT}`), ends: new Date(`2101-01-01${MIDNIGHT}`) }

type Column = (typeof NAMES)[number]
type Cells = Record<Column, string>

/** The content of a grant file. All of it is applied, or nothing. */
export interface GrantImport extends Pick<ImportResult, 'rows' | 'errors' | 'errorCount'> {
  /** Grants that were added or, in a preview, would be. */
  added: number
  /** Grants that people already have. */
  unchanged: number
  /** In a preview without errors: how many people are affected, and the effect on the first of them. */
  effect: { people: number; first: ({ id: string; name: string } & Effect)[] } | null
}

interface Wanted {
  account: string
  role: string
  scope: Scope | null
  span: Span
  reason: string
}

/*
 * Grants roles from a CSV file. Each line follows the rules of a single grant by the same person. Nothing is granted if
 * `commit` is false or a line is wrong.
 */

export async function importGrants(
  dependencies: AccessDependencies,
  person: Person,
  { csv, commit }: { csv: string; commit: boolean },
  language?: Language,
): Promise<GrantImport> {
  const { library } = dependencies
  const changes = accessChanges(dependencies)
  const { columns, rows, wrong } = readRows(csv, COLUMNS, { most: MAX_ROWS })
  const answer = (counts: Pick<GrantImport, 'added' | 'unchanged' | 'effect'>): GrantImport => ({
    rows: rows.length,
    ...inWords(wrong, columns, library, language),
    ...counts,
  })
  if (wrong.length > 0) return answer({ added: 0, unchanged: 0, effect: null })

  if (!commit)
    return changes.preview(async (trx, settle) => {
      const units = await readUnits(trx)
      const { added, unchanged } = await readGrants(dependencies, trx, person, units, rows, wrong)
      if (wrong.length > 0) return answer({ added: 0, unchanged, effect: null })
      const concerned = [...new Set(added.map(({ account }) => account))]
      const shown: Before[] = []
      for (const id of concerned.slice(0, MAX_SHOWN_PEOPLE)) shown.push(await before(trx, await getPerson(trx, id)))
      await settle(await give(trx, person, added))
      const first = []
      for (const one of shown) {
        const { id, name } = one.person
        // A new role never releases tasks.
        first.push({ id, name, ...(await effectOf(trx, library, one, 0)), warnings: [] })
      }
      return answer({ added: added.length, unchanged, effect: { people: concerned.length, first } })
    })

  return changes.make(async (trx) => {
    const units = await readUnits(trx)
    const { added, unchanged } = await readGrants(dependencies, trx, person, units, rows, wrong)
    if (wrong.length > 0)
      return { result: answer({ added: 0, unchanged, effect: null }), shift: { accounts: [], principals: [] } }
    const shift = await give(trx, person, added)
    await tell(dependencies, trx, person, units, added)
    return { result: answer({ added: added.length, unchanged, effect: null }), shift }
  })
}

/** Reads every line as a grant and collects errors. */
async function readGrants(
  { library }: AccessDependencies,
  trx: Transaction<DB>,
  person: Person,
  units: Units,
  rows: readonly Row[],
  wrong: Wrong[],
): Promise<{ added: Wanted[]; unchanged: number }> {
  const people = await listPeopleByName(
    trx,
    rows.map(({ cells }) => cells['username'] ?? ''),
  )
  const byName = new Map(people.flatMap((one) => [one.email, one.username].map((name) => [name.toLowerCase(), one])))
  const wanted: (Wanted & { line: number })[] = []
  const seen = new Set<string>()
  for (const { line, cells: filled } of rows) {
    const cells: Cells = recordOf(NAMES, (name) => filled[name] ?? '')
    const say: Say = (column, code, values) =>
      void wrong.push({ line, column, code, value: cells[column], ...(values && { values }) })
    checkTexts(cells, say)
    const account = byName.get(cells.username.toLowerCase())
    checkAccount(person, cells, account, say)
    const role = library.roleAliases.get(cells.role) ?? cells.role
    const known = library.roles.has(role)
    if (!known && role !== '') say('role', 'platform.role-unknown')
    if (role === POST_HOLDER) say('role', 'platform.role-of-posts')
    const scope = scopeIn(units, cells, known ? role : undefined, say)
    const span = spanIn(cells, say)
    if (!account || !known || scope === undefined || span === undefined) continue
    checkOrder(span, say)
    if (!mayGrant(person, role, scope, units)) say('role', 'platform.grant-not-allowed', { role })
    const key = JSON.stringify([account.id, principalOf(role, scope)])
    if (seen.has(key)) say('username', 'platform.import.duplicated')
    seen.add(key)
    const startsAt = span.startsAt && span.startsAt.getTime() > Date.now() ? span.startsAt : null
    const dates = { startsAt, endsAt: span.endsAt }
    wanted.push({ line, account: account.id, role, scope, span: dates, reason: cells.reason })
  }
  const lasting = await listLastingGrants(trx, [...new Set(wanted.map(({ account }) => account))])
  const added: Wanted[] = []
  for (const one of wanted) {
    const held = overlaps(lasting, one)
    if (!held) added.push(one)
    else if (!covers(held, one.span))
      wrong.push({ line: one.line, column: 'starts', code: 'platform.grant-overlaps', value: '' })
  }
  return { added, unchanged: wanted.length - added.length }
}

/** Grants the roles of a file without errors. */
async function give(trx: Transaction<DB>, person: Person, added: readonly Wanted[]): Promise<Shift> {
  await addGrants(
    trx,
    added.map((one) => ({ ...one, ...one.span, origin: 'import', by: person.id })),
  )
  await settleAt(
    trx,
    added.flatMap(({ span }) => [span.startsAt, span.endsAt]),
  )
  return {
    accounts: [...new Set(added.map(({ account }) => account))],
    principals: added.flatMap(({ role, scope }) => principalsOf(role, scope)),
  }
}

/** Writes the audit entries and notifies the people. */
async function tell(
  dependencies: AccessDependencies,
  trx: Transaction<DB>,
  person: Person,
  units: Units,
  added: readonly Wanted[],
): Promise<void> {
  for (const [account, own] of Map.groupBy(added, (one) => one.account)) {
    const [first] = own
    if (!first) continue
    const roles = own.map(({ role, scope }) => units.named(principalOf(role, scope)))
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, ['ADMIN', first.role]) ?? null,
      action: 'grants.imported',
      object: `account:${account}`,
      payload: { grants: own.map(({ role, scope, span, reason }) => ({ role, scope, ...span, reason })) },
    })
    await mail(trx, dependencies).send({
      to: account,
      template: 'platform.mail.role-given',
      values: {
        role: roles.join('; '),
        from: (first.span.startsAt ?? new Date()).toISOString(),
        reason: first.reason,
      },
    })
  }
}

/** Records an error in a cell of a line. */
type Say = (column: Column, code: string, values?: Wrong['values']) => void

/** Checks that required cells are filled and the reason has a valid length. */
function checkTexts(cells: Cells, say: Say): void {
  for (const { name, required } of COLUMNS) if (required && cells[name] === '') say(name, 'platform.import.empty')
  const { length } = cells.reason
  if (length > 0 && length < REASON.least) say('reason', 'platform.check-minLength', { limit: REASON.least })
  if (length > REASON.most) say('reason', 'platform.check-maxLength', { limit: REASON.most })
}

function checkAccount(
  person: Person,
  { username }: Cells,
  account: { id: string; active: boolean } | undefined,
  say: Say,
): void {
  if (!account && username !== '') say('username', 'platform.person-unknown')
  if (account && !account.active) say('username', 'platform.account-closed')
  if (account?.id === person.id) say('username', 'platform.own-grant')
}

/** The scope of a line; undefined if it is not valid. Without a role only the unit itself is checked. */
function scopeIn(units: Units, cells: Cells, role: string | undefined, say: Say): Scope | null | undefined {
  const scope = scopeNamed(units, cells)
  const trouble =
    scope === undefined ? 'platform.scope-unknown' : role === undefined ? undefined : scopeTrouble(role, scope, units)
  if (!trouble) return scope
  say(cells.scope_code === '' && trouble === 'platform.scope-wanted' ? 'scope_kind' : 'scope_code', trouble)
  return undefined
}

/** The dates of a line; undefined if one of them is not valid. */
function spanIn(cells: Cells, say: Say): Span | undefined {
  const startsAt = dayOf(cells.starts, 0)
  const endsAt = dayOf(cells.ends, 1)
  for (const [column, moment] of [
    ['starts', startsAt],
    ['ends', endsAt],
  ] as const)
    if (moment === 'wrong') say(column, 'platform.check-format')
    else if (moment && moment < EARLIEST) say(column, 'platform.check-minimum', { limit: '01/01/2000' })
    else if (moment && moment > LATEST[column]) say(column, 'platform.check-maximum', { limit: '31/12/2100' })
  return startsAt === 'wrong' || endsAt === 'wrong' ? undefined : { startsAt, endsAt }
}

/** Checks that the grant ends in the future, and after it begins. */
function checkOrder({ startsAt, endsAt }: Span, say: Say): void {
  if (endsAt && endsAt >= EARLIEST && endsAt.getTime() <= Date.now()) say('ends', 'platform.end-past')
  else if (endsAt && startsAt && endsAt <= startsAt) say('ends', 'platform.ends-before-start')
}

/** The unit that a line names by code or name; null if it names none, undefined if there is no such unit. */
function scopeNamed(units: Units, { scope_kind, scope_code }: Cells): Scope | null | undefined {
  if (scope_kind === '' && scope_code === '') return null
  const [kind, code] = [scope_kind.toLowerCase(), scope_code.toLowerCase()]
  if (!UNIT_KINDS.some((one) => one === kind)) return undefined
  const found = units.list().filter((unit) => unit.kind === kind && unit.active)
  const unit =
    found.find((one) => one.code.toLowerCase() === code) ?? found.find((one) => one.name.toLowerCase() === code)
  return unit && { kind: unit.kind, id: unit.id }
}

/** The start of a day in the file, `later` days on; an exact time is returned unchanged. */
function dayOf(text: string, later: number): Date | null | 'wrong' {
  if (text === '') return null
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  const isDay = /^\d{4}-\d\d-\d\d$/.test(iso)
  if (!isDay && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(iso)) return 'wrong'
  const moment = new Date(isDay ? iso + MIDNIGHT : iso)
  if (Number.isNaN(moment.getTime()) || (isDay && !exists(iso))) return 'wrong'
  return isDay ? new Date(moment.getTime() + later * 86_400_000) : moment
}

/** JavaScript parses 30 February as 2 March. */
function exists(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function covers(grant: GrantRow, { startsAt, endsAt }: Span): boolean {
  const from = startsAt?.getTime() ?? Date.now()
  return grant.starts_at.getTime() <= from && (grant.ends_at?.getTime() ?? Infinity) >= (endsAt?.getTime() ?? Infinity)
}
