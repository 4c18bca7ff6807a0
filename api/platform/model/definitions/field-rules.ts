/** Rules of fields that lead to other fields or entries. Names are those of fields beside, unless they say otherwise. */

/**
 * Field of an entry → the field of the entry it names that holds the same (`is`), is not less (`atMost`), or is no later
 * or earlier day or month (`notBefore`, `notAfter`, or the field `or` instead, if that has a value).
 */
export type Agreements = Readonly<
  Record<string, { is: string } | { atMost: string } | { notBefore: string } | { notAfter: string; or?: string }>
>

/** The field of the named entry with its list, the field of its rows, and the numbers by which our rows are earlier. */
export interface EarlierRows {
  list: string
  names: string
  by: string[]
}

/** The list of the same entry in which a row is chosen, and the field by which the value names it. */
export interface ChosenRow {
  list: string
  names: string
}

/** The row that is chosen has the least `by`, unless another field says why not. */
export interface LeastRow extends ChosenRow {
  by: string
  unless: string
}

/** Lookups of a day from the named entry and from this one; the error `code` gets the title of the named one. */
export interface NotLater {
  at: string
  than: string
  code: string
}

/**
 * A list to which this entry leads names the entry in the field `names` of a row; each field of `with` holds there what a
 * lookup of this entry does, or this number. The error `code` gets the row and the title.
 */
export interface Listed {
  at: string
  names: string
  with?: Record<string, string | number>
  code: string
}

/** From the day in the field `from` to this one, entries in use with the same `by` do not overlap. */
export interface Apart {
  from: string
  by: string[]
  code: string
}
