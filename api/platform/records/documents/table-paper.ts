import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { type Library, languages } from '../../model/library/library.ts'

interface Labelled {
  label: string
  value: string
}

/** A table on a paper of the university; texts are in the reader's language unless they are keys. */
export interface TablePaper {
  /** Key of the title, which is printed in three languages. */
  title: string
  /** What tells it from others of its kind: a day or a reference. */
  number: string
  letterhead: JsonObject
  body: readonly string[]
  facts: readonly Labelled[]
  /** Wide columns share the width that the others leave. */
  columns: readonly { label: string; wide?: boolean; right?: boolean }[]
  rows: readonly (readonly string[])[]
  totals: readonly Labelled[]
  /** Lines to sign below, with name and day where somebody has agreed by their account. */
  signatures?: readonly { titles: readonly string[]; name: string | null; on: string | null }[]
}

/** The page of a table for the layout of documents. */
export function pageOfTable(
  { text }: Pick<Library, 'text'>,
  { title, number, letterhead, body, facts, columns, rows, totals, signatures = [] }: TablePaper,
): object {
  return {
    titles: languages.map((one) => text(title, {}, one)),
    ...{ number, void: null, letterhead, body, signatures },
    rows: facts.map((row) => ({ ...row, strong: false })),
    lines: { columns: columns.map(({ label, wide = false, right = false }) => ({ label, wide, right })), rows },
    totals: totals.map((row) => ({ ...row, strong: true })),
    ...{ sections: [], notes: [], verify: null },
  }
}
