import { diff } from 'bpmn-js-differ'
import { elementsOf, kindOf, type Element } from './element.ts'
import { factsOf, type Fact, type Naming } from './facts.ts'

/** How an element differs between two versions of a model. */
export interface Difference {
  element: string
  /** Its name, in the later version if it still exists there. */
  title: string
  /** `UserTask`, `SequenceFlow`… */
  kind: string
  how: 'added' | 'removed' | 'changed' | 'moved'
  /** What changed in its content; empty if it was only moved, added or removed. */
  changes: Change[]
}

/** One changed value; `before` or `after` is null if there was, or is, none. */
export interface Change {
  about: string
  before: string | null
  after: string | null
}

/**
 * Differences between two versions of a model, in this order: added or removed, changed, moved only. `naming` puts each
 * version's values into words.
 */
export function differences(
  before: Element,
  after: Element,
  naming: (elements: ReadonlyMap<string, Element>) => Naming,
): Difference[] {
  const [old, present] = [elementsOf(before), elementsOf(after)]
  const [wordsOld, wordsNow] = [naming(old), naming(present)]
  const found = diff(before, after)

  const of = (element: Element, how: Difference['how'], changes: Change[] = []): Difference => ({
    element: element.id,
    title: (present.has(element.id) ? wordsNow : wordsOld).element(element.id),
    kind: kindOf(element),
    how,
    changes,
  })

  const added = [...present.values()].filter(({ id }) => !old.has(id)).map((element) => of(element, 'added'))
  const removed = [...old.values()].filter(({ id }) => !present.has(id)).map((element) => of(element, 'removed'))
  const changed = [...present.values()].flatMap((element) => {
    const earlier = old.get(element.id)
    if (!earlier) return []
    const changes = changesBetween(factsOf(earlier, wordsOld), factsOf(element, wordsNow))
    if (earlier.$type !== element.$type)
      changes.unshift({ about: 'kind', before: kindOf(earlier), after: kindOf(element) })
    // Report changes without a text of their own too, but not those that follow from others.
    const otherwise = changes.length === 0 && hasMore(found._changed[element.id]?.attrs ?? {})
    if (otherwise) changes.push({ about: 'other', before: null, after: null })
    return changes.length > 0 ? [of(element, 'changed', changes)] : []
  })
  const told = new Set([...added, ...removed, ...changed].map(({ element }) => element))
  const moved = [...present.values()]
    .filter(({ id }) => id in found._layoutChanged && !told.has(id))
    .map((element) => of(element, 'moved'))
  return [...added, ...removed, ...changed, ...moved]
}

/** Members whose changes are reported elsewhere: as elements of their own, or as paths. */
const followers = /^(flowElements|incoming|outgoing|artifacts|laneSets|\$type)/

function hasMore(attributes: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(attributes).some((name) => !followers.test(name))
}

const wordsOf = (facts: readonly Fact[]) => new Map(facts.map(({ about, words }) => [about, words]))

function changesBetween(before: readonly Fact[], after: readonly Fact[]): Change[] {
  const [old, present] = [wordsOf(before), wordsOf(after)]
  const all = [...new Set([...old.keys(), ...present.keys()])]
  return all.flatMap((about) => {
    const [was, is] = [old.get(about) ?? null, present.get(about) ?? null]
    return was === is ? [] : [{ about, before: was, after: is }]
  })
}
