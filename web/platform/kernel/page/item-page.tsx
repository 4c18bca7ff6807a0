import type { ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import type { Problem } from '../client/client.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { BackLink } from './page-header.tsx'
import css from './page.module.css'

interface ItemPageProps<T> {
  /** The list that contains the item. */
  list: { href: string; title: string }
  read: Pick<SWRResponse<T, Problem>, 'data' | 'error' | 'mutate'>
  /** The item, once loaded. */
  children(data: T): ReactNode
}

/** The page of one item of a list: a link back to the list, then the item, or why it cannot be shown. */
export function ItemPage<T>({ list, read: { data, error, mutate }, children }: ItemPageProps<T>) {
  return (
    <div className={css.item}>
      <BackLink {...list} />
      {data ? children(data) : error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
    </div>
  )
}
