/**
 * How a printed value reads: as it is, as a number, as an amount in rupees, as a day, as day and time in Colombo, or as
 * the title that a register item had when the paper was issued.
 */
export type ValueFormat = 'text' | 'number' | 'money' | 'date' | 'date-time' | 'item'

/** One value of a document under its label. */
export interface DocumentRow {
  /** Text key. */
  label: string
  /** JSON pointer into the document's data; where nothing stands, the row is left out. */
  value: string
  format?: ValueFormat
  /** Stands out. */
  strong?: true
}

/**
 * How documents of a kind are laid out: `forms/<area>/<kind>.document.json`. The title is printed in all three
 * languages, labels in English; what people wrote stands in their own script.
 */
export interface DocumentDefinition {
  title: string
  /** Pattern of its number, `RL-{yyyy}-{sequence:6}`, where a diagram issues it; other documents come with theirs. */
  number?: string
  /** Text keys of the paragraphs before the rows; placeholders are the names of the case's subject. */
  body?: string[]
  rows: DocumentRow[]
  /** Where the name of whom it is for stands; with it, whoever has the paper can verify it. */
  holder?: string
  /**
   * Who signs: a text key each, and per desk the answer that is the signature, if it was about what the case says now.
   * Where nobody has signed so, the line is left out; one without desks stays empty, to be signed by hand.
   */
  signatures?: { title: string; by?: Record<string, string> }[]
  /** One line per entry of the list at `list`. */
  lines?: { list: string; columns: (Omit<DocumentRow, 'strong'> & { wide?: true })[] }
  totals?: DocumentRow[]
  /** A block of its own, such as where to pay. */
  sections?: { title: string; rows: DocumentRow[] }[]
  /** Who may have it, of those who see the case: roles, `group:<permission group>`. Absent: all of them. */
  seenBy?: string[]
  /** Text keys of the sentences at the end. */
  notes?: string[]
}
