import { Link } from 'wouter'
import { useFilters } from '../list/filters.ts'
import { Search } from '../list/search.tsx'
import page from '../page/page.module.css'
import type { PageProps } from '../router/page.ts'
import { Empty } from '../states/empty.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { useGroups } from './people.ts'
import css from './people.module.css'

/** The permission groups: which roles are in each, how many people that makes, and which pages it opens. */
export default function GroupsPage({ title }: PageProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data, error, mutate } = useGroups()
  const { chosen, filter } = useFilters(['search'])
  const typed = chosen.search.toLowerCase()
  const found = data?.items.filter(
    ({ name, roles, screens }) =>
      name.toLowerCase().includes(typed) ||
      roles.some((role) => role.toLowerCase().includes(typed)) ||
      screens.some((screen) => screen.title.toLowerCase().includes(typed)),
  )
  const label = (name: string) => t(`platform.groups.${name}`)
  return (
    <div className={page.page}>
      <h1>
        {t(title)}
        {found && <span className={page.count}>{found.length}</span>}
      </h1>
      {!data ? (
        error ? (
          <Trouble error={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : (
        <>
          <p className={css.note}>{t('platform.groups.detail')}</p>
          <div className={page.acts}>
            <Search
              label={t('platform.groups.search')}
              value={chosen.search}
              width={320}
              onSearch={(search) => filter({ search })}
            />
          </div>
          {found && found.length > 0 ? (
            <table className={css.table}>
              <thead>
                <tr>
                  {['name', 'roles', 'pages', 'people'].map((name) => (
                    <th key={name} scope="col">
                      {label(name)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map(({ name, roles, screens, holders }) => (
                  <tr key={name}>
                    <td data-label={label('name')}>
                      <Link href={`/groups/${encodeURIComponent(name)}`}>{name}</Link>
                    </td>
                    <td data-label={label('roles')} className={css.long}>
                      {first(roles, t('platform.groups.nobody'))}
                    </td>
                    <td data-label={label('pages')} className={css.long}>
                      {first([...new Set(screens.map((screen) => screen.title))], t('platform.groups.no-page'))}
                    </td>
                    <td data-label={label('people')}>{count(holders)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty title={t('platform.groups.none')}>{t('platform.groups.none-detail')}</Empty>
          )}
        </>
      )}
    </div>
  )
}

/** The first three of a list and how many more there are. */
function first(names: string[], none: string): string {
  if (names.length === 0) return none
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ')
}
