import { Link } from 'wouter'
import { SearchedPage } from '../../kernel/list/searched-page.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './register.module.css'
import { useRegisters } from './registers.ts'

const texts = {
  search: 'platform.registers.search',
  none: 'platform.registers.none',
  noneDetail: 'platform.registers.none-detail',
}

/** Every register that the reader may see, including option lists that no menu shows. */
export default function RegistersPage({ title }: PageProps) {
  const { t, language } = useTexts()
  const { data, error, mutate } = useRegisters()
  const find = (words: string) =>
    data?.items
      .map(({ register, title: name }) => ({ register, name: t(name) }))
      .filter(({ register, name }) => `${name} ${register}`.toLocaleLowerCase().includes(words.toLocaleLowerCase()))
      .toSorted((a, b) => a.name.localeCompare(b.name, language))
  return (
    <SearchedPage title={title} texts={texts} find={find} error={error} onRetry={() => void mutate()}>
      {(found) => (
        <ul className={css.all}>
          {found.map(({ register, name }) => (
            <li key={register}>
              <Link href={`/registers/${register}`}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </SearchedPage>
  )
}
