import { useEffect } from 'react'
import { useMe } from '../../kernel/session/session.ts'
import type { Queue } from '../../kernel/api/inbox.ts'
import type { Count, TaskRow } from '../../kernel/client/types.ts'
import { keep } from '../offline/kept.ts'

/** The list as last seen on this device, for reading offline. */
export interface KeptList {
  /** When it was seen. */
  at: string
  queue: Queue
  count: Count | undefined
  rows: Pick<TaskRow, 'id' | 'title' | 'name' | 'reference' | 'requester' | 'createdAt' | 'dueAt'>[]
}

/** Stores the shown list on this device for this person. */
export function useKeptList(items: TaskRow[] | undefined, queue: Queue, count: Count | undefined): void {
  const { id } = useMe()
  useEffect(() => {
    if (!items) return
    const rows = items.map(({ id: task, title, name, reference, requester, createdAt, dueAt }) => ({
      id: task,
      title,
      name,
      reference,
      requester,
      createdAt,
      dueAt,
    }))
    const list: KeptList = { at: new Date().toISOString(), queue, count, rows }
    // A copy for later must not delay the reader's present actions.
    const timer = setTimeout(() => void keep(id, list), 1000)
    return () => clearTimeout(timer)
  }, [items, id, queue, count])
}
