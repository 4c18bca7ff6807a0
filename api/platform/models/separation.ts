import type { Graph, Node } from './graph.ts'
import { type Problem, propertiesOf } from './read.ts'

/**
 * Who may not decide where, as the diagram that came with the product says it: whoever has decided at one desk does not
 * decide at another. An owner may draw more of it and never less. It is kept for desks by their id and, so that no new
 * id gets around it, for forms: two forms are apart where all desks that ask for the one are apart from all before them
 * that ask for the other.
 */
export interface Separation {
  /** Desk → the desks whose deciders may not decide there. */
  desks: ReadonlyMap<string, readonly string[]>
  /** Form → the forms whose deciders may not answer it. */
  forms: ReadonlyMap<string, ReadonlySet<string>>
}

/** Who may not decide where in one diagram. */
export function separationOf(graph: Graph): Separation {
  const desks = desksOf(graph)
  const [apart, together] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  for (const desk of desks) {
    const eyes = eyesOf(desk)
    const before = graph.before(desk)
    for (const other of desks) {
      if (other === desk || !before.has(other)) continue
      const kept = eyes.includes(other.id) ? apart : together
      const form = formOf(desk)
      kept.set(form, (kept.get(form) ?? new Set()).add(formOf(other)))
    }
  }
  return {
    desks: new Map(desks.map((desk) => [desk.id, eyesOf(desk)])),
    forms: new Map(
      [...apart].map(([form, others]) => [
        form,
        new Set([...others].filter((other) => !together.get(form)?.has(other))),
      ]),
    ),
  }
}

/** The desks of a diagram at which somebody may decide who may not in the diagram that came with the product. */
export function lessSeparate(graph: Graph, floor: Separation): Problem[] {
  const desks = desksOf(graph)
  return desks.flatMap((desk) => {
    const eyes = eyesOf(desk)
    const apart = floor.forms.get(formOf(desk))
    const named = floor.desks.get(desk.id)
    if (!apart && !named) return []
    const before = graph.before(desk)
    return desks
      .filter((other) => other !== desk && before.has(other) && !eyes.includes(other.id))
      .filter((other) => apart?.has(formOf(other)) || named?.includes(other.id))
      .map(({ id }) => ({
        element: desk.id,
        reason: `whoever decided at ${id} could decide here as well: fourEyes must name ${id}, as in the model that came with the product`,
      }))
  })
}

function desksOf({ nodes }: Graph): Node[] {
  return [...nodes.values()].filter(({ type }) => type === 'UserTask')
}

function eyesOf({ element }: Node): string[] {
  return (propertiesOf(element)['fourEyes'] ?? '').split(',').map((one) => one.trim())
}

function formOf({ element }: Node): string {
  return element.formKey ?? ''
}
