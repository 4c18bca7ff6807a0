import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Decision } from '../../kernel/engine/port.ts'
import { REQUESTER } from '../../model/definitions/manifest.ts'
import { leaves } from '../../model/definitions/register.ts'
import { subjectOf } from '../../work/cases/routing.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { modelAt } from './case-evidence.ts'
import type { CaseThen, SentThen } from './case-then.ts'
import { type DescribedField, changesOf, fieldsOf, idsIn } from './fields.ts'
import type { MomentsContext } from './moments-context.ts'
import { type Then, nameOf } from './then.ts'
import { authorityOf, reasonOf } from './words.ts'

/**
 * The submissions so far, each with its changes since the previous one of the same form, and the last effective one of
 * each form.
 */
export async function submissionsThen(
  { definitions }: MomentsContext,
  then: Then,
): Promise<{ submissions: SentThen[]; lastBy: ReadonlyMap<string, DescribedField[]> }> {
  const { words, telling, titles, principals, doerOf } = then
  const submissions: SentThen[] = []
  const lastBy = new Map<string, DescribedField[]>()
  for (const one of then.sent) {
    const form = await definitions.form(one.form_hash)
    const fields = fieldsOf(form.schema, one.data, titles, words.text)
    const before = lastBy.get(one.form_key)
    submissions.push({
      id: one.id,
      at: one.at.toISOString(),
      form: one.form_key,
      title: one.desk === null ? formTitle(then, form.schema, one.form_key) : nameOf(then, one.desk),
      by: doerOf(one.submitted_by, one.at),
      authority: authorityOf(telling, one.acted_as, principals),
      for: one.stood_in_for_name,
      void: one.void_reason === null ? null : reasonOf(telling, one.void_reason),
      fields,
      changes: before === undefined ? null : changesOf(before, fields),
    })
    if (one.effect !== 'void') lastBy.set(one.form_key, fields)
  }
  return { submissions, lastBy }
}

/** The subject of the case, from its start form and the entries as they were then. */
export async function subjectThen(
  { definitions }: MomentsContext,
  { row, sent, items, definition: { manifest } }: Then,
): Promise<JsonObject> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server writes subjects of cases, as objects
  const present = row.subject as JsonObject
  const last = sent.findLast((one) => one.form_key === manifest.start && one.effect !== 'void')
  if (last === undefined) return present
  const { schema } = await definitions.form(last.form_hash)
  const pointed = leaves(schema, last.data).flatMap(({ path, value }) => {
    const item = items.get(String(value))
    return item ? [[path, item] as const] : []
  })
  // Present values stay where no earlier version is stored: those of the requester's own entry, and of entries without
  // a version from then.
  const then = subjectOf(manifest, last.data, new Map(pointed))
  const found = Object.entries(then).filter(
    ([part, value]) => value !== undefined && !manifest.subject?.[part]?.startsWith(REQUESTER),
  )
  return { ...present, ...Object.fromEntries(found) }
}

/** The statuses of the case in each list. */
export async function statusesThen({ definitions }: MomentsContext, then: Then): Promise<CaseThen['statuses']> {
  const {
    at,
    activities,
    words,
    definition: { manifest: first },
  } = then
  const current: Record<string, string> = { ...first.firstStatus }
  for (const { element, process_definition_id, started_at } of activities) {
    const { diagram: drawn } = await definitions.get(modelAt(then, started_at, process_definition_id))
    Object.assign(current, drawn.statuses.get(element))
  }
  const there = activities.filter(({ ended_at }) => ended_at === null || ended_at > at)
  const said = words.statuses(
    first,
    current,
    there.map(({ element }) => element),
  )
  return Object.entries(said)
    .filter(([, { untold }]) => !untold)
    .map(([list, status]) => ({ list, status }))
}

/** The results of decision tables so far. */
export async function decisionsThen(
  { db, decisionsInWords }: MomentsContext,
  { row, at, language, definition: { manifest } }: Then,
  of: readonly Decision[],
) {
  const then = of.filter((one) => new Date(one.at) <= at).toReversed()
  const told = await Promise.all(
    then.map(async (one) => ({
      ...(await decisionsInWords.tell(one, { flow: row.flow, amount: manifest.amount }, language)),
      at: new Date(one.at).toISOString(),
      element: one.element,
    })),
  )
  // Decision tables use ids of entries.
  const named = await itemRepository(db).itemTitles(told.flatMap(({ rows }) => idsIn(rows)))
  const inWords = <T extends { value: string }>(some: T[]) =>
    some.map((one) => ({ ...one, value: named.get(one.value) ?? one.value }))
  return told.map((one) => ({
    ...one,
    rows: one.rows.map((decided) => ({
      ...decided,
      inputs: inWords(decided.inputs),
      outputs: inWords(decided.outputs),
    })),
  }))
}

/** The title of a form, or else its key. */
export function formTitle({ words }: Pick<Then, 'words'>, schema: { [keyword: string]: unknown }, key: string): string {
  return typeof schema['title'] === 'string' ? words.text(schema['title']) : key
}
