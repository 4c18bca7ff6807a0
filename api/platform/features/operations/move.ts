import { audit } from '../../kernel/audit/audit.ts'
import { deadlinesOf } from '../../work/cases/routing.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import { commandRepository } from '../../work/rows/commands.ts'
import type { CommandState } from '../../work/rows/commands.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { requestersOf } from '../../work/offers/four-eyes.ts'
import { type Place, placesOf } from './places.ts'
import { findCaseByKey, listOpenElements, isMoving, findRefusal, lockCase } from './repository.ts'
import { type OperationsDependencies, titleOf, OPERATORS } from './context.ts'

/** The position of a case, for an operator who moves a token. */
interface Standpoint {
  id: string
  reference: string
  flow: string
  /** A move is on its way to the engine. */
  moving: boolean
  present: { element: string; name: string; since: string; holder: string | null }[]
  targets: { element: string; name: string; type: string }[]
}

/** The elements that a move would end and start. */
interface MovePreview {
  ends: { element: string; name: string; holder: string | null }[]
  begins: { element: string; name: string; roles: string[]; status: string | null }[]
}

/** A running case by its id or number, with its diagram. */
async function runningCase({ db, definitions }: OperationsDependencies, key: string) {
  const found = await findCaseByKey(db, key)
  if (!found) throw new BusinessError('platform.not-found')
  if (found.state !== 'running') throw new BusinessError('platform.case-not-running')
  const open = await listOpenElements(db, found.id)
  const definition = await definitions.get(open[0]?.process_definition_id ?? found.process_definition_id)
  return { found, open, definition, places: await placesOf(definition.xml) }
}

/** Where the tokens of a case are, and where one could be moved. */
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
    ...{ id: found.id, reference: found.reference, flow: titleOf(context, found.flow, language) },
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

/** What a move would do, or why it is not possible. */
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
  // A subprocess ends with its last token.
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

/** The candidates of a desk, and the status that a case gets when it reaches an element. */
function givenBy(
  { library }: OperationsDependencies,
  { diagram, manifest }: Definition,
  element: string,
  language: Language | undefined,
) {
  const [status] = Object.entries(diagram.statuses.get(element) ?? {})
  return {
    roles: diagram.desks.get(element)?.roles ?? [],
    status: status ? wordsOf(library, language).status(manifest, ...status).text : null,
  }
}

/**
 * Moves a token with a command of the outbox, which takes effect at most once. Nobody may move a case that they
 * requested or sent for somebody else. `pending` while the engine is down.
 */
export async function moveToken(
  context: OperationsDependencies,
  person: Person,
  key: string,
  { from, to, reason }: { from: string; to: string; reason: string },
): Promise<CommandState> {
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
  const delivered = await sender.deliver({ id: command })
  await announce(db, { principals: [], cases: [found.id], tasks: [] })
  if (delivered === 'refused') {
    const why = await findRefusal(db, command)
    throw new BusinessError(why === 'not-movable' ? 'platform.no-place-for-a-token' : 'platform.token-not-there')
  }
  return delivered
}

/** Source and target of a move. Throws if the source is not open or the target cannot take a token. */
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
