import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Vocabulary } from '../../../kernel/api/studio.ts'
import { useDo } from '../../../kernel/states/act.ts'
import { useTexts } from '../../../kernel/texts/texts.ts'
import { fit, type Drawing } from '../canvas/parts.ts'
import { replaceDrawn } from '../canvas/replace.ts'
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
  const current = useRef<Drawing>(undefined)
  const source = useRef<string | Promise<string>>(xml)
  /** What was drawn before, while another document is brought in: until that is there, it is what is saved. */
  const replaced = useRef<string>(undefined)
  /** Settles when nothing is being drawn in the modeler. */
  const idle = useRef<Promise<unknown>>(undefined)

  useEffect(() => {
    if (!host.current) return
    const made = makeModeler(host.current, vocabulary, t, room.draws)
    let dropped = false
    const draw = async () => {
      const drawn = await source.current
      if (dropped) return
      await made.importXML(drawn)
      if (dropped) return
      fit(made, marginOf(room.draws), readable)
      current.current = made
      setShown({ room, drawing: made })
    }
    idle.current = attempt(draw)
    return () => {
      dropped = true
      current.current = undefined
      setShown(undefined)
      made.detach()
      // A window that is turned, or made narrower, goes on with what was drawn in it.
      const before = source.current
      const left = Promise.resolve(idle.current)
        .then(() => made.saveXML({ format: true }))
        .then(
          (written) => written.xml ?? before,
          () => before,
        )
      source.current = left
      void left.then(() => made.destroy())
    }
    // The document is drawn once; what happens to it after that happens on the canvas.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [room])

  const write = useCallback(async () => {
    if (replaced.current !== undefined) return replaced.current
    const written = await current.current?.saveXML({ format: true })
    return written?.xml ?? source.current
  }, [])

  const replace = async (next: string) => {
    const drawing = current.current
    if (!drawing) throw new Error('nothing is drawn')
    const replacing = (async () => {
      const before = await write()
      replaced.current = before
      try {
        await replaceDrawn(drawing, next, before)
      } finally {
        replaced.current = undefined
      }
    })()
    // Only that it is over counts for who waits: why it failed goes to who asked for it.
    idle.current = Promise.allSettled([replacing])
    try {
      await replacing
    } finally {
      if (current.current === drawing) fit(drawing, marginOf(draws), readable)
    }
  }

  return {
    host,
    drawing: shown?.room === room ? shown.drawing : undefined,
    present: useCallback(() => current.current, []),
    write,
    replace,
    isReplacing: useCallback(() => replaced.current !== undefined, []),
  }
}
