import type { FileName } from '../client/types.ts'
import { useSession } from '../session/session.ts'
import { useRead } from './read.ts'

/** Name, type and size of files of which only the ids are known; those that the reader may not open are left out. */
export function useFileNames(ids: readonly string[]): readonly FileName[] {
  const session = useSession()
  const wanted = session.state === 'in' && ids.length > 0
  const { data } = useRead<{ items: FileName[] }>(wanted ? `/api/files?ids=${ids.toSorted().join(',')}` : null)
  return data?.items ?? []
}
