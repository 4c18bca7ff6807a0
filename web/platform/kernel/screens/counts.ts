import { withQuery } from '../client/client.ts'
import type { Count } from '../client/types.ts'
import type { FrontPart, Screen } from './match.ts'

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
  const statuses = front.statuses?.join()
  const entrusted = parameters?.['entrusted'] === true ? true : null
  return withQuery(`/api/registers/${of('register')}/items`, {
    ...{ statuses, entrusted, status: statuses ? null : status },
    limit: 1,
  })
}

/** The number of a part in the answer: tasks that are free or the reader's own, or how many the list has. */
export function countIn({ page, front }: Pick<Part, 'page' | 'front'>, answer: unknown): Count {
  if (front.reads) return numberIn(front.reads.at, answer)
  const counts = page === 'inbox' ? ['open', 'mine'] : ['count']
  return counts.map((name) => countAt(answer, name)).reduce(added)
}

/** The sum of the numbers at a pointer of an answer, which may have counted only the first ones. */
export function numberIn(pointer: string, answer: unknown): Count {
  const value = numbersAt(answer, pointer.split('/').slice(1)).reduce((sum, one) => sum + one, 0)
  return { value, more: hasMore(answer) || (isObject(answer) && hasMore(answer['count'])) }
}

const hasMore = (value: unknown) => isObject(value) && value['more'] === true

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
