import { useFilters } from '../../kernel/list/filters.ts'
import { useItems, type Register, type Within } from './registers.ts'

interface Shown {
  /** A flow whose cases are read with the entries. */
  flow: string | undefined
  within: Within | undefined
  /** Fields, each with the value that all entries have in it. */
  only: Readonly<Record<string, string>>
  mine: boolean
  /** Only those entrusted to the reader. */
  entrusted: boolean
  /** The status of the entries that are read until the reader chooses another, or `all`. */
  usual: string
}

/** The entries of a register that its list shows; search and filters are in the address bar. */
export function useRegisterList(of: Register, { flow, within, only, mine, entrusted, usual }: Shown) {
  /** What all entries have, a new one included. */
  const given = { ...only, ...(within && { [within.field]: within.id }) }
  const filters = of.filters.filter((pointer) => !Object.hasOwn(given, pointer.slice(1)))
  const { chosen, filter } = useFilters([
    ...['search', 'status', 'case', 'ending', 'lacks'],
    ...filters.map((pointer) => pointer.slice(1)),
  ])
  const { search = '', status: asked = '', case: caseStatus = '', ending = '', lacks = '', ...chosenByField } = chosen
  const status = (asked || usual) === 'all' ? '' : asked || usual
  const byField = { ...chosenByField, ...given }
  const items = useItems(of.register, {
    ...{ search, status, mine, entrusted, ending: ending !== '', lacks, filters: byField },
    ...(flow && { casesOf: flow, caseStatus }),
  })
  const filtered = Object.values(chosen).some(Boolean)
  return { filters, filter, given, byField, search, status, ending, lacks, caseStatus, items, filtered }
}
