import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Pages } from '../../kernel/api/read.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'

/** The results so far, with a button for more. */
export function Found<T>({ list, children }: { list: Pages<T>; children(items: T[]): ReactNode }) {
  const { t } = useTexts()
  if (!list.items) return list.error ? <Trouble error={list.error} onRetry={list.reload} /> : <Skeleton lines={10} />
  return (
    <>
      {list.items.length > 0
        ? children(list.items)
        : !list.more && <Empty title={t('platform.audit-none')}>{t('platform.audit-none-detail')}</Empty>}
      {list.narrow && list.more && <p className={css.narrow}>{t('platform.audit-narrow')}</p>}
      {list.more && (
        <p className={css.more}>
          <Button loading={list.loading} onClick={list.loadMore}>
            {t(list.narrow ? 'platform.audit-further' : 'platform.list.more')}
          </Button>
        </p>
      )}
    </>
  )
}
