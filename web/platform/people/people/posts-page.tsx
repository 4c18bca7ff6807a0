import { Link } from 'wouter'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { ListPage, type Column } from '../../kernel/list/list-page.tsx'
import cells from '../../kernel/list/list-page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { lastDayOf } from './dates.ts'
import { usePosts, type Holder, type PostRow } from './people.ts'
import { UnitPicker } from './pickers.tsx'

/** The posts of the university and their holders: present, acting, and next. */
export default function PostsPage({ title }: PageProps) {
  const { t } = useTexts()
  const { date } = useFormats()
  const { chosen, filter } = useFilters(['search', 'state', 'unit'])
  const posts = usePosts(chosen)
  const me = useMe()
  const register =
    me.groups.includes('dataSetup') || me.seesAll ? (
      <Link href="/registers/platform/post">{t('platform.screen.posts-register')}</Link>
    ) : undefined

  const who = (holder: Holder | null, from: boolean) =>
    holder && (
      <div className={cells.cell}>
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
  const columns: Column<PostRow>[] = [
    {
      title: t('platform.posts.post'),
      key: 'title',
      render: (_, { id, title: name, code }) => (
        <div className={cells.cell}>
          <Link href={`/posts/${id}`}>{name}</Link>
          <small>{code}</small>
        </div>
      ),
    },
    {
      title: t('platform.posts.holder'),
      key: 'holder',
      render: (_, { holder }) => (holder ? who(holder, false) : <Mark is="wanted">{t('platform.posts.vacant')}</Mark>),
    },
    { title: t('platform.posts.acting-holder'), key: 'acting', render: (_, { acting }) => who(acting, true) ?? '–' },
    { title: t('platform.posts.next'), key: 'next', render: (_, { next }) => who(next, true) ?? '–' },
    {
      title: t('platform.posts.where'),
      key: 'scope',
      render: (_, { scope }) => <div className={cells.cell}>{scope?.name ?? t('platform.people.everywhere')}</div>,
    },
    { title: t('platform.people.role'), key: 'role', dataIndex: 'role' },
  ]

  return (
    <ListPage
      title={t(title)}
      list={posts}
      lead={register}
      search={{ label: t('platform.posts.search'), value: chosen.search }}
      onSearch={(search) => filter({ search })}
      filters={
        <>
          <Choice
            label={t('platform.posts.state')}
            value={chosen.state}
            any={t('platform.posts.all')}
            options={[
              { value: 'vacant', label: t('platform.posts.vacant') },
              { value: 'held', label: t('platform.posts.held') },
            ]}
            onChange={(state) => filter({ state })}
          />
          <UnitPicker
            style={{ width: 184 }}
            aria-label={t('platform.people.unit')}
            placeholder={t('platform.people.any-unit')}
            value={chosen.unit || undefined}
            onChange={(unit) => filter({ unit: unit ?? '' })}
          />
        </>
      }
      columns={columns}
      columnsOf="/posts"
      empty={
        <Empty title={t('platform.posts.none')}>
          {t('platform.posts.none-detail')} {register}
        </Empty>
      }
    />
  )
}
