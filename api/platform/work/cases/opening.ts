import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import { type Language, type Library, registerNamed } from '../../model/library/library.ts'
import { type Manifest, REQUESTER } from '../../model/definitions/manifest.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import { inUse } from '../../model/definitions/register.ts'
import { closedNow, closingOf, entryAsked, isForRequester, onceKeyOf } from './requester.ts'
import { type NamedItem, type NamedItems, remembered } from '../../model/definitions/named.ts'
import { type Unfit, forOthers, opensLater } from './unfit.ts'
import { wordsOf } from '../../model/library/words.ts'
import { listOnceCases } from '../rows/case-lists.ts'
import { listBegun } from '../rows/begun-forms.ts'
import { findAnyItem, listItems } from '../rows/items.ts'

/** What a flow offers a person before they begin a request. */
export interface Opening {
  /** Why they cannot begin one; null if they can. */
  message: string | null
  /** What they can ask for now in a flow with one case per register entry; null for other flows. */
  items: Offered[] | null
  /** What is not for them or opens later, if the flow explains that. */
  unfit: Unfit[]
  /** Their cases that wait for them. */
  waiting: Waiting[]
  /** Their cases, running or ended, that keep them from asking for the same again. */
  already: { id: string; reference: string; title: string }[]
}

/** An entry that can be asked for, until the last second of its last day if that is limited. */
interface Offered {
  id: string
  title: string
  closesAt: string | null
}

/** What is open to a person in a flow that the start page announces, and they have no case about. */
export interface Announced {
  flow: string
  /** Text keys of the flow, and of what is said of an entry. */
  title: string
  words: string
  startPage: string
  items: Offered[]
}

/** A case that waits for its requester. */
export interface Waiting {
  task: string
  /** Name of the desk. */
  name: string
  reference: string
  title: string
  dueAt: string | null
}

interface OpeningsDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  rules: ReadonlyMap<string, Rules>
  clock?: () => Date
}

async function openingOf(
  context: OpeningsDependencies,
  person: Person,
  flow: string,
  language?: Language,
): Promise<Opening> {
  const { db, library, definitions, rules } = context
  const { manifest } = await definitions.latest(flow)
  const words = wordsOf(library, language)
  try {
    if (manifest.batch?.only || admitsToStart(person, manifest) === undefined)
      throw new BusinessError('platform.not-allowed')
    const entry = await entryAsked(db, { manifest, requesterId: person.id, registers: library.registers })
    const kept = await listOnceCases(db, flow, person.id, manifest.once?.again ?? [])
    const begun = manifest.open?.finish ? await listBegun(db, flow, person.id) : new Set<string>()
    const { items, taken, unfit } = await itemsFor(
      context,
      manifest,
      { entry, kept: new Set(kept.keys()), begun, unfitFor: rules.get(flow)?.unfitFor },
      { words, language },
    )
    const waiting = await waitingFor(context, person, flow, manifest, language)
    const already = taken.flatMap((key) => {
      const { id, reference, subject } = known(kept.get(key), 'the case with the key')
      const waits = waiting.some((one) => one.reference === reference)
      return waits ? [] : [{ id, reference, title: words.caseTitle(manifest, subject) }]
    })
    // The flow allows one case at a time, and that one is running.
    const one = manifest.once?.per === undefined && taken.length > 0
    return { message: one ? words.text('platform.once-only') : null, items, unfit, waiting, already }
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    return { message: words.text(error.code, error.values), items: null, unfit: [], waiting: [], already: [] }
  }
}

/** Who looks at what a flow offers: their entry, their cases that keep an entry, and the forms that they have begun. */
interface Asker {
  entry: NamedItem | undefined
  kept: ReadonlySet<string>
  begun: ReadonlySet<string>
  unfitFor: Rules['unfitFor']
}

/** The entries that can be asked for now, those that already have a case, and those that are not for this person. */
async function itemsFor(
  { db, library, clock = () => new Date() }: OpeningsDependencies,
  manifest: Manifest,
  { entry, kept, begun, unfitFor }: Asker,
  { words, language }: { words: ReturnType<typeof wordsOf>; language: Language | undefined },
): Promise<{ items: Opening['items']; taken: string[]; unfit: Unfit[] }> {
  const field = manifest.once?.per
  const register = field && registerNamed(library, manifest.start, field)
  if (field === undefined || register === undefined) return { items: null, taken: [...kept], unfit: [] }
  const find = remembered((id) => findAnyItem(db, id))
  const items: Offered[] = []
  const taken: string[] = []
  const unfit: Unfit[] = []
  const explains = manifest.requester?.explains === true
  const definition = known(library.registers.get(register), `the register ${register}`)
  for (const item of await listItems(db, register, inUse(definition))) {
    const data = { [field.slice(1)]: item.id }
    const named: NamedItems = new Map<string, NamedItem>([
      [field, item],
      ...(entry ? [[REQUESTER, entry] as const] : []),
    ])
    const now = clock()
    const closed = closedNow(manifest, data, named, now)
    const finishUntil = begun.has(item.id) ? closingOf(manifest, data, named)?.finishUntil : undefined
    const finishing = closed?.code === 'platform.closed' && finishUntil && now < finishUntil
    if (explains && closed?.code === 'platform.not-open-yet')
      unfit.push(opensLater(item, closed.values.from, words, language))
    if (closed && !finishing) continue
    const key = known(onceKeyOf(manifest, data), 'the key of a case about an entry')
    const why = entry && (await unfitFor?.({ db, records: [entry.id], item }))?.get(entry.id)
    if (kept.has(key)) taken.push(key)
    else if (
      !entry ||
      (await isForRequester(db, { registers: library.registers, manifest, data, items: named, find }))
    ) {
      const closes = closingOf(manifest, data, named)
      const closesAt = closes ? new Date(closes.at.getTime() - 1000).toISOString() : null
      if (why === undefined) items.push({ id: item.id, title: item.title, closesAt })
      else if (explains) unfit.push({ id: item.id, title: item.title, reason: words.text(why) })
    } else if (explains) unfit.push(await forOthers(item, { manifest, data, named, entry }, { library, words, find }))
  }
  return { items, taken, unfit }
}

async function waitingFor(
  { db, library }: OpeningsDependencies,
  person: Person,
  flow: string,
  manifest: Manifest,
  language?: Language,
): Promise<Waiting[]> {
  const words = wordsOf(library, language)
  const rows = await db
    .selectFrom('task as t')
    .innerJoin('flow_case as c', 'c.id', 't.case_id')
    .innerJoin('task_candidate as k', 'k.task_id', 't.id')
    .select(['t.id', 't.desk', 't.name', 't.due_at', 'c.reference', 'c.subject'])
    .where('c.flow', '=', flow)
    .where('c.requester_id', '=', person.id)
    .where('t.state', 'in', ['open', 'held'])
    .where('k.principal', '=', `user:${person.id}`)
    .orderBy('t.created_at')
    .execute()
  return rows.map(({ id, desk, name, due_at, reference, subject }) => ({
    task: id,
    name: words.element(flow, desk, name),
    reference,
    title: words.caseTitle(manifest, subject),
    dueAt: due_at?.toISOString() ?? null,
  }))
}

/** What is open to a person in a flow; nothing while the flow is not deployed. */
async function openIn(...[context, person, flow, language]: Parameters<typeof openingOf>): Promise<Opening['items']> {
  try {
    return (await openingOf(context, person, flow, language)).items
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'platform.not-found') return null
    throw error
  }
}

/** What the start page announces to a person: what is open to them now. */
export function announcements(context: OpeningsDependencies) {
  return async (person: Person, language?: Language): Promise<Announced[]> => {
    const announced: Announced[] = []
    for (const [flow, { manifest }] of context.library.flows) {
      const { title, announced: words, startPage } = manifest
      if (words === undefined || admitsToStart(person, manifest) === undefined) continue
      const items = await openIn(context, person, flow, language)
      if (items?.length) announced.push({ flow, title, words, startPage: startPage ?? `/start/${flow}`, items })
    }
    return announced
  }
}

/**
 * What flows offer people. It keeps them from filling in a form that does not apply or that waits for them elsewhere.
 */
export function openings(context: OpeningsDependencies) {
  return (person: Person, flow: string, language?: Language): Promise<Opening> =>
    openingOf(context, person, flow, language)
}
