import { mutate } from 'swr'
import { request, withQuery } from '../client/client.ts'
import type { ListComments } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

export type Comment = ListComments['answer']['items'][number]

/** A comment on a case; only its author sees a private note. */
interface Said {
  body: string
  private: boolean
  /** Ids of the mentioned people. */
  mentions: string[]
  files: string[]
  taskId: string | undefined
}

const pathOf = (caseId: string, part: string) => `/api/cases/${encodeURIComponent(caseId)}/${part}`

/** The comments of the people who work on a case, oldest first. */
export const useComments = (caseId: string) => useRead<ListComments['answer']>(pathOf(caseId, 'comments'))

/** People who can be mentioned in a comment on a case. */
export const casePeoplePath = (caseId: string, search: string) => withQuery(pathOf(caseId, 'people'), { search })

const refresh = (caseId: string) => mutate(pathOf(caseId, 'comments'))

export async function addComment(caseId: string, said: Said): Promise<void> {
  await request('POST', pathOf(caseId, 'comments'), { body: said })
  await refresh(caseId)
}

export async function deleteComment(caseId: string, id: string): Promise<void> {
  await request('DELETE', `/api/comments/${encodeURIComponent(id)}`)
  await refresh(caseId)
}
