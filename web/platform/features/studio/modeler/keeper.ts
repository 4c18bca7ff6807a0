import type { Drawing } from '../canvas/parts.ts'
import { replaceDrawn } from '../canvas/replace.ts'

/** Keeps a document while one modeler follows another; what is drawn in one goes on in the next. */
export function documentKeeper(xml: string) {
  let source: string | Promise<string> = xml
  let present: Drawing | undefined
  /** What was drawn before, while another document is brought in: until that is there, it is what is saved. */
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

    /** Draws the document in a modeler; false where that was left meanwhile. */
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

    /** Takes a modeler off the page; it is destroyed when what it holds is written, which the next one goes on with. */
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

    /** Draws another document in the place of this one; where it cannot be drawn, this one is drawn again before it rejects. */
    async replace(next: string): Promise<void> {
      if (!present) throw new Error('nothing is drawn')
      const exchanging = exchange(present, next)
      // Only that it is over counts for who waits: why it failed goes to who asked for it.
      idle = Promise.allSettled([exchanging])
      await exchanging
    },
  }
}
