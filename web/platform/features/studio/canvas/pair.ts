import { useCallback, useEffect, useState } from 'react'
import type { Difference } from '../model/differences.ts'
import canvas from './canvas.module.css'
import { jumpTo, type Box, type Drawing } from './parts.ts'

interface Pair {
  /** Called when each of the two diagrams is drawn, and with undefined when it is removed. */
  drawn: { left(drawing: Drawing | undefined): void; right(drawing: Drawing | undefined): void }
  /** Whether both diagrams scroll and zoom together. */
  together: boolean
  setTogether(together: boolean): void
  /** The element last jumped to. */
  at: string | undefined
  /** Stable as long as both diagrams are the same. */
  jump(difference: Difference): void
}

/** Two diagrams side by side with their differences marked; opens at the first listed difference. */
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

  // A large diagram opens at the change.
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

/** Keeps both diagrams at the same viewbox; returns a function that unlinks them. */
function moveTogether(left: Drawing, right: Drawing): () => void {
  let leading = false
  const follow =
    (follower: Drawing) =>
    ({ viewbox }: { viewbox: Box }) => {
      if (leading) return
      leading = true
      const { x, y, width, height } = viewbox
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

/** Marks the differences that a diagram shows; returns a function that removes the marks. */
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
