import type { Drawing } from './parts.ts'

/** Draws one document in place of another. If that fails, it draws the old one again before it rejects. */
export async function replaceDrawn(drawing: Pick<Drawing, 'importXML'>, xml: string, before: string): Promise<void> {
  try {
    await drawing.importXML(xml)
  } catch (error) {
    await drawing.importXML(before)
    throw error
  }
}
