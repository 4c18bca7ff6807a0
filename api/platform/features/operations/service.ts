import { type Kysely, type Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { deadlinesOf } from '../../work/cases/routing.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import { commandRepository } from '../../work/rows/commands.ts'
import type { Sender, Standing } from '../../work/commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Engine, EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { UnreadableModel } from '../../model/bpmn/xml.ts'
import { cursorOf, readCursor } from '../../kernel/paging.ts'
import { requestersOf } from '../../work/offers/four-eyes.ts'
import { type Place, placesOf } from './places.ts'
import {
  type Trouble,
  listTroubleGroups,
  listTroubles,
  listTroubleIds,
  findTroubles,
  closeIncident,
  findCaseByKey,
  listOpenElements,
  isMoving,
  findRefusal,
  rebuildCase,
  sendMailAgain,
  applyEventAgain,
  retryJob,
  lockCase,
} from './repository.ts'

/** Who keeps the product running, beside ADMIN and SA. */
export const OPERATORS = ['System Analyst']

interface OperationsDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  engine: Pick<Engine, 'retry'>
  sender: Pick<Sender, 'deliver'>
}

/** What an operator can do about something: have it tried again, say that it was looked after, or neither. */
type Remedy = 'retry' | 'close' | null

/** What became of one item. `gone`: it was over before; `failed`: not now, try again later. */
interface Answer {
  id: string
  outcome: 'retried' | 'closed' | 'gone' | 'failed'
}

const remedies: Record<string, Remedy> = {
  failedJob: 'retry',
  failedExternalTask: 'retry',
  drifted: 'retry',
  'mail-not-sent': 'retry',
  'command-not-taken': 'retry',
  'parked-event': 'retry',
  'job-given-up': 'retry',
  'orphaned-effect': 'close',
  'mail-to-nobody': 'close',
  'promise-not-kept': 'close',
}

/** Most items that one request has done something about. */
const AT_ONCE = 100

/** Where a case stands, for whoever moves a token of it. */
interface Standpoint {
  id: string
  reference: string
  flow: string
  /** A move is on its way to the engine. */
  moving: boolean
  present: { element: string; name: string; since: string; holder: string | null }[]
  targets: { element: string; name: string; type: string }[]
}

/** What a move would end and begin. */
interface MovePreview {
  ends: { element: string; name: string; holder: string | null }[]
  begins: { element: string; name: string; roles: string[]; status: string | null }[]
}

/*
 * What waits for an operator, and what an operator can do about it. Nothing here asks what somebody may do with a case:
 * an operator sees that a step is stuck, not what the case says. Every act is an audit entry.
 */

function remedyOf(kind: string): Remedy {
  return remedies[kind] ?? null
}

function titleOf(
  { library }: OperationsDependencies,
  flow: string | null,
  language: Language | undefined,
): string | null {
  const known = flow === null ? undefined : library.flows.get(flow)
  return known ? wordsOf(library, language).flowTitle(known.manifest) : flow
}

/** A version with its diagram; undefined where its file cannot be read, which must not hide what else waits. */
async function readable({ definitions }: OperationsDependencies, definition: string): Promise<Definition | undefined> {
  try {
    return await definitions.find(definition)
  } catch (error) {
    if (error instanceof UnreadableModel) return undefined
    throw error
  }
}

/** What an element is called in the diagram that its case runs on. */
async function nameOf(
  context: OperationsDependencies,
  flow: string,
  element: string,
  definition: string,
  language: Language | undefined,
) {
  const { library } = context
  const names = (await readable(context, definition))?.diagram.names
  return wordsOf(library, language).element(flow, element, names?.get(element))
}

export async function troubleGroups(context: OperationsDependencies, language?: Language) {
  const { db } = context
  const found = await listTroubleGroups(db)
  return Promise.all(
    found.map(async ({ oldest, flow, element, definition, ...group }) => ({
      ...group,
      flow: titleOf(context, flow, language),
      element: flow && element && definition ? await nameOf(context, flow, element, definition, language) : element,
      oldest: oldest.toISOString(),
      remedy: remedyOf(group.kind),
    })),
  )
}

export async function listTroubleItems(
  { db }: OperationsDependencies,
  cause: string,
  { cursor, limit }: { cursor?: string; limit: number },
) {
  const [at, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'text'])
  const after = at === undefined ? undefined : { at, id: id! }
  const rows = await listTroubles(db, cause, after, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ id: one, kind, message, element, at: since, caseId, reference }) => ({
      ...{ id: one, kind, message, element, at: since.toISOString(), remedy: remedyOf(kind) },
      case: caseId === null || reference === null ? null : { id: caseId, reference },
    })),
    next: rows.length > limit ? cursorOf([last!.sort, last!.id]) : null,
  }
}

/**
 * Has each of these tried again, or closes it where there is nothing to try; answers for every one of them. What is
 * only rows of ours happens with its audit entry; the engine is asked after the entry is written.
 */
export async function retryTroubles(
  context: OperationsDependencies,
  person: Person,
  { items, cause, reason }: { items?: string[] | undefined; cause?: string | undefined; reason: string },
): Promise<Answer[]> {
  const { db } = context
  const ids = items ?? (cause === undefined ? [] : await listTroubleIds(db, cause, AT_ONCE))
  const found = new Map((await findTroubles(db, ids)).map((one) => [one.id, one]))
  const answers: Answer[] = []
  for (const id of new Set(ids)) {
    const trouble = found.get(id)
    answers.push({ id, outcome: trouble ? await remedyOne(context, person, trouble, reason) : 'gone' })
  }
  const cases = [...found.values()].flatMap(({ caseId }) => caseId ?? [])
  await announce(db, { principals: [], cases: [...new Set(cases)], tasks: [] })
  return answers
}

async function remedyOne(
  context: OperationsDependencies,
  person: Person,
  trouble: Trouble,
  reason: string,
): Promise<Answer['outcome']> {
  const { db } = context
  const { id, kind, caseId } = trouble
  const way = remedyOf(kind)
  if (way === null) return 'failed'
  const key = id.slice(id.indexOf(':') + 1)
  const done = await db.transaction().execute(async (trx) => {
    if (!(await changeRows(trx, trouble, key))) return false
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, OPERATORS) ?? null,
      action: way === 'retry' ? 'operation.retried' : 'operation.closed',
      caseId,
      object: id,
      payload: { kind, reason, message: trouble.message },
    })
    return true
  })
  if (!done) return 'gone'
  const outcome = await askEngine(context, person, kind, key)
  if (outcome === undefined) return way === 'retry' ? 'retried' : 'closed'
  // The entry above says what was asked for; that nothing came of it is told as well.
  if (outcome !== 'retried')
    await db.transaction().execute((trx) =>
      audit(trx).record({
        actor: person.id,
        actedAs: admits(person, OPERATORS) ?? null,
        action: 'operation.without-effect',
        caseId,
        object: id,
        payload: { kind, reason, outcome },
      }),
    )
  return outcome
}

/** What of it is rows of ours; false if it is over. */
async function changeRows(trx: Transaction<DB>, { kind, caseId }: Trouble, key: string): Promise<boolean> {
  switch (kind) {
    case 'drifted':
      return rebuildCase(trx, caseId!)
    case 'mail-not-sent': {
      // One that is no more, or was sent, waits for nobody either way.
      const again = await sendMailAgain(trx, key.slice('mail:'.length))
      return (await closeIncident(trx, key)) && again
    }
    case 'parked-event':
      return caseId === null ? applyEventAgain(trx, key) : rebuildCase(trx, caseId)
    case 'job-given-up':
      return retryJob(trx, key)
    case 'orphaned-effect':
    case 'mail-to-nobody':
    case 'promise-not-kept':
      return closeIncident(trx, key)
    default:
      return true
  }
}

/** What is asked of the engine; undefined where all of it was rows of ours. */
async function askEngine(
  context: OperationsDependencies,
  person: Person,
  kind: string,
  key: string,
): Promise<Answer['outcome'] | undefined> {
  const { db, sender } = context
  if (kind === 'failedJob' || kind === 'failedExternalTask') return retryAtEngine(context, person, key)
  if (kind !== 'command-not-taken') return undefined
  const standing = await sender.deliver(key.slice('command:'.length))
  if (standing === 'done') return 'retried'
  if (standing === 'pending') return 'failed'
  await closeIncident(db, key)
  return 'gone'
}

async function retryAtEngine(
  { db, engine }: OperationsDependencies,
  person: Person,
  incident: string,
): Promise<Answer['outcome']> {
  try {
    await engine.retry({ id: incident, user: person.id })
    return 'retried'
  } catch (error) {
    if (error instanceof EngineFault) return 'failed'
    if (!(error instanceof EngineRefusal)) throw error
    // The feed has not told us yet that the engine has closed it.
    await closeIncident(db, incident)
    return 'gone'
  }
}

/** A case that runs, by its id or reference, with its diagram. */
async function runningCase({ db, definitions }: OperationsDependencies, key: string) {
  const found = await findCaseByKey(db, key)
  if (!found) throw new BusinessError('platform.not-found')
  if (found.state !== 'running') throw new BusinessError('platform.case-not-running')
  const open = await listOpenElements(db, found.id)
  const definition = await definitions.get(open[0]?.process_definition_id ?? found.process_definition_id)
  return { found, open, definition, places: await placesOf(definition.xml) }
}

export async function readStandpoint(
  context: OperationsDependencies,
  key: string,
  language?: Language,
): Promise<Standpoint> {
  const { db, library } = context
  const { found, open, places } = await runningCase(context, key)
  const words = wordsOf(library, language)
  const name = ({ element, name: drawn }: Place) => words.element(found.flow, element, drawn)
  return {
    ...{ id: found.id, reference: found.reference, flow: titleOf(context, found.flow, language)! },
    moving: await isMoving(db, found.id),
    present: open.flatMap(({ element, started_at, holder }) => {
      const place = places.get(element)
      if (!place || place.type === 'SubProcess') return []
      return [{ element, name: name(place), since: started_at.toISOString(), holder }]
    }),
    targets: [...places.values()]
      .filter(({ target }) => target)
      .map((place) => ({ element: place.element, name: name(place), type: place.type })),
  }
}

/** What a move would do, or why it cannot be made. */
export async function previewMove(
  context: OperationsDependencies,
  key: string,
  wanted: { from: string; to: string },
  language?: Language,
): Promise<MovePreview> {
  const { library } = context
  const { found, open, definition, places } = await runningCase(context, key)
  const { from, to } = checkMove(open, places, wanted)
  const words = wordsOf(library, language)
  const named = (element: string) => ({
    element,
    name: words.element(found.flow, element, places.get(element)?.name),
  })
  const leaves = open.filter(({ element }) => element === from.element)
  const staying = open.filter(({ element }) => element !== from.element && !from.within.includes(element))
  // A sub-process ends with the last token in it.
  const kept = new Set([...to.within, ...staying.flatMap(({ element }) => places.get(element)?.within ?? [])])
  const entered = to.within.filter((scope) => !open.some(({ element }) => element === scope)).toReversed()
  return {
    ends: [
      ...leaves.map(({ element, holder }) => ({ ...named(element), holder })),
      ...from.within.filter((scope) => !kept.has(scope)).map((scope) => ({ ...named(scope), holder: null })),
    ],
    begins: [...entered, to.element].map((element) => ({
      ...named(element),
      ...givenBy(context, definition, element, language),
    })),
  }
}

/** Whom a desk is offered to, and the status that a case gets by arriving at an element. */
function givenBy(
  { library }: OperationsDependencies,
  { diagram, manifest }: Definition,
  element: string,
  language: Language | undefined,
) {
  const [of, state] = Object.entries(diagram.statuses.get(element) ?? {})[0] ?? []
  return {
    roles: diagram.desks.get(element)?.roles ?? [],
    status: of === undefined ? null : wordsOf(library, language).status(manifest, of, state!).text,
  }
}

/**
 * Moves a token: a command of the outbox, so that it takes effect at most once. Nobody moves what they asked for
 * themselves or sent for somebody else. `pending` while the engine is away.
 */
export async function moveToken(
  context: OperationsDependencies,
  person: Person,
  key: string,
  { from, to, reason }: { from: string; to: string; reason: string },
): Promise<Standing> {
  const { db, sender } = context
  const { found, open, places } = await runningCase(context, key)
  if (requestersOf(found).includes(person.id)) throw new BusinessError('platform.own-case')
  checkMove(open, places, { from, to })
  const command = await db.transaction().execute(async (trx) => {
    await lockCase(trx, found.id)
    if (await isMoving(trx, found.id)) throw new BusinessError('platform.changed-meanwhile')
    if (!(await listOpenElements(trx, found.id)).some(({ element }) => element === from))
      throw new BusinessError('platform.token-not-there')
    const id = await commandRepository(trx).add({
      kind: 'modify',
      caseId: found.id,
      actingUser: person.id,
      payload: { from, to, variables: await deadlinesOf(trx, new Date()) },
    })
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, OPERATORS) ?? null,
      action: 'case.moved',
      caseId: found.id,
      object: `command:${id}`,
      payload: { from, to, reason },
    })
    return id
  })
  const standing = await sender.deliver(command)
  await announce(db, { principals: [], cases: [found.id], tasks: [] })
  if (standing === 'refused') {
    const why = await findRefusal(db, command)
    throw new BusinessError(why === 'not-movable' ? 'platform.no-place-for-a-token' : 'platform.token-not-there')
  }
  return standing
}

/** The two ends of a move; refuses one that begins where nothing is open, or leads where no token can be put. */
function checkMove(
  open: readonly { element: string }[],
  places: ReadonlyMap<string, Place>,
  { from, to }: { from: string; to: string },
): { from: Place; to: Place } {
  const [start, goal] = [places.get(from), places.get(to)]
  if (!start || start.type === 'SubProcess' || !open.some(({ element }) => element === from))
    throw new BusinessError('platform.token-not-there')
  if (!goal?.target) throw new BusinessError('platform.no-place-for-a-token')
  return { from: start, to: goal }
}
