import type { Variables } from '../port.ts'

const largestInteger = 2 ** 31

/** Variables with their types, as the engine expects them. */
export function typed(variables: Variables): Record<string, { type: string; value: Variables[string] }> {
  const entries = Object.entries(variables).map(([name, value]) => [name, { type: typeName(value), value }] as const)
  return Object.fromEntries(entries)
}

function typeName(value: Variables[string]): string {
  if (value === null) return 'Null'
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'string') return 'String'
  if (!Number.isInteger(value)) return 'Double'
  return value >= -largestInteger && value < largestInteger ? 'Integer' : 'Long'
}
