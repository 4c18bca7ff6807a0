import { Link } from 'wouter'
import { useFilters } from '../list/filters.ts'
import { Search } from '../list/search.tsx'
import page from '../page/page.module.css'
import type { PageProps } from '../router/page.ts'
import { Empty } from '../states/empty.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import { Trouble } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import css from './register.module.css'
import { useRegisters } from './registers.ts'

/** Every register that the reader may see, by its name: also the lists of options that no menu names. */
export default function RegistersPage({ title }: PageProps) {
  const { t, language } = useTexts()
  const { data, error, mutate } = useRegisters()
  const { chosen, filter } = useFilters(['search'])
  const typed = chosen.search.toLocaleLowerCase()
  const found = data?.items
    .map(({ register, title: name }) => ({ register, name: t(name) }))
    .filter(({ register, name }) => `${name} ${register}`.toLocaleLowerCase().includes(typed))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  return (
    <div className={page.page}>
      <h1>
        {t(title)}
        {found && <span className={page.count}>{found.length}</span>}
      </h1>
      {!found ? (
        error ? (
          <Trouble error={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton lines={8} />
        )
      ) : (
        <>
          <div className={page.acts}>
            <Search
              label={t('platform.registers.search')}
              value={chosen.search}
              width={320}
              onSearch={(search) => filter({ search })}
            />
          </div>
          {found.length > 0 ? (
            <ul className={css.all}>
              {found.map(({ register, name }) => (
                <li key={register}>
                  <Link href={`/registers/${register}`}>{name}</Link>
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={t('platform.registers.none')}>{t('platform.registers.none-detail')}</Empty>
          )}
        </>
      )}
    </div>
  )
}
