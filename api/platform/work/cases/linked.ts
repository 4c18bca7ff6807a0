import type { Transaction } from 'kysely'
import { fits } from '../../../../forms/platform/answers.ts'
import type { DB, JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/objects.ts'
import type { GivenToLinked, LinkedFlow } from '../../model/definitions/manifest.ts'
import { type FieldSchema, at, pathOf } from '../../model/definitions/register.ts'
import type { Language } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import { wordsOf } from '../../model/library/words.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import { type Origin, findOrigin, listFollowing } from '../rows/case-links.ts'
import { type CaseRow, findCaseRow, holdCase } from '../rows/cases.ts'
import { startFormOf } from './begin.ts'
import { type CasesContext, findCase, presentManifest } from './context.ts'
import type { CaseView, LinkedView } from './view.ts'
import { rightToSee } from './visibility.ts'

type Content = Pick<CaseRow, 'reference' | 'data' | 'facts' | 'subject'>

/** What a case follows from, what follows from it, and what this person may begin from it now. */
export async function linksOf(
  context: CasesContext,
  person: Person,
  row: CaseRow,
  language?: Language,
): Promise<Pick<CaseView, 'follows' | 'linked' | 'offers'>> {
  const { db, library } = context
  const words = wordsOf(library, language)
  const [originId, following] = await Promise.all([findOrigin(db, row.id), listFollowing(db, row.id)])
  const origin = originId === undefined ? undefined : await findCaseRow(db, originId)
  const { linked = [] } = await presentManifest(context, row)
  const ending = new Set(linked.filter(({ ends }) => ends !== undefined).map(({ name }) => name))
  const view = async (one: CaseRow, name?: string): Promise<LinkedView> => {
    const manifest = await presentManifest(context, one)
    const seen = await rightToSee(db, person, one, manifest)
    return {
      id: seen === undefined ? null : one.id,
      reference: one.reference,
      flowTitle: words.flowTitle(manifest),
      status: words.status(manifest, 'status', one.status, one.ended_at && one.end_reason),
      createdAt: one.created_at.toISOString(),
      endsToo: name !== undefined && ending.has(name) && one.state === 'running' && one.withdrawn_at === null,
    }
  }
  const [area] = row.flow.split('/')
  const offers = await offered(context, person, row, following)
  return {
    follows: origin ? await view(origin) : null,
    linked: await Promise.all(following.map((one) => view(one, one.link_name))),
    offers: offers.map(({ name, flow }) => ({
      name,
      flow,
      title: words.text(`${area}.linked.${name}`),
      page: `${library.flows.get(flow)?.manifest.startPage ?? `/start/${flow}`}?from=${row.id}&as=${name}`,
    })),
  }
}

type Following = Awaited<ReturnType<typeof listFollowing>>

/** The case at the other end of a link. */
export const linkedBy = (caseId: string, { name, once, again = [] }: LinkedFlow): Origin => ({
  caseId,
  name,
  once: once === true,
  again,
})

/** Whether a case follows by a link already, and no other may. The database decides, too. */
export function isTaken({ name, once, again = [] }: LinkedFlow, following: Following): boolean {
  const isOver = ({ state, status, withdrawn_at: withdrawn }: Following[number]) =>
    again.length > 0 && (state === 'failed' || (state === 'ended' && (withdrawn !== null || again.includes(status))))
  return once === true && following.some((one) => one.link_name === name && !isOver(one))
}

/** The links of a case by which this person may begin another one now. */
async function offered(
  context: CasesContext,
  person: Person,
  row: CaseRow,
  following: Following,
): Promise<LinkedFlow[]> {
  const { linked = [] } = await presentManifest(context, row)
  return linked.filter((link) => {
    const { flow, in: statuses = [], when } = link
    const there = context.library.flows.get(flow)?.manifest
    return (
      row.state === 'running' &&
      row.withdrawn_at === null &&
      statuses.includes(row.status) &&
      fits(when, row.data) &&
      !isTaken(link, following) &&
      there !== undefined &&
      admitsToStart(person, there) !== undefined
    )
  })
}

/** The link by which this person may begin a case of a flow from another case now; throws if there is none. */
async function linkNamed(
  context: CasesContext,
  person: Person,
  { case: id, name, flow }: { case: string; name: string; flow?: string },
): Promise<{ row: CaseRow; link: LinkedFlow }> {
  const row = await findCase(context, person, id)
  const link = (await offered(context, person, row, await listFollowing(context.db, id))).find(
    (one) => one.name === name,
  )
  if (!link || (flow !== undefined && link.flow !== flow)) throw new BusinessError('platform.not-followed-now')
  return { row, link }
}

/**
 * The case that a new one of a flow follows from, if this person may begin it from there now. It stays as it is until the
 * commit.
 */
export async function originOffered(
  context: CasesContext,
  trx: Transaction<DB>,
  person: Person,
  wanted: { case: string; name: string; flow: string },
): Promise<Origin> {
  const inside = { ...context, db: trx }
  await findCase(inside, person, wanted.case)
  await holdCase(trx, wanted.case)
  const { row, link } = await linkNamed(inside, person, wanted)
  return linkedBy(row.id, link)
}

/** What a case fills in of the start form of another one that this person may begin from it now. */
export async function givenByCase(
  context: CasesContext,
  person: Person,
  wanted: { case: string; name: string },
  language?: Language,
): Promise<{ flow: string; data: JsonObject }> {
  const { row, link } = await linkNamed(context, person, wanted)
  const { schema } = await startFormOf(context, await context.definitions.latest(link.flow))
  const given = givenBy(link, row, wordsOf(context.library, language))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left of an object is one
  return { flow: link.flow, data: fitting(schema, given) as JsonObject }
}

/** The fields of the other start form that a case fills in; a place without a value fills in none. */
export function givenBy(
  { gives }: Pick<LinkedFlow, 'gives'>,
  { reference, data, facts, subject }: Content,
  words: Pick<ReturnType<typeof wordsOf>, 'text' | 'language'>,
): JsonObject {
  const known = { reference, data, facts, subject }
  const valueOf = (from: GivenToLinked): unknown => {
    if (typeof from === 'string') return at(known, from)
    if ('is' in from) return from.is
    if ('sum' in from) return sumOf(from.sum.map((pointer) => at(known, pointer)))
    if ('text' in from) return words.text(from.text, readable({ ...subject, reference }, words.language))
    const day = at(known, from.at)
    return typeof day === 'string' ? `${day}T${from.time}:00+05:30` : undefined
  }
  let filled: JsonObject = {}
  for (const [field, from] of Object.entries(gives)) {
    const value = valueOf(from)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all places are JSON of the case
    if (value !== undefined && value !== null) filled = put(filled, pathOf(field), value as JsonValue) as JsonObject
  }
  return filled
}

/** The sum of numbers; none if one of them is missing. */
function sumOf(numbers: readonly unknown[]): number | undefined {
  return numbers.every((one) => typeof one === 'number') ? numbers.reduce((sum, one) => sum + one, 0) : undefined
}

/** What of filled fields fits the form. People fill in the rest. */
function fitting(schema: FieldSchema | undefined, value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((row) => fitting(schema?.items, row) ?? null)
  if (!isObject(value)) return fits(schema, value) ? value : undefined
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const fit = one === undefined ? undefined : fitting(schema?.properties?.[name], one)
    return fit === undefined ? [] : [[name, fit] as const]
  })
  return Object.fromEntries(kept)
}

/** The value with another one at a path, whose numbers are places of a list. */
function put(whole: JsonValue | undefined, [first, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (first === undefined) return value
  if (/^\d+$/.test(first)) {
    const list = Array.isArray(whole) ? [...whole] : []
    list[Number(first)] = put(list[Number(first)], rest, value)
    return list
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of JSON
  const object = (isObject(whole) ? whole : {}) as JsonObject
  return { ...object, [first]: put(object[first], rest, value) }
}
