/** A `like` pattern that finds a text anywhere; wildcards in the text are escaped. */
export function containing(text: string): string {
  return `%${beginningWith(text)}`
}

/** A `like` pattern that finds what begins with a text; wildcards in the text are escaped. */
export function beginningWith(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`
}
