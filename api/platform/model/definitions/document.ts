/**
 * Format of a printed value: unchanged, a number, an amount in rupees, a day, a day and time in Colombo, or the title
 * that a register entry had when the document was issued.
 */
export type ValueFormat = 'text' | 'number' | 'money' | 'date' | 'date-time' | 'item'

/** One value of a document with its label. */
export interface DocumentRow {
  /** Text key. */
  label: string
  /**
   * JSON pointer into the document's data; without a value, the row is left out. On a paper of a register entry it may
   * follow references: `/student#/data/programme`.
   */
  value: string
  /** Of a paper of a register entry: printed where the first has no value. */
  or?: string
  format?: ValueFormat
  /** Printed in bold. */
  strong?: true
}

/**
 * Layout of a kind of document: `forms/<area>/<kind>.document.json`. The title is printed in all three languages,
 * labels in English, and people's texts as they wrote them.
 */
export interface DocumentDefinition {
  title: string
  /** Pattern of its number, `RL-{yyyy}-{sequence:6}`, if a diagram issues it; other documents bring their own. */
  number?: string
  /** Facts of the case that it may print, at `/facts/<name>`. */
  facts?: string[]
  /** Text keys of the paragraphs before the rows; placeholders are the names of the case's subject and of `facts`. */
  body?: string[]
  rows: DocumentRow[]
  /** Pointer to the holder's name. With it, people who have the document can verify it. */
  holder?: string
  /** Its words are those of a register entry: the case names the kind of letter and its language. */
  template?: LetterTemplate
  /**
   * Signature lines: each has a text key, and per desk the answer that counts as a signature if it was about the
   * present content of the case. Without such an answer the line is left out; a line without desks stays empty, to be
   * signed by hand. With `if`, a field of the entry of `template` says whether the line is there; such a line stays empty
   * if nobody has signed it.
   */
  signatures?: { title: string; by?: Record<string, string>; if?: string }[]
  /** Of the entries of a register (`paper`): printed as a card of CR80 size; rows in front, notes and codes behind. */
  page?: 'card'
  /** Of a card: the field that is printed as a bar code (Code 39). */
  barcode?: string
  /** Of a card: how many fit side by side and below one another on a page of A4, if chosen entries are printed together. */
  sheet?: { columns: number; rows: number }
  /** One line per element of the list at `list`. */
  lines?: { list: string; columns: (Omit<DocumentRow, 'strong'> & { wide?: true })[] }
  totals?: DocumentRow[]
  /** A separate block, for example where to pay. */
  sections?: { title: string; rows: DocumentRow[] }[]
  /** Who may have it, among those who see the case: roles, `group:<permission group>`. Absent: all of them. */
  seenBy?: string[]
  /** Text keys of the closing sentences. */
  notes?: string[]
}

/**
 * Where a letter has its words from. `{language}` in a pointer is the language asked for: `en`, `si` or `ta`. Lookups
 * begin at the content of the case, or at `requester`, the entry of the person who asked.
 */
export interface LetterTemplate {
  /** Lookup of the entry with the words. */
  entry: string
  /** The field of the case that holds the language. */
  language: string
  /** Fields of the entry: the title, the text with its placeholders, and for how many months the letter is valid. */
  title: string
  body: string
  validMonths?: string
  /** Placeholder -> where its value comes from. `reference`, `number`, `issued_on` and `valid_until` exist always. */
  fields: Record<string, LetterField>
}

/** A lookup, or a field of the newest entry of a register that names the requester. */
export type LetterField = string | { register: string; by: string; newest: string; value: string }

/** Placeholders that every letter has. */
export const LETTER_FIELDS = ['reference', 'number', 'issued_on', 'valid_until'] as const

/** The names between double braces in a text. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))]
}
