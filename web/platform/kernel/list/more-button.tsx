import { Button } from 'antd'
import { useTexts } from '../texts/texts.ts'

/** A list that loads page by page. */
interface PagedList {
  more: boolean
  loading: boolean
  loadMore(): void
}

/** Loads the next page; absent on the last one. */
export function MoreButton({ list: { more, loading, loadMore } }: { list: PagedList }) {
  const { t } = useTexts()
  if (!more) return null
  return (
    <Button loading={loading} onClick={loadMore}>
      {t('platform.list.more')}
    </Button>
  )
}
