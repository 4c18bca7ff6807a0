import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Vocabulary } from '../../../kernel/api/studio.ts'
import { useDo } from '../../../kernel/states/act.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { fit, type Drawing } from '../canvas/parts.ts'
import { documentKeeper } from './keeper.ts'
import { makeModeler } from './modeler.ts'

/** What the palette takes of the canvas, in pixels. */
const besidePalette = 96
/** How small a diagram is opened at most. */
const readable = 0.55

/** What is left free beside a diagram that is fitted into the canvas. */
export const marginOf = (draws: boolean) => (draws ? besidePalette : 0)

export interface DrawnDocument {
  /** The element that the modeler is made in. */
  host: RefObject<HTMLDivElement | null>
  /** The modeler; undefined while there is none in which the document is drawn. */
  drawing: Drawing | undefined
  /** The same at this moment, for what asks between two renders. */
  present(): Drawing | undefined
  /** The document as it is drawn now. */
  write(): Promise<string>
  /** Draws another document in its place; rejects where that cannot be drawn, and then the one before is there again. */
  replace(xml: string): Promise<void>
  /** Whether what happens on the canvas is another document's being brought in. */
  isReplacing(): boolean
}

/**
 * Draws a document in a modeler. With `draws` the modeler becomes another one, which goes on with what was drawn.
 *
 * A modeler that is destroyed throws at most of what it is asked, and one render may be told both that the window was
 * turned and what is to be marked on the canvas. So the modeler before is undefined from the very render that asks for
 * another, and is destroyed only after everything has let go of it and what it holds is written.
 */
export function useDrawing(xml: string, vocabulary: Vocabulary, draws: boolean): DrawnDocument {
  const { t } = useTexts()
  const attempt = useDo()
  const host = useRef<HTMLDivElement>(null)
  // Turned there and back within a moment, a window is as wide as before: its modeler is another one all the same.
  const room = useMemo(() => ({ draws }), [draws])
  const [shown, setShown] = useState<{ room: { draws: boolean }; drawing: Drawing }>()
  const [keeper] = useState(() => documentKeeper(xml))

  useEffect(() => {
    if (!host.current) return
    const made = makeModeler(host.current, vocabulary, t, room.draws)
    let isLeft = false
    void attempt(async () => {
      if (!(await keeper.draw(made, () => isLeft)) || isLeft) return
      fit(made, marginOf(room.draws), readable)
      setShown({ room, drawing: made })
    })
    return () => {
      isLeft = true
      setShown(undefined)
      keeper.leave(made)
    }
    // The document is drawn once; what happens to it after that happens on the canvas.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [room])

  const replace = async (next: string) => {
    try {
      await keeper.replace(next)
    } finally {
      const drawing = keeper.present()
      if (drawing) fit(drawing, marginOf(draws), readable)
    }
  }
  const { present, write, isReplacing } = keeper
  return { host, drawing: shown?.room === room ? shown.drawing : undefined, present, write, replace, isReplacing }
}
