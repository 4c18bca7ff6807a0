import { request } from '../client/client.ts'

const path = (task: string) => `/api/tasks/${encodeURIComponent(task)}/presence`

/** Reports that the reader views a task, and whether they are typing a decision; expires after 40 seconds. */
export const lookAt = (task: string, typing: boolean) => request<void>('PUT', path(task), { body: { typing } })

/** Reports that the reader left a task; sent with `keepalive`, so it arrives although the page closes. */
export const lookAway = (task: string) => request<void>('DELETE', path(task), { keepalive: true })
