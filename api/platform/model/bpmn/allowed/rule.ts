/** Returns why a value is rejected; undefined if it is not. */
export type Check = (value: string) => string | undefined

/** What an element may contain. Everything else is rejected. */
export interface Rule {
  attributes?: Readonly<Record<string, Check>>
  children?: readonly string[]
  /** Absent: only white space. */
  text?: Check
  /** Rules that apply only within this element. */
  within?: Readonly<Record<string, Rule>>
}
