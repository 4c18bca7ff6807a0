import type { Drawing } from './parts.ts'

/** Draws a document in the place of another. Where it cannot be drawn, the other is drawn again before it rejects. */
export async function replaceDrawn(drawing: Pick<Drawing, 'importXML'>, xml: string, before: string): Promise<void> {
  try {
    await drawing.importXML(xml)
  } catch (error) {
    await drawing.importXML(before)
    throw error
  }
}
