import type { Language } from '../../model/library/library.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import { at, pathOf } from '../../model/definitions/register.ts'
import type { Person } from '../../people/persons/person.ts'
import { type CasesContext, findCase, presentManifest } from './context.ts'
import { visibilityOf } from './visibility.ts'
import { listEarlierCases } from '../rows/case-lists.ts'
import { findTaskRight } from '../rows/cases.ts'

/** An earlier case; `id` is null if the reader may not see it. */
export interface EarlierCase {
  id: string | null
  reference: string
  status: Named
  /** In cents. */
  amount: number | null
  createdAt: string
  alike: boolean
}

/** Maximum earlier cases shown; the page of the entry lists the rest. */
const MAX_EARLIER = 10

/**
 * Earlier cases about the same entry, as the flow's manifest says: those the reader may see. People who handle the case
 * also see the reference, status and amount of cases that match in all compared fields. The requester never sees those,
 * because they would learn what others asked for.
 */
export async function earlierCases(
  context: CasesContext,
  person: Person,
  id: string,
  language?: Language,
): Promise<EarlierCase[]> {
  const { db, library } = context
  const row = await findCase(context, person, id)
  const manifest = await presentManifest(context, row)
  const { by, alike = [] } = manifest.earlier ?? {}
  const item = by === undefined ? undefined : at(row.data, by)
  if (by === undefined || typeof item !== 'string') return []
  const own = person.id === row.requester_id || person.id === row.sent_by
  const rows = await listEarlierCases(db, {
    but: id,
    flow: row.flow,
    by,
    item,
    like: alike.map((pointer) => ({ path: pathOf(pointer), value: at(row.data, pointer) })),
    reader: person,
    visible: visibilityOf(person, library),
    handles: !own && (await findTaskRight(db, id, person)) !== undefined,
    limit: MAX_EARLIER,
  })
  const words = wordsOf(library, language)
  return rows.map(({ id: of, seen, alike: same, reference, status, amount, created_at: created, ...ended }) => ({
    id: seen ? of : null,
    reference,
    status: words.status(manifest, 'status', status, ended.ended_at && ended.end_reason),
    alike: same,
    amount: amount === null ? null : Number(amount),
    createdAt: created.toISOString(),
  }))
}
