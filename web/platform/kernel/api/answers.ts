import { request } from '../client/client.ts'
import type { AnswerMailedQuestion, LookAtMailedQuestion } from '../client/operations.generated.ts'

/** What the link of a mail asks. */
export type AskedQuestion = LookAtMailedQuestion['answer']

const path = (token: string) => `/api/public/answers/${encodeURIComponent(token)}`

export const lookAtQuestion = (token: string) => request<AskedQuestion>('GET', path(token))
export const answerQuestion = (token: string, data: unknown) =>
  request<AnswerMailedQuestion['answer']>('POST', path(token), { body: { data } })
