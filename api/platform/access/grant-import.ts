import { CsvError } from 'csv-parse/sync'
import { audit } from '../audit/audit.ts'
import type { Language } from '../flows/library.ts'
import { type Person, admits } from '../identity/person.ts'
import { mail } from '../mail/mail.ts'
import { recordsOf } from '../registers/import.ts'
import { type AccessDependencies, type Span, accessChanges } from './changes.ts'
import { overlaps, principalsOf, scopeTrouble } from './grants.ts'
import { type GrantRow, accessRepository } from './repository.ts'
import { mayGrant } from './rights.ts'
import { peopleRepository } from './people-repository.ts'
import { type Scope, UNIT_KINDS, type Units, principalOf, readUnits } from './units.ts'

/** The columns of a file of grants; who, what and why have to be there. */
const COLUMNS = ['username', 'role', 'scope_kind', 'scope_code', 'starts', 'ends', 'reason'] as const
const WANTED = ['username', 'role', 'reason'] as const
const MOST_ROWS = 2000
/** Midnight of a day in Colombo. */
const MIDNIGHT = 'T00:00:00+05:30'

type Column = (typeof COLUMNS)[number]
type Cells = Record<Column, string>

/** One thing that is wrong with a file, at its line and column. */
export interface GrantImportError {
  line: number
  column: string
  code: string
  message: string
  value: string
}

/** What a file of grants holds; it is given as a whole or not at all. */
export interface GrantImport {
  rows: number
  errors: GrantImportError[]
  added: number
  /** Grants that people have already. */
  unchanged: number
}

type Wrong = Omit<GrantImportError, 'message'> & { values?: Record<string, string | number> }

interface Row {
  line: number
  cells: Cells
}

interface Wanted {
  account: string
  role: string
  scope: Scope | null
  span: Span
  reason: string
}

/**
 * Gives roles by a CSV file, each line as if it had been given by hand by the same person. With `commit` false, or when a
 * line is wrong, nothing is given.
 */
export function grantImports(dependencies: AccessDependencies) {
  const { library } = dependencies
  const changes = accessChanges(dependencies)

  return async function imports(
    person: Person,
    { csv, commit }: { csv: string; commit: boolean },
    language?: Language,
  ): Promise<GrantImport> {
    const { rows, wrong } = readRows(csv)
    const told = (errors: Wrong[]): GrantImportError[] =>
      errors
        .toSorted((a, b) => a.line - b.line)
        .map(({ values, ...one }) => ({ ...one, message: library.text(one.code, values, language) }))
    if (rows.length === 0) return { rows: 0, errors: told(wrong), added: 0, unchanged: 0 }

    return changes.make(async (trx) => {
      const units = await readUnits(trx)
      const people = await peopleRepository(trx).listByName(rows.map(({ cells }) => cells.username))
      const byName = new Map(
        people.flatMap((one) => [one.email, one.username].map((name) => [name.toLowerCase(), one])),
      )
      const wanted: (Wanted & { line: number })[] = []
      const seen = new Set<string>()
      for (const { line, cells } of rows) {
        const say = (column: Column, code: string, values?: Wrong['values']) =>
          void wrong.push({ line, column, code, value: cells[column], ...(values && { values }) })
        for (const column of WANTED) if (cells[column] === '') say(column, 'platform.import.empty')
        const account = byName.get(cells.username.toLowerCase())
        if (!account && cells.username !== '') say('username', 'platform.person-unknown')
        if (account && !account.active) say('username', 'platform.account-closed')
        if (account?.id === person.id) say('username', 'platform.own-grant')
        const role = library.roleAliases.get(cells.role) ?? cells.role
        const known = library.roles.has(role)
        if (!known && role !== '') say('role', 'platform.role-unknown')
        const scope = scopeNamed(units, cells)
        const trouble =
          scope === undefined ? 'platform.scope-unknown' : known ? scopeTrouble(role, scope, units) : undefined
        if (trouble)
          say(cells.scope_code === '' && trouble === 'platform.scope-wanted' ? 'scope_kind' : 'scope_code', trouble)
        const span = { startsAt: dayOf(cells.starts, 0), endsAt: dayOf(cells.ends, 1) }
        if (span.startsAt === 'wrong') say('starts', 'platform.check-format')
        if (span.endsAt === 'wrong') say('ends', 'platform.check-format')
        if (
          !account ||
          !known ||
          trouble ||
          scope === undefined ||
          span.startsAt === 'wrong' ||
          span.endsAt === 'wrong'
        )
          continue
        if (span.endsAt && span.endsAt.getTime() <= Date.now()) say('ends', 'platform.end-past')
        else if (span.endsAt && span.startsAt && span.endsAt <= span.startsAt) say('ends', 'platform.ends-before-start')
        if (!mayGrant(person, role, scope, units)) say('role', 'platform.grant-not-allowed', { role })
        const key = JSON.stringify([account.id, principalOf(role, scope)])
        if (seen.has(key)) say('username', 'platform.import.duplicated')
        seen.add(key)
        const startsAt = span.startsAt && span.startsAt.getTime() > Date.now() ? span.startsAt : null
        const dates = { startsAt, endsAt: span.endsAt }
        wanted.push({ line, account: account.id, role, scope, span: dates, reason: cells.reason })
      }
      const repository = accessRepository(trx)
      const standing = await repository.listStanding([...new Set(wanted.map(({ account }) => account))])
      const added: Wanted[] = []
      for (const one of wanted) {
        const before = overlaps(standing, one)
        if (!before) added.push(one)
        else if (!covers(before, one.span))
          wrong.push({ line: one.line, column: 'starts', code: 'platform.grant-overlaps', value: '' })
      }
      const give = commit && wrong.length === 0
      if (give) {
        await repository.addGrants(added.map((one) => ({ ...one, ...one.span, origin: 'import', by: person.id })))
        await repository.settleAt(added.flatMap(({ span }) => [span.startsAt, span.endsAt]))
        for (const [account, own] of Map.groupBy(added, (one) => one.account)) {
          const roles = own.map(({ role, scope }) => units.named(principalOf(role, scope)))
          await audit(trx).record({
            actor: person.id,
            actedAs: admits(person, ['ADMIN', own[0]!.role]) ?? null,
            action: 'grants.imported',
            object: `account:${account}`,
            payload: { grants: own.map(({ role, scope, span, reason }) => ({ role, scope, ...span, reason })) },
          })
          await mail(trx, dependencies).send({
            to: account,
            template: 'platform.mail.role-given',
            values: {
              role: roles.join('; '),
              from: (own[0]!.span.startsAt ?? new Date()).toISOString(),
              reason: own[0]!.reason,
            },
          })
        }
      }
      return {
        result: {
          rows: rows.length,
          errors: told(wrong),
          added: give ? added.length : 0,
          unchanged: wanted.length - added.length,
        },
        shift: {
          accounts: give ? [...new Set(added.map(({ account }) => account))] : [],
          principals: give ? added.flatMap(({ role, scope }) => principalsOf(role, scope)) : [],
        },
      }
    })
  }
}

function readRows(csv: string): { rows: Row[]; wrong: Wrong[] } {
  const nothing = (code: string, more: Partial<Wrong> = {}) => ({
    rows: [],
    wrong: [{ line: 1, column: '', value: '', code, ...more }],
  })
  if (csv.includes('\uFFFD') || csv.includes('\0')) return nothing('platform.import.not-utf8')
  let records: ReturnType<typeof recordsOf>
  try {
    records = recordsOf(csv)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return nothing('platform.import.quotes')
  }
  const [header, ...body] = records
  if (!header || body.length === 0) return nothing('platform.import.no-rows')
  if (body.length > MOST_ROWS)
    return nothing('platform.import.too-many', { values: { count: body.length, most: MOST_ROWS } })
  const columns = header.cells.map((cell) => COLUMNS.find((name) => name === cell.toLowerCase()))
  const wrong: Wrong[] = header.cells.flatMap((cell, index) =>
    columns[index] === undefined && cell !== ''
      ? [{ line: header.line, column: '', code: 'platform.import.column-unknown', value: cell, values: { name: cell } }]
      : [],
  )
  for (const column of WANTED)
    if (!columns.includes(column)) wrong.push({ line: header.line, column, code: 'platform.import.empty', value: '' })
  const rows = body.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(COLUMNS.map((name) => [name, cells[columns.indexOf(name)]?.trim() ?? ''])) as Cells,
  }))
  return { rows, wrong }
}

/** The unit that a line names by its code or name; null for none, undefined for one that does not exist. */
function scopeNamed(units: Units, { scope_kind, scope_code }: Cells): Scope | null | undefined {
  if (scope_kind === '' && scope_code === '') return null
  const [kind, code] = [scope_kind.toLowerCase(), scope_code.toLowerCase()]
  if (!UNIT_KINDS.some((one) => one === kind)) return undefined
  const found = units.list().filter((unit) => unit.kind === kind && unit.active)
  const unit =
    found.find((one) => one.code.toLowerCase() === code) ?? found.find((one) => one.name.toLowerCase() === code)
  return unit && { kind: unit.kind, id: unit.id }
}

/** The beginning of a day as a file writes it, `later` days on; an exact moment is taken as it is. */
function dayOf(text: string, later: number): Date | null | 'wrong' {
  if (text === '') return null
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
  const isDay = /^\d{4}-\d\d-\d\d$/.test(iso)
  if (!isDay && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(iso)) return 'wrong'
  const moment = new Date(isDay ? iso + MIDNIGHT : iso)
  if (Number.isNaN(moment.getTime()) || (isDay && !exists(iso))) return 'wrong'
  return isDay ? new Date(moment.getTime() + later * 86_400_000) : moment
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function exists(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function covers(grant: GrantRow, { startsAt, endsAt }: Span): boolean {
  const from = startsAt?.getTime() ?? Date.now()
  return grant.starts_at.getTime() <= from && (grant.ends_at?.getTime() ?? Infinity) >= (endsAt?.getTime() ?? Infinity)
}
