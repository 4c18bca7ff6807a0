/** `Approve as Head (HR)` → `approveAsHeadHr`; empty if nothing of it is valid in an id. */
export function camelCase(label: string): string {
  const words = label
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => /[A-Za-z]/.test(word))
    .slice(0, 6)
  const joined = words
    .map((word) => word.toLowerCase())
    .map((word, place) => (place === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return joined.replace(/^[^a-z]+/, '')
}
