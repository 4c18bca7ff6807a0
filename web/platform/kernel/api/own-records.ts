import { mutate } from 'swr'
import { request } from '../client/client.ts'
import type { GetOwnRecord, SaveOwnRecordStep } from '../client/operations.generated.ts'
import type { FormRef } from '../client/types.ts'
import { useRead } from './read.ts'

type Answer = GetOwnRecord['answer']

/** A step of the reader's own record. */
export type OwnStep = Omit<Answer['steps'][number], 'form'> & { form: FormRef }
export type OwnRecord = Omit<Answer, 'steps'> & { steps: OwnStep[] }

/** The state of a step in words; a step that may stay empty is not open. */
export const ownStepState = ({ state, optional }: OwnStep) => (state === 'open' && optional ? 'empty' : state)

const path = (record: string) => `/api/records/${record}`
const stepPath = (record: string, step: string) => `${path(record)}/steps/${encodeURIComponent(step)}`

/** The reader's own record with all its steps. */
export const useOwnRecord = (record: string) => useRead<OwnRecord>(path(record))

/** Reads it again, wherever it is shown. */
export const ownRecordChanged = (record: string): Promise<unknown> => mutate(path(record))

interface Sent {
  data: Record<string, unknown>
  /** The version that it is based on; none for the first. */
  version: number | undefined
  complete: boolean
}

/** Saves a step, as a draft or as complete; `leaving` outlives the page. */
export const saveOwnStep = (
  record: string,
  step: string,
  { version, ...sent }: Sent,
  { leaving = false } = {},
): Promise<SaveOwnRecordStep['answer']> =>
  request('PUT', stepPath(record, step), {
    body: { ...sent, ...(version === undefined ? {} : { version }) },
    keepalive: leaving,
  })

/** Drops what was typed since the step was last saved as complete. */
export const discardOwnStepDraft = (record: string, step: string) =>
  request<void>('DELETE', `${stepPath(record, step)}/draft`)
