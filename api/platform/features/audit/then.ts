import { isObject } from '../../kernel/objects.ts'
import type { Definition } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { titleOf } from '../../records/registers/item.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { type Evidence, modelAt } from './case-evidence.ts'
import { idsIn } from './fields.ts'
import { type MomentsContext, doers } from './moments-context.ts'
import { type Doer, type WordsContext, titlesOf, wordsContext } from './words.ts'

/** A case at a moment, with the data needed to describe it. */
export interface Then extends Evidence {
  language: Language | undefined
  telling: WordsContext
  words: WordsContext['words']
  /** Its version at that moment. */
  definition: Definition
  /** The register entries that it names, as they were. */
  items: ReadonlyMap<string, Awaited<ReturnType<typeof itemsThen>>[number]>
  /** Names by id, for ids in its fields. */
  titles: ReadonlyMap<string, string>
  /** Titles of the units in the principals that were used. */
  principals: ReadonlyMap<string, string>
  doerOf: (id: string, at: Date) => Doer
}

/** Loads the data needed to describe a case. */
export async function thenOf(context: MomentsContext, evidence: Evidence, language?: Language): Promise<Then> {
  const { db, library, definitions } = context
  const { row, at, sent, activities, entries, files, all } = evidence
  const telling = wordsContext({ db, library, definitions }, language)
  const { words } = telling
  const inForce = activities.at(-1)?.process_definition_id ?? all.activities[0]?.process_definition_id
  const definition = await definitions.get(modelAt(evidence, at, inForce ?? row.process_definition_id))
  const { diagram } = definition
  const ids = [...new Set(sent.flatMap(({ data }) => idsIn(data)))]
  const items = new Map((await itemsThen(context, ids, at)).map((item) => [item.id, item]))
  const titles = new Map([
    ...(await itemRepository(db).itemTitles(ids)),
    ...[...items].map(([item, { title }]) => [item, title] as const),
    ...files.map((file) => [file.id, file.name] as const),
    // A field can name a desk too.
    ...[...diagram.desks.keys()].map((desk) => [desk, words.element(row.flow, desk, diagram.names.get(desk))] as const),
  ])
  const acted = [...sent.map((one) => one.acted_as), ...entries.map((one) => one.acted_as)]
  const principals = await titlesOf(telling, acted)
  const doerOf = await doers(context, [
    { id: row.requester_id, at },
    ...sent.map((one) => ({ id: one.submitted_by, at: one.at })),
    ...entries.flatMap((one) => [one.at, at].map((moment) => ({ id: one.actor, at: moment }))),
    ...entries.flatMap(({ payload }) =>
      idsIn(isObject(payload) ? payload['to'] : undefined).map((to) => ({ id: to, at })),
    ),
  ])
  return { ...evidence, language, telling, words, definition, items, titles, principals, doerOf }
}

/** Register entries as they were at a moment, with their titles. */
async function itemsThen({ db, library }: MomentsContext, ids: readonly string[], at: Date) {
  return (await itemRepository(db).itemsThen(ids, at)).flatMap((item) => {
    const register = library.registers.get(item.register)
    return register ? [{ ...item, title: titleOf(register, item.data) }] : []
  })
}

/** The name of an element of the diagram. */
export function nameOf({ row, words, definition }: Then, element: string): string {
  return words.element(row.flow, element, definition.diagram.names.get(element))
}
