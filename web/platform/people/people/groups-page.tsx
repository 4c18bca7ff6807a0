import { Link } from 'wouter'
import { SearchedPage } from '../../kernel/list/searched-page.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useGroups } from './people.ts'
import css from './people.module.css'

const texts = {
  search: 'platform.groups.search',
  none: 'platform.groups.none',
  noneDetail: 'platform.groups.none-detail',
}

/** The permission groups: roles, number of people, and pages. */
export default function GroupsPage({ title }: PageProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const { data, error, mutate } = useGroups()
  const find = (words: string) => {
    const typed = words.toLowerCase()
    return data?.items.filter(
      ({ name, roles, screens }) =>
        name.toLowerCase().includes(typed) ||
        roles.some((role) => role.toLowerCase().includes(typed)) ||
        screens.some((screen) => screen.title.toLowerCase().includes(typed)),
    )
  }
  const label = (name: string) => t(`platform.groups.${name}`)
  return (
    <SearchedPage
      title={title}
      texts={texts}
      find={find}
      error={error}
      onRetry={() => void mutate()}
      note={<p className={css.note}>{t('platform.groups.detail')}</p>}
    >
      {(found) => (
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
      )}
    </SearchedPage>
  )
}

/** The first three of a list and how many more there are. */
function first(names: string[], none: string): string {
  if (names.length === 0) return none
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ')
}
