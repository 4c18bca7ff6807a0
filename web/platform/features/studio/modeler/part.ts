import type { Vocabulary } from '../../../kernel/api/studio.ts'
import type { Translate } from '../../../kernel/texts/texts.ts'
import type { CommandStack, Drawn } from '../canvas/parts.ts'
import type { Element } from '../model/element.ts'
import type { Editing } from './edit.ts'

export interface Part {
  drawn: Drawn
  element: Element
  editing: Editing
  commands: CommandStack
  vocabulary: Vocabulary
  disabled: boolean
  t: Translate
  /** Every element of the document, by id. */
  all: ReadonlyMap<string, Element>
}
