import { mutate } from 'swr'
import { request } from '../client/client.ts'
import type { ListNotifications } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

type Notifications = ListNotifications['answer']
/** What somebody is told in the drawer: where it leads, how it looks, what it says and since when. */
export type Notification = Notifications['items'][number]

const path = '/api/notification'

/** The reader's notifications, newest first, and how many came since they last looked. */
export const useNotifications = () => useRead<Notifications>(path)

/** Removes from the page at once what is being removed; a refusal brings it back. */
const change = (send: () => Promise<unknown>, left: (before: Notifications) => Notifications) =>
  mutate<Notifications>(
    path,
    async (before) => {
      await send()
      return before && left(before)
    },
    { optimisticData: (before) => left(before ?? { items: [], unseen: 0 }), rollbackOnError: true },
  )

export const deleteNotification = (id: string) =>
  change(
    () => request('POST', `${path}/delete`, { body: { id } }),
    ({ items, unseen }) => ({ items: items.filter((each) => each.id !== id), unseen }),
  )

export const deleteNotifications = () =>
  change(
    () => request('POST', `${path}/delete-all`),
    () => ({ items: [], unseen: 0 }),
  )

/** Says that the reader has looked: the count begins anew. */
export const seeNotifications = () =>
  change(
    () => request('POST', `${path}/seen`),
    ({ items }) => ({ items, unseen: 0 }),
  )
