import { mutate } from 'swr'
import { request, withQuery } from '../../kernel/client/client.ts'
import type {
  GetTokens,
  ListOperationItems,
  ListOperations,
  PreviewMove,
  RetryOperations,
} from '../../kernel/client/operations.generated.ts'
import { usePages, useRead } from '../../kernel/api/read.ts'

export type Cause = ListOperations['answer']['items'][number]
export type Item = ListOperationItems['answer']['items'][number]
export type Outcome = RetryOperations['answer']['items'][number]
export type Tokens = GetTokens['answer']
export type Preview = PreviewMove['answer']

const path = '/api/operations'
const casePath = (key: string, part = '') => `${path}/cases/${encodeURIComponent(key)}${part}`

/** Everything that waits for an operator, by cause. */
export const useCauses = () => useRead<ListOperations['answer']>(path)
export const useItems = (cause: string) => usePages<Item>(withQuery(`${path}/causes/${cause}/items`, { limit: 50 }))
/** Where a case's tokens are; null waits. */
export const useTokens = (key: string | null) => useRead<Tokens>(key === null ? null : casePath(key))
/** What a move would do; undefined ends wait. */
export const usePreview = (key: string, from: string | undefined, to: string | undefined) =>
  useRead<Preview>(from && to ? withQuery(casePath(key, '/move'), { from, to }) : null)

/** Reads everything again after an act, except the preview: the move is made and cannot be made again. */
const changed = () => mutate((key) => typeof key === 'string' && key.includes(path) && !key.includes('/move?'))

/** Labels of items by id: their case, or their description. For a cause, those that one retry covers. */
export async function labelsOf(of: string | readonly Item[]): Promise<Map<string, string>> {
  const items =
    typeof of === 'string'
      ? (await request<ListOperationItems['answer']>('GET', withQuery(`${path}/causes/${of}/items`, { limit: 100 })))
          .items
      : of
  return new Map(items.map(({ id, case: about, message }) => [id, about?.reference ?? message]))
}

/** Retries or closes items, and returns the result of each. */
export async function retry(of: { items: string[] } | { cause: string }, reason: string): Promise<Outcome[]> {
  const { items } = await request<RetryOperations['answer']>('POST', `${path}/retry`, { body: { ...of, reason } })
  await changed()
  return items
}

/** Moves a token of a case. */
export async function move(key: string, body: { from: string; to: string; reason: string }): Promise<void> {
  await request('POST', casePath(key, '/move'), { body })
  await changed()
}
