/** Functions without the context that they take first. */
type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (context: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Answer
    : never
}

/** Gives functions of one context as an object of functions that have it already, for what keeps something in memory. */
export function bound<Context, Functions extends Record<string, (context: Context, ...given: never[]) => unknown>>(
  context: Context,
  functions: Functions,
): Bound<Functions> {
  const entries = Object.entries(functions)
  // Each name keeps its function, only shorter by its first parameter; the type of `fromEntries` cannot say so.
  return Object.fromEntries(
    entries.map(([name, act]) => [name, (...given: never[]) => act(context, ...given)]),
  ) as Bound<Functions>
}
