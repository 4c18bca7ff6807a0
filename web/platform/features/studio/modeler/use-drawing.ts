import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Vocabulary } from '../../../kernel/api/studio.ts'
import { useAction } from '../../../kernel/states/act.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { fit, type Drawing } from '../canvas/parts.ts'
import { documentKeeper } from './keeper.ts'
import { makeModeler } from './modeler.ts'

/** Width of the palette in pixels. */
const besidePalette = 96
/** The smallest initial scale of a diagram. */
const readable = 0.55

/** Free space beside a diagram that is fitted into the canvas, in pixels. */
export const marginOf = (draws: boolean) => (draws ? besidePalette : 0)

export interface DrawnDocument {
  /** The modeler's container. */
  host: RefObject<HTMLDivElement | null>
  /** The modeler; undefined until its document is drawn. */
  drawing: Drawing | undefined
  /** The current modeler, for callbacks between two renders. */
  present(): Drawing | undefined
  /** The current document as XML. */
  write(): Promise<string>
  /** Replaces the document; if it cannot be drawn, rejects and restores the previous one. */
  replace(xml: string): Promise<void>
  /** Whether canvas events come from an import. */
  isReplacing(): boolean
}

/**
 * Draws a document in a modeler. A change of `draws` creates another modeler, which continues with the same document.
 *
 * A destroyed modeler throws at most calls, and one render may both change `draws` and set marks on the canvas. So the
 * old modeler is undefined from the render that asks for another one. It is destroyed only after all effects released
 * it and its document is exported.
 */
export function useDrawing(xml: string, vocabulary: Vocabulary, draws: boolean): DrawnDocument {
  const { t } = useTexts()
  const attempt = useAction()
  const host = useRef<HTMLDivElement>(null)
  // Two quick changes of width can restore `draws`: the modeler is a new one all the same.
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- drawn once; later changes happen on the canvas
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
