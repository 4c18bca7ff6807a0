import type { Graph, Node } from './graph.ts'
import { called, panelWords } from './panel-words.ts'
import { type Problem, fourEyesOf } from './read.ts'

/**
 * The separation of duties in the diagram that came with the product: a person who decided at one desk cannot decide at
 * another, whatever the order of the desks. Owners may add to it, but not remove any. It applies to desks by id and to
 * new desks by form. Two forms are separate if all desks with one are separate from all desks with the other.
 */
export interface Separation {
  /** Desk → the desks whose deciders may not decide there. */
  desks: Pairs
  /** Form → the forms whose deciders may not answer it. */
  forms: Pairs
}

type Pairs = ReadonlyMap<string, ReadonlySet<string>>

/** The separation of duties in one diagram. */
export function separationOf(graph: Graph): Separation {
  const [desks, forms] = [pairs(), pairs()]
  for (const [desk, met] of metBy(graph)) {
    const fourEyes = fourEyesOf(desk.element)
    for (const other of met) {
      const apart = fourEyes.includes(other.id)
      desks.note(desk.id, other.id, apart)
      forms.note(formOf(desk), formOf(other), apart)
    }
  }
  return { desks: desks.apart(), forms: forms.apart() }
}

/** The desks that let people decide although the original diagram excludes them. */
export function lessSeparate(graph: Graph, floor: Separation): Problem[] {
  return metBy(graph).flatMap(([desk, met]) => {
    const fourEyes = new Set(fourEyesOf(desk.element))
    const [desks, forms] = [floor.desks.get(desk.id), floor.forms.get(formOf(desk))]
    return met
      .filter((other) => !fourEyes.has(other.id) && (desks?.has(other.id) || forms?.has(formOf(other))))
      .map((other) => ({
        element: desk.id,
        reason: `the person who decided at ${called(other.element)} could decide here as well: “${panelWords.fourEyes}” must name it, as in the model that came with the product`,
        apartFrom: other.id,
      }))
  })
}

/** Each desk with the others that may have decided before it: all except those that only come later. */
function metBy(graph: Graph): [Node, Node[]][] {
  const desks = [...graph.nodes.values()].filter(({ type }) => type === 'UserTask')
  return desks.map((desk) => {
    const before = graph.before(desk)
    return [desk, desks.filter((other) => other !== desk && (before.has(other) || !graph.before(other).has(desk)))]
  })
}

/** Makes separation symmetric, except where the reverse pair occurs without it. */
function pairs() {
  const [named, together] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const put = (map: Map<string, Set<string>>, one: string, other: string) =>
    map.set(one, (map.get(one) ?? new Set()).add(other))
  return {
    note: (one: string, other: string, apart: boolean) => void put(apart ? named : together, one, other),
    apart(): Pairs {
      const found = new Map<string, Set<string>>()
      for (const [one, others] of named)
        for (const other of others) {
          if (!together.get(one)?.has(other)) put(found, one, other)
          if (!together.get(other)?.has(one)) put(found, other, one)
        }
      return found
    },
  }
}

function formOf({ element }: Node): string {
  return element.formKey ?? ''
}
