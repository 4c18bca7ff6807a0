import { request } from '../client/client.ts'
import type { SaveDraft } from '../client/operations.generated.ts'
import type { Task } from '../client/types.ts'

/** What the reader has typed as an answer to a task and not sent. */
export type Draft = NonNullable<Task['draft']>

const path = (task: string) => `/api/tasks/${encodeURIComponent(task)}/draft`

/**
 * Keeps a half-filled answer. `version` is the one that this browser knows; another device that has saved since refuses
 * it with `platform.draft-changed`. `leaving` lets it arrive after the page is gone.
 */
export const saveDraft = (
  task: string,
  data: Record<string, unknown>,
  version: number | undefined,
  { leaving = false } = {},
): Promise<SaveDraft['answer']> =>
  request('PUT', path(task), { body: { data, ...(version === undefined ? {} : { version }) }, keepalive: leaving })

export const discardDraft = (task: string) => request<void>('DELETE', path(task))
