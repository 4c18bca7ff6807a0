import { request } from '../client/client.ts'
import type { SaveDraft } from '../client/operations.generated.ts'
import type { Task } from '../client/types.ts'

/** The reader's unsent answer to a task. */
export type Draft = NonNullable<Task['draft']>

const path = (task: string) => `/api/tasks/${encodeURIComponent(task)}/draft`

/**
 * Saves an unsent answer. `version` is the last one that this browser knows; if another device has saved since, the API
 * refuses with `platform.draft-changed`. `leaving` sends it with `keepalive`.
 */
export const saveDraft = (
  task: string,
  data: Record<string, unknown>,
  version: number | undefined,
  { leaving = false } = {},
): Promise<SaveDraft['answer']> =>
  request('PUT', path(task), { body: { data, ...(version === undefined ? {} : { version }) }, keepalive: leaving })

export const discardDraft = (task: string) => request<void>('DELETE', path(task))
