import type { Drawing } from '../canvas/parts.ts'
import { replaceDrawn } from '../canvas/replace.ts'

/** Keeps a document while one modeler replaces another; edits continue in the next one. */
export function documentKeeper(xml: string) {
  let source: string | Promise<string> = xml
  let present: Drawing | undefined
  /** The previous document while another one is imported: until that is drawn, saving uses this one. */
  let replaced: string | undefined
  /** Settles when nothing is being drawn in the modeler. */
  let idle: Promise<unknown> = Promise.resolve()

  async function write(): Promise<string> {
    if (replaced !== undefined) return replaced
    const written = await present?.saveXML({ format: true })
    return written?.xml ?? source
  }

  async function exchange(drawing: Drawing, next: string): Promise<void> {
    const before = await write()
    replaced = before
    try {
      await replaceDrawn(drawing, next, before)
    } finally {
      replaced = undefined
    }
  }

  return {
    present: () => present,
    isReplacing: () => replaced !== undefined,
    write,

    /** Draws the document in a modeler; false if the modeler was closed meanwhile. */
    draw(made: Drawing, isLeft: () => boolean): Promise<boolean> {
      const before = source
      const drawing = (async () => {
        const document = await before
        if (isLeft()) return false
        await made.importXML(document)
        if (isLeft()) return false
        present = made
        return true
      })()
      idle = Promise.allSettled([drawing])
      return drawing
    },

    /** Removes a modeler from the page, and destroys it once its document is exported for the next one. */
    leave(made: Drawing): void {
      present = undefined
      made.detach()
      const before = source
      const left = idle
        .then(() => made.saveXML({ format: true }))
        .then(
          (written) => written.xml ?? before,
          () => before,
        )
      source = left
      void left.then(() => made.destroy())
    },

    /** Replaces this document with another one; if that cannot be drawn, it draws this one again before it rejects. */
    async replace(next: string): Promise<void> {
      if (!present) throw new Error('nothing is drawn')
      const exchanging = exchange(present, next)
      // Waiters only need the end of the import; its error goes to the caller.
      idle = Promise.allSettled([exchanging])
      await exchanging
    },
  }
}
