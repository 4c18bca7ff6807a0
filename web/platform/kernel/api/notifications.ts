import { mutate } from 'swr'
import { request } from '../client/client.ts'
import type { ListNotifications } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

type Notifications = ListNotifications['answer']
/** One notification: target, icon and colour, text and time. */
export type Notification = Notifications['items'][number]

const path = '/api/notification'

/** The reader's notifications, newest first, and how many arrived since they last looked. */
export const useNotifications = () => useRead<Notifications>(path)

/** Removes notifications optimistically; a refusal restores them. */
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

/** Marks the notifications as seen, which resets the count. */
export const seeNotifications = () =>
  change(
    () => request('POST', `${path}/seen`),
    ({ items }) => ({ items, unseen: 0 }),
  )
