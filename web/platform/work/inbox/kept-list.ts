import { useEffect } from 'react'
import { useMe } from '../../kernel/session/session.ts'
import type { Queue } from '../../kernel/api/inbox.ts'
import type { Count, TaskRow } from '../../kernel/client/types.ts'
import { keep } from '../offline/kept.ts'

/** The list as it was last seen here, to be read where there is no network. */
export interface KeptList {
  /** When it was seen. */
  at: string
  queue: Queue
  count: Count | undefined
  rows: Pick<TaskRow, 'id' | 'title' | 'name' | 'reference' | 'requester' | 'createdAt' | 'dueAt'>[]
}

/** Keeps the list as it is seen, on this device and for this person. */
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
    // It is a copy for later: what the reader does now goes first.
    const timer = setTimeout(() => void keep(id, list), 1000)
    return () => clearTimeout(timer)
  }, [items, id, queue, count])
}
