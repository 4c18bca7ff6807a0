/** Functions without their first parameter, the context. */
type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (context: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Answer
    : never
}

/** Binds functions to one context, for services that keep state in memory. */
export function bound<Context, Functions extends Record<string, (context: Context, ...given: never[]) => unknown>>(
  context: Context,
  functions: Functions,
): Bound<Functions> {
  const entries = Object.entries(functions)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name keeps its function, without its first parameter
  return Object.fromEntries(
    entries.map(([name, act]) => [name, (...given: never[]) => act(context, ...given)]),
  ) as Bound<Functions>
}
