import { Button } from 'antd'
import { Link, useSearch } from 'wouter'
import RegisterItemPage from '../platform/work/register/register-item.tsx'
import type { PageProps } from '../platform/kernel/screens/page.ts'
import { Empty } from '../platform/kernel/states/empty.tsx'
import { useTexts } from '../platform/kernel/texts/texts.ts'

/** /temp/full_view?id=: everything about one temporary employee. */
export default function TemporaryEmployee(props: PageProps) {
  const { t } = useTexts()
  const id = new URLSearchParams(useSearch()).get('id')
  if (id) return <RegisterItemPage {...props} params={{ id }} />
  return (
    <div style={{ padding: 32, maxWidth: 640 }}>
      <h1>{t(props.title)}</h1>
      <Empty
        title={t('applicant-accounts.temp.choose')}
        actions={
          <Link href="/temp/view" asChild>
            <Button type="primary">{t('applicant-accounts.temp.list')}</Button>
          </Link>
        }
      />
    </div>
  )
}
