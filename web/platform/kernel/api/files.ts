import { Problem, request } from '../client/client.ts'
import type { FileName } from '../client/types.ts'
import { useSession } from '../session/session.ts'
import { useRead } from './read.ts'

const path = (ids: readonly string[]) => `/api/files?ids=${ids.toSorted().join(',')}`

/** As `useFileNames`, once. Who may not ask, such as a guest, learns nothing: the server has the last word. */
export async function fileNames(ids: readonly string[]): Promise<readonly FileName[]> {
  if (ids.length === 0) return []
  try {
    return (await request<{ items: FileName[] }>('GET', path(ids))).items
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

/** Name, type and size of files of which only the ids are known; those that the reader may not open are left out. */
export function useFileNames(ids: readonly string[]): readonly FileName[] {
  const session = useSession()
  const wanted = session.state === 'in' && ids.length > 0
  const { data } = useRead<{ items: FileName[] }>(wanted ? path(ids) : null)
  return data?.items ?? []
}
