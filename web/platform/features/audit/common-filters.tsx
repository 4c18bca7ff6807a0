import { Search } from '../../kernel/list/search.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { PersonFilter } from './person-filter.tsx'

interface Chosen {
  text: string
  reference: string
  person: string
}

interface CommonFiltersProps {
  /** The label of the search for words. */
  label: string
  chosen: Chosen
  filter(change: Partial<Chosen>): void
}

/** The filters that entries and cases have in common: words, case number, person. */
export function CommonFilters({ label, chosen, filter }: CommonFiltersProps) {
  const { t } = useTexts()
  return (
    <>
      <Search width={248} label={label} value={chosen.text} onSearch={(text) => filter({ text })} />
      <Search
        width={208}
        label={t('platform.audit-filter.reference')}
        value={chosen.reference}
        onSearch={(reference) => filter({ reference })}
      />
      <PersonFilter value={chosen.person} onChange={(person) => filter({ person })} />
    </>
  )
}
