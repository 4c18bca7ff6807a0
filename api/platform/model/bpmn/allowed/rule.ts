/** Says why a value is refused; undefined if it is not. */
export type Check = (value: string) => string | undefined

/** What may stand in an element. What is not named here is refused. */
export interface Rule {
  attributes?: Readonly<Record<string, Check>>
  children?: readonly string[]
  /** Absent: no text but white space. */
  text?: Check
  /** What holds of some elements only within this one. */
  within?: Readonly<Record<string, Rule>>
}
