import { withQuery } from '../../kernel/client/client.ts'
import type { Count } from '../../kernel/client/types.ts'
import type { FrontPart, Screen } from '../../kernel/screens/match.ts'

type Part = Pick<Screen, 'page' | 'parameters'> & { front: FrontPart }

const textIn = (parameters: Screen['parameters'], name: string) => {
  const value = parameters?.[name]
  return typeof value === 'string' ? value : null
}

/** Where the number of a part comes from: what it names, or the list that its screen shows. */
export function countPath({ page, parameters, front }: Part): string {
  if (front.reads) return front.reads.path
  const of = (name: string) => textIn(parameters, name)
  const [flow, status] = [of('flow'), of('status')]
  if (page === 'inbox') return withQuery('/api/tasks/count', { flow, status, desk: of('desk') })
  if (page === 'cases') return withQuery('/api/cases', { flow, running: true, status, limit: 1 })
  return withQuery(`/api/registers/${of('register')}/items`, { status: front.statuses?.[0] ?? status, limit: 1 })
}

/** The number of a part in the answer: tasks that are free or the reader's own, or how many the list has. */
export function countIn({ page, front }: Pick<Part, 'page' | 'front'>, answer: unknown): Count {
  if (front.reads) {
    const value = numbersAt(answer, front.reads.at.split('/').slice(1)).reduce((sum, one) => sum + one, 0)
    return { value, more: isObject(answer) && answer['more'] === true }
  }
  const counts = page === 'inbox' ? ['open', 'mine'] : ['count']
  return counts.map((name) => countAt(answer, name)).reduce(added)
}

const added = (one: Count, other: Count): Count => ({
  value: one.value + other.value,
  more: one.more || other.more,
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function countAt(answer: unknown, name: string): Count {
  const found = isObject(answer) ? answer[name] : undefined
  if (!isObject(found) || typeof found['value'] !== 'number') throw new Error(`the answer has no count ${name}`)
  return { value: found['value'], more: found['more'] === true }
}

/** The numbers at a pointer, in which `*` stands for each row; a list at its end counts its rows. */
function numbersAt(value: unknown, [name, ...further]: readonly string[]): number[] {
  if (name === undefined) return Array.isArray(value) ? [value.length] : typeof value === 'number' ? [value] : []
  if (name === '*') return Array.isArray(value) ? value.flatMap((one) => numbersAt(one, further)) : []
  return isObject(value) ? numbersAt(value[name], further) : []
}
