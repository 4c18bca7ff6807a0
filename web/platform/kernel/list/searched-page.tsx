import type { ReactNode } from 'react'
import { PageHeader } from '../page/page-header.tsx'
import page from '../page/page.module.css'
import { Empty } from '../states/empty.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { useFilters } from './filters.ts'
import { Search } from './search.tsx'

interface SearchedPageProps<T> {
  /** Text key of the heading. */
  title: string
  /** Text keys: the search label, and the texts for no results. */
  texts: { search: string; none: string; noneDetail: string }
  /** The matching rows; undefined while loading. */
  find(words: string): readonly T[] | undefined
  error: unknown
  onRetry(): void
  /** A note above the search. */
  note?: ReactNode
  children(found: readonly T[]): ReactNode
}

/** A page that shows a complete list, with its count and a search. */
export function SearchedPage<T>({ title, texts, find, error, onRetry, note, children }: SearchedPageProps<T>) {
  const { t } = useTexts()
  const { chosen, filter } = useFilters(['search'])
  const found = find(chosen.search)
  return (
    <div className={page.page}>
      <PageHeader title={t(title)} count={found?.length} />
      {!found ? (
        error ? (
          <Trouble error={error} onRetry={onRetry} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : (
        <>
          {note}
          <div className={page.acts}>
            <Search
              label={t(texts.search)}
              value={chosen.search}
              width={320}
              onSearch={(search) => filter({ search })}
            />
          </div>
          {found.length > 0 ? children(found) : <Empty title={t(texts.none)}>{t(texts.noneDetail)}</Empty>}
        </>
      )}
    </div>
  )
}
