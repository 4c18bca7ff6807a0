/** Whether a value is an object or an array, so that its members can be read by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** An object with a value for each of these keys. */
export function recordOf<K extends string, V>(keys: readonly K[], valueOf: (key: K) => V): Record<K, V> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its keys are these; `fromEntries` only says string
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, V>
}

/** The texts in a list; nothing if it is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The message of whatever was thrown. */
export function messageIn(error: unknown): string {
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error)
}
