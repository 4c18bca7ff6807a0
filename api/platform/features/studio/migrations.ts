import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { oneOf } from '../../kernel/one-of.ts'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import {
  type Engine,
  EngineRefusal,
  type MigrationInstruction,
  type MigrationProblem,
} from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import { cursorOf, readCursor } from '../../kernel/paging.ts'
import { translateViolations } from '../../people/access/refusals.ts'
import { rightBeyondOwners } from '../../people/access/process-owners.ts'
import { ownedFlow, refusedElements } from './content/flow.ts'
import { migrationRepository } from '../../work/rows/migrations.ts'
import { listVersions } from './content/repository.ts'
import { withRenewals } from './triggers.ts'

/**
 * Moves running cases to another version of their flow: a plan that people can change, then one command per case. A
 * case that cannot move stays as it is, with a reason; one that has moved is not moved again. The right to begin a
 * migration includes the right to stop it.
 */
export interface MigrationDependencies {
  db: Kysely<DB>
  engine: Pick<Engine, 'migrationPlan' | 'validateMigration'>
  library: Library
  definitions: Definitions
}

/** If the flow requires a second owner, one owner alone may not move cases past a desk. */
const OTHER_DESK = 'platform.migration-other-desk'

/** The source and target version. */
export interface Versions {
  from: string
  to: string
}

const movedStates = ['waiting', 'moving', 'done', 'failed'] as const

/** The state of a case in a migration, with the reason if it stays. */
export interface Moved {
  caseId: string
  reference: string
  state: (typeof movedStates)[number]
  reason: string | null
}

async function versionsOf(
  { definitions }: MigrationDependencies,
  flow: string,
  { from, to }: Versions,
): Promise<{ before: Definition; after: Definition }> {
  const [before, after] = await Promise.all([definitions.get(from), definitions.get(to)])
  if (before.flow !== flow || after.flow !== flow) throw new BusinessError('platform.not-found')
  if (from === to) throw new BusinessError('platform.migration-same-version')
  if (after.version < before.version) throw new BusinessError('platform.migration-backwards')
  return { before, after }
}

/** Problems of instructions, in the words of the diagrams. */
async function problemsOf(
  { engine }: MigrationDependencies,
  versions: Versions,
  instructions: MigrationInstruction[],
): Promise<MigrationProblem[]> {
  const sources = instructions.map(({ source }) => source)
  const twice = sources.filter((source, at) => sources.indexOf(source) !== at)
  if (twice.length > 0)
    return [...new Set(twice)].map((element) => ({ element, reason: 'two instructions lead on from it' }))
  try {
    return await engine.validateMigration({ ...versions, instructions })
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error
    return [{ element: '', reason: error.message }]
  }
}

/** Elements with cases and without an instruction: these cases stay. */
async function openPlaces(
  { db }: MigrationDependencies,
  { id, diagram }: Definition,
  instructions: readonly MigrationInstruction[],
) {
  const sources = instructions.map(({ source }) => source)
  const found = await migrationRepository(db).listOccupied(id, sources)
  return found.map(({ element, name, cases }) => ({
    element,
    name: diagram.names.get(element) ?? name ?? element,
    cases,
  }))
}

/** Instructions to another element, by the names of their sources: they can move cases past a desk. */
function astray({ diagram }: Definition, instructions: readonly MigrationInstruction[]) {
  const led = instructions.filter(({ source, target }) => source !== target)
  return led.map(({ source }) => ({ element: source, desk: diagram.names.get(source) ?? source }))
}

/** A plan of the unambiguous instructions, and the elements with cases that have none. */
export async function planMigration(
  context: MigrationDependencies,
  person: Person,
  process: string,
  versions: Versions,
) {
  const { engine, library } = context
  const { flow } = ownedFlow(library, person, process)
  const { before, after } = await versionsOf(context, flow.key, versions)
  const found = await engine.migrationPlan(versions)
  const instructions = await withRenewals(found, before.xml, after.xml)
  return {
    instructions: instructions.map(({ source, target }) => ({ source, target })),
    open: await openPlaces(context, before, instructions),
    problems: await problemsOf(context, versions, instructions),
  }
}

/** Problems of instructions, and elements with cases that have none. */
export async function validateMigration(
  context: MigrationDependencies,
  person: Person,
  process: string,
  { instructions, ...versions }: Versions & { instructions: MigrationInstruction[] },
) {
  const { db, library } = context
  const { flow } = ownedFlow(library, person, process)
  const { before, after } = await versionsOf(context, flow.key, versions)
  const problems = await problemsOf(context, versions, await withRenewals(instructions, before.xml, after.xml))
  const asked = !person.seesAll && (await needsSecondOwner(db, process))
  const refused = asked ? astray(before, instructions) : []
  const reasons = refused.map(({ element, desk }) => ({ element, reason: library.text(OTHER_DESK, { desk }) }))
  return { problems: [...problems, ...reasons], open: await openPlaces(context, before, instructions) }
}

/** Begins to move these cases, or all of the version, in the background. */
export async function beginMigration(
  context: MigrationDependencies,
  person: Person,
  process: string,
  {
    instructions,
    cases,
    reason,
    ...versions
  }: Versions & { instructions: MigrationInstruction[]; cases?: string[]; reason?: string },
): Promise<{ id: string }> {
  const { db, library } = context
  const { flow, actedAs: right } = ownedFlow(library, person, process)
  const { before, after } = await versionsOf(context, flow.key, versions)
  const led = astray(before, instructions)
  const refusal = () => new BusinessError(OTHER_DESK, { desk: led.map(({ desk }) => desk).join(', ') })
  const asked = led.length > 0 && (await needsSecondOwner(db, process))
  const actedAs = asked ? rightBeyondOwners(person, refusal) : right
  const given = await withRenewals(instructions, before.xml, after.xml)
  const problems = await problemsOf(context, versions, given)
  if (problems.length > 0) throw refusedElements('platform.migration-refused', problems)
  const [release] = (await listVersions(db, [flow.key])).filter(({ id }) => id === versions.to)
  const why = reason?.trim() || release?.note || `${before.version} → ${after.version}`
  const id = uuid()
  const create = async (trx: Transaction<DB>) => {
    const migrations = migrationRepository(trx)
    const work = { ...versions, process, instructions: given, reason: why, accountId: person.id, actedAs }
    const total = await migrations.create(id, flow.key, work, cases)
    if (cases && total < new Set(cases).size) throw new BusinessError('platform.not-found')
    await migrations.schedule(id)
    await audit(trx).record({
      actor: person.id,
      actedAs,
      action: 'migration.begun',
      object: `model:${process}`,
      payload: { migration: id, ...versions, instructions: given, reason: why, total },
    })
  }
  await translateViolations(() => db.transaction().execute(create), { other_desk_by_administrators: refusal })
  return { id }
}

/** Stops it: moved cases stay moved, and others stay where they are, except for commands on their way to the engine. */
export async function stopMigration(
  { db, library }: MigrationDependencies,
  person: Person,
  process: string,
  id: string,
  { reason }: { reason: string },
): Promise<void> {
  const { actedAs } = ownedFlow(library, person, process)
  const why = reason.trim()
  await db.transaction().execute(async (trx) => {
    const migrations = migrationRepository(trx)
    if (!(await migrations.find(process, id))) throw new BusinessError('platform.not-found')
    const left = await migrations.stop(id, { by: person.id, as: actedAs, reason: why })
    if (left === undefined) throw new BusinessError('platform.migration-over')
    await migrations.schedule(id)
    await audit(trx).record({
      actor: person.id,
      actedAs,
      action: 'migration.stopped',
      object: `model:${process}`,
      payload: { migration: id, reason: why, left },
    })
  })
}

/** Its progress and the result for each case; cases that stay come first. */
export async function readMigration(
  { db, library, definitions }: MigrationDependencies,
  person: Person,
  process: string,
  id: string,
  { cursor, limit = 500 }: { cursor?: string; limit?: number },
  language: Language,
) {
  ownedFlow(library, person, process)
  const migrations = migrationRepository(db)
  const found = await migrations.find(process, id)
  if (!found) throw new BusinessError('platform.not-found')
  const after = cursor === undefined ? undefined : readCursor(cursor, ['number', 'number'])
  const rows = await migrations.listEntries(id, after, limit + 1)
  const entries = rows.slice(0, limit)
  const last = rows.length > limit ? entries.at(-1) : undefined
  const { diagram } = await definitions.get(found.from_id)
  const named = (detail: string) =>
    detail.replaceAll(/[\w-]+(?=: )/g, (element) => diagram.names.get(element) ?? element)
  return {
    from: found.from_id,
    to: found.to_id,
    total: found.total,
    done: found.done,
    failed: found.failed,
    stopped: found.stopped_at && {
      by: known(found.stopped_by, 'who stopped the migration'),
      at: found.stopped_at.toISOString(),
      reason: known(found.stop_reason, 'why the migration was stopped'),
    },
    next: last ? cursorOf([String(last.rank), String(last.position)]) : null,
    items: entries.map(({ case_id, reference, state, code, detail }): Moved => ({
      caseId: case_id,
      reference,
      state: state === 'sent' ? 'moving' : oneOf(movedStates, state),
      reason: code && library.text(code, { detail: named(detail ?? '') }, language),
    })),
  }
}
