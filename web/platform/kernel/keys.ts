/** The keys of a constant object, with their type. */
export function keysOf<T extends object>(of: T): Extract<keyof T, string>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a constant has only the keys of its type
  return Object.keys(of) as Extract<keyof T, string>[]
}

/** Whether a text is a key of a constant object. */
export function isKeyOf<T extends object>(of: T, text: string): text is Extract<keyof T, string> {
  return Object.hasOwn(of, text)
}

/** An object with a value for each name. */
export function recordOf<Name extends string, V>(names: readonly Name[], valueOf: (name: Name) => V): Record<Name, V> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is an entry for each of the names
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, V>
}
