import { request } from '../client/client.ts'

const path = (task: string) => `/api/tasks/${encodeURIComponent(task)}/presence`

/** Says that the reader looks at a task now, and whether they are typing a decision; it holds for 40 seconds. */
export const lookAt = (task: string, typing: boolean) => request<void>('PUT', path(task), { body: { typing } })

/** Says that the reader looks away; it arrives even if the page is gone by then. */
export const lookAway = (task: string) => request<void>('DELETE', path(task), { keepalive: true })
