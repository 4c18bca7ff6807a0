import { enUSIntl, ProConfigProvider, ProTable, type ProColumns } from '@ant-design/pro-components'
import { Button, Input, Select } from 'antd'
import { Link, useLocation, useSearch } from 'wouter'
import { withQuery } from '../api/client.ts'
import type { PageProps } from '../router/page.ts'
import { useMe } from '../session/session.ts'
import { Empty } from '../states/empty.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { lastDayOf } from './dates.tsx'
import { usePosts, type Holder, type PostRow } from './people.ts'
import css from './people.module.css'
import { UnitPicker } from './pickers.tsx'

/** The posts of the university and who has each: now, acting, and next. */
export default function PostsPage({ title }: PageProps) {
  const { t } = useTexts()
  const { count, date } = useFormats()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const given = (name: string) => query.get(name) ?? ''
  const chosen = { search: given('search'), state: given('state'), unit: given('unit') }
  const posts = usePosts(chosen)
  const me = useMe()
  const register =
    me.groups.includes('dataSetup') || me.seesAll ? (
      <Link href="/registers/platform/post">{t('platform.screen.posts-register')}</Link>
    ) : undefined
  const filter = (change: Partial<typeof chosen>) =>
    navigate(withQuery(path, { ...chosen, ...change }), { replace: true })

  const who = (holder: Holder | null, from: boolean) =>
    holder && (
      <div className={css.cell}>
        <Link href={`/people/${holder.account.id}`}>{holder.account.name}</Link>
        {(from || holder.endsAt) && (
          <small>
            {holder.endsAt
              ? t('platform.posts.from-until', { from: date(holder.startsAt), until: date(lastDayOf(holder.endsAt)) })
              : t('platform.posts.from', { from: date(holder.startsAt) })}
          </small>
        )}
      </div>
    )
  const columns: ProColumns<PostRow>[] = [
    {
      title: t('platform.posts.post'),
      key: 'title',
      render: (_, { id, title: name, code }) => (
        <div className={css.cell}>
          <Link href={`/posts/${id}`}>{name}</Link>
          <small>{code}</small>
        </div>
      ),
    },
    {
      title: t('platform.posts.holder'),
      key: 'holder',
      render: (_, { holder }) =>
        holder ? (
          who(holder, false)
        ) : (
          <span className={css.status} data-is="wanted">
            {t('platform.posts.vacant')}
          </span>
        ),
    },
    { title: t('platform.posts.acting-holder'), key: 'acting', render: (_, { acting }) => who(acting, true) ?? '–' },
    { title: t('platform.posts.next'), key: 'next', render: (_, { next }) => who(next, true) ?? '–' },
    {
      title: t('platform.posts.where'),
      key: 'scope',
      render: (_, { scope }) => <div className={css.cell}>{scope?.name ?? t('platform.people.everywhere')}</div>,
    },
    { title: t('platform.people.role'), key: 'role', dataIndex: 'role' },
  ]

  if (posts.error && !posts.items)
    return (
      <div className={css.page}>
        <Trouble error={posts.error} onRetry={posts.reload} />
      </div>
    )
  return (
    <div className={css.page}>
      <h1>
        {t(title)}
        {posts.count && <span className={css.count}>{count(posts.count)}</span>}
      </h1>
      {register && <p>{register}</p>}
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<PostRow>
          rowKey="id"
          size="small"
          columns={columns}
          {...(posts.items ? { dataSource: posts.items } : {})}
          loading={!posts.items}
          search={false}
          pagination={false}
          ghost
          scroll={{ x: 'max-content' }}
          columnsState={{ persistenceKey: `prakriya.columns.${path}`, persistenceType: 'localStorage' }}
          options={{ reload: false, density: false, fullScreen: false, setting: true }}
          headerTitle={
            <div className={css.filters}>
              <Input.Search
                key={chosen.search}
                allowClear
                defaultValue={chosen.search}
                style={{ width: 240 }}
                placeholder={t('platform.posts.search')}
                aria-label={t('platform.posts.search')}
                onSearch={(value) => filter({ search: value.trim() })}
              />
              <Select
                style={{ width: 160 }}
                aria-label={t('platform.posts.state')}
                value={chosen.state || 'all'}
                onChange={(state) => filter({ state: state === 'all' ? '' : state })}
                options={[
                  { value: 'all', label: t('platform.posts.all') },
                  { value: 'vacant', label: t('platform.posts.vacant') },
                  { value: 'held', label: t('platform.posts.held') },
                ]}
              />
              <UnitPicker
                style={{ width: 240 }}
                aria-label={t('platform.people.unit')}
                placeholder={t('platform.people.any-unit')}
                value={chosen.unit || undefined}
                onChange={(unit) => filter({ unit: unit ?? '' })}
              />
            </div>
          }
          locale={{
            emptyText: (
              <Empty title={t('platform.posts.none')}>
                {t('platform.posts.none-detail')} {register}
              </Empty>
            ),
          }}
        />
      </ProConfigProvider>
      {posts.more && (
        <p className={css.more}>
          <Button loading={posts.loading} onClick={posts.loadMore}>
            {t('platform.list.more')}
          </Button>
        </p>
      )}
    </div>
  )
}
