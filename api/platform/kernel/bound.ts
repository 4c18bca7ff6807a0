type Bound<First, Uses> = {
  [Name in keyof Uses]: Uses[Name] extends (first: First, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

/** Functions with what they all take first, such as a transaction, given once. */
export function bound<First, Uses extends Record<string, (first: First, ...rest: never[]) => unknown>>(
  first: First,
  uses: Uses,
): Bound<First, Uses> {
  const each = Object.entries(uses).map(([name, use]) => [name, (...rest: never[]) => use(first, ...rest)])
  // The type of every function is that of its source, without what is given.
  return Object.fromEntries(each) as Bound<First, Uses>
}
