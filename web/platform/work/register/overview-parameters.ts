import { isRecord } from '../../kernel/record/fields.ts'
import { namesIn, type PageProps } from '../../kernel/screens/page.ts'

/** A number about an entry, for people with one of these roles: where it is read, and the list that it counts. */
export interface ItemNumber {
  for: readonly string[]
  title: string
  path: string
  at: string
  leadsTo: string
}

/** What a page shows of an entry besides its fields: numbers for some roles, and reports on it. */
export interface Overview {
  numbers: readonly ItemNumber[]
  reports: readonly { report: string; field: string }[]
}

/** The parameters `numbers` and `reports` of a screen; undefined if it has neither. */
export function overviewOf({ numbers, reports }: PageProps['parameters']): Overview | undefined {
  if (numbers === undefined && reports === undefined) return undefined
  const rows = (all: unknown) => (Array.isArray(all) ? all.filter(isRecord) : [])
  return {
    numbers: rows(numbers).map(({ for: roles, title, reads, leadsTo }) => {
      const { path, at } = isRecord(reads) ? reads : {}
      return {
        for: namesIn(roles) ?? [],
        ...{ title: String(title), path: String(path), at: String(at), leadsTo: String(leadsTo) },
      }
    }),
    reports: rows(reports).map(({ report, field }) => ({ report: String(report), field: String(field) })),
  }
}
