import { Link } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
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
        <DataTable
          rows={found}
          keyOf={({ name }) => name}
          columns={[
            {
              label: label('name'),
              cell: ({ name }) => <Link href={`/groups/${encodeURIComponent(name)}`}>{name}</Link>,
            },
            { label: label('roles'), cell: ({ roles }) => first(roles, t('platform.groups.nobody')), long: true },
            {
              label: label('pages'),
              cell: ({ screens }) =>
                first([...new Set(screens.map((screen) => screen.title))], t('platform.groups.no-page')),
              long: true,
            },
            { label: label('people'), cell: ({ holders }) => count(holders) },
          ]}
        />
      )}
    </SearchedPage>
  )
}

/** The first three of a list and how many more there are. */
function first(names: string[], none: string): string {
  if (names.length === 0) return none
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ')
}
