import { useCallback, useEffect, useState } from 'react'
import type { Difference } from '../model/differences.ts'
import canvas from './canvas.module.css'
import { jumpTo, type Box, type Drawing } from './parts.ts'

interface Pair {
  /** Told of each of the two diagrams when it is drawn, and when that drawing is gone. */
  drawn: { left(drawing: Drawing | undefined): void; right(drawing: Drawing | undefined): void }
  /** Whether both show the same part. */
  together: boolean
  setTogether(together: boolean): void
  /** The element that was jumped to last. */
  at: string | undefined
  /** The same function as long as both diagrams are the same. */
  jump(difference: Difference): void
}

/** Two diagrams beside each other, in which what differs is marked; opened where the first of what is said differs. */
export function usePair(found: readonly Difference[] | undefined, said: readonly Difference[]): Pair {
  const [left, setLeft] = useState<Drawing>()
  const [right, setRight] = useState<Drawing>()
  const [together, setTogether] = useState(true)
  const [at, setAt] = useState<string>()

  useEffect(() => (together && left && right ? moveTogether(left, right) : undefined), [together, left, right])
  useEffect(() => {
    if (!found || !left || !right) return
    const marks = [markDifferences(left, found), markDifferences(right, found)]
    return () => marks.forEach((unmark) => unmark())
  }, [found, left, right])

  // A large diagram opens where the change is.
  useEffect(() => {
    const [first] = said
    if (!first || !left || !right) return
    for (const drawing of [left, right]) jumpTo(drawing, first.element, false)
  }, [said, left, right])

  const jump = useCallback(
    ({ element }: Difference) => {
      setAt(element)
      for (const drawing of [right, left]) if (drawing) jumpTo(drawing, element)
    },
    [left, right],
  )
  return { drawn: { left: setLeft, right: setRight }, together, setTogether, at, jump }
}

/** Shows the same part of both diagrams, whichever of the two is moved or enlarged; gives back how to let them go. */
function moveTogether(left: Drawing, right: Drawing): () => void {
  let leading = false
  const follow = (follower: Drawing) => (event: Record<string, unknown>) => {
    if (leading) return
    leading = true
    const { x, y, width, height } = event['viewbox'] as Box
    follower.get('canvas').viewbox({ x, y, width, height })
    leading = false
  }
  const [withRight, withLeft] = [follow(right), follow(left)]
  left.get('eventBus').on('canvas.viewbox.changed', withRight)
  right.get('eventBus').on('canvas.viewbox.changed', withLeft)
  return () => {
    left.get('eventBus').off('canvas.viewbox.changed', withRight)
    right.get('eventBus').off('canvas.viewbox.changed', withLeft)
  }
}

/** Marks in a diagram what differs, as far as it is drawn there; gives back how to take the marks away. */
function markDifferences(drawing: Drawing, differences: readonly Difference[]): () => void {
  const [marked, registry] = [drawing.get('canvas'), drawing.get('elementRegistry')]
  const put = differences.flatMap(({ element, how }) => {
    const drawn = registry.get(element)
    return drawn && drawn !== marked.getRootElement() ? [{ element, marker: canvas[how] ?? how }] : []
  })
  for (const { element, marker } of put) marked.addMarker(element, marker)
  return () => {
    for (const { element, marker } of put) if (registry.get(element)) marked.removeMarker(element, marker)
  }
}
