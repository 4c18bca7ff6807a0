import type { Language } from '../../model/library/library.ts'
import { desksOf, wordsOf } from '../../model/library/words.ts'
import { type Page, COUNT_LIMIT, counted, cursorOf, readCursor } from '../../kernel/paging.ts'
import type { Person } from '../../people/persons/person.ts'
import { withoutConfidential } from './confidential.ts'
import { type CasesContext, presentManifest } from './context.ts'
import { type CaseSummary, caseSummary } from './view.ts'
import { visibilityOf } from './visibility.ts'
import { waitingTasks } from './waiting.ts'
import { countCases, listCaseRows } from '../rows/case-lists.ts'

export interface CaseListQuery {
  mine?: boolean
  flow?: string
  /** Only cases that have not ended. */
  running?: boolean
  /** Cases in any of these states. */
  status?: readonly string[]
  /** States in the flow's other status lists, by list, and values of its fields marked `x-filter`, by field. */
  filters?: Readonly<Record<string, string>>
  /** Cases that name this register entry. */
  item?: string
  search?: string
  cursor?: string
  limit?: number
}

/** The person's own cases, or all that they may see; of a flow whose cases they may not list, their own. Newest first. */
export async function listCases(
  context: CasesContext,
  person: Person,
  query: CaseListQuery,
  language?: Language,
): Promise<Page<CaseSummary>> {
  const { db, library } = context
  const { mine = false, flow, running, status, filters = {}, item, search, cursor, limit = 20 } = query
  const visible = mine ? [] : visibilityOf(person, library)
  const onlyOwn = mine || (flow !== undefined && visible?.every((one) => one.flow !== flow) === true)
  const wanted = {
    ...(onlyOwn ? { requesterId: person.id } : visible && { visible }),
    ...(flow && { flow }),
    ...(running && { running }),
    ...(status && { status }),
    ...narrowed(context, flow, filters),
    ...(item && { item }),
    ...(search && { search }),
  }
  const [created, id] = cursor === undefined ? [] : readCursor(cursor, ['moment', 'id'])
  const [rows, count] = await Promise.all([
    listCaseRows(db, { ...wanted, ...(created && id && { after: { created, id } }), limit: limit + 1 }),
    countCases(db, wanted, COUNT_LIMIT + 1),
  ])
  const words = wordsOf(library, language)
  const page = rows.slice(0, limit)
  const waits = await waitingTasks(
    context,
    page.map((row) => row.id),
    language,
  )
  const items = await Promise.all(
    page.map(async (row) => {
      const manifest = await presentManifest(context, row)
      return caseSummary(withoutConfidential(row, { manifest, person }), manifest, waits.get(row.id) ?? [], words)
    }),
  )
  const last = page.at(-1)
  return {
    items,
    next: rows.length > limit && last ? cursorOf([last.created, last.id]) : null,
    count: counted(count),
  }
}

/** The filters of a list of cases: states of a flow's other lists, with the desks at which people see them, and fields. */
function narrowed({ library }: CasesContext, flow: string | undefined, filters: Readonly<Record<string, string>>) {
  const manifest = flow === undefined ? undefined : library.flows.get(flow)?.manifest
  const isList = (name: string) => manifest === undefined || Object.hasOwn(manifest.statusLists, name)
  const statuses = Object.entries(filters)
    .filter(([name]) => isList(name))
    .map(([name, state]) => {
      const desks = manifest && desksOf(library, manifest, name, state)
      return [name, { state, ...(desks && { desks }) }] as const
    })
  return {
    statuses: Object.fromEntries(statuses),
    fields: Object.fromEntries(Object.entries(filters).filter(([name]) => !isList(name))),
  }
}
