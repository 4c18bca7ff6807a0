/** The pattern for `like` that finds a text wherever it stands; what would be a wildcard in it counts as a letter. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
