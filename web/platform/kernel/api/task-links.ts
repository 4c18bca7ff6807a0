import { request } from '../client/client.ts'
import type { DecideByTaskLink, LookAtTaskLink } from '../client/operations.generated.ts'

/** What a mailed link leads to: the decision, or the sign-in. */
export type LinkedTask = LookAtTaskLink['answer']
export type LinkedDecision = Extract<LinkedTask, { state: 'open' }>

const path = (token: string) => `/api/task-links/${encodeURIComponent(token)}`

export const lookAtTaskLink = (token: string) => request<LinkedTask>('GET', path(token))
export const decideByTaskLink = (token: string, data: unknown) =>
  request<DecideByTaskLink['answer']>('POST', path(token), { body: { data } })
