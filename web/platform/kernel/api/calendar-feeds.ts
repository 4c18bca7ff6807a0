import { mutate } from 'swr'
import { request } from '../client/client.ts'
import type { ListMyCalendarFeeds, MakeCalendarFeed } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

const feeds = '/api/me/calendar-feeds'

export const useCalendarFeeds = () => useRead<ListMyCalendarFeeds['answer']>(feeds)

/**
 * Creates a calendar address of the reader's own bookings (null) or of a public item. It is returned only once; an
 * older one is revoked.
 */
export async function makeCalendarFeed(item: string | null): Promise<string> {
  const { address } = await request<MakeCalendarFeed['answer']>('POST', feeds, { body: { item } })
  await mutate(feeds)
  return address
}

export async function endCalendarFeed(id: string): Promise<void> {
  await request('DELETE', `${feeds}/${encodeURIComponent(id)}`)
  await mutate(feeds)
}
