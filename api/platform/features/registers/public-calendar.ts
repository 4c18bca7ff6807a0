import type { Kysely } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Library } from '../../model/library/library.ts'
import { registersService } from '../../work/registers/service.ts'
import { type Span, allocations } from '../../work/allocations/allocations.ts'

/** A taken span of an entry, as the public sees it. */
export interface PublicAllocation {
  id: string
  item: string
  /** The public title once the allocation is final; null is shown as *Reserved*. */
  title: string | null
  /** What is kept free for it; `booked` is the time of the event itself. */
  from: string
  until: string
  booked: Span
  state: 'hold' | 'claimed' | 'final'
}

/** Longest span of one query, in days. */
const MAX_DAYS = 400

/**
 * When entries of public registers are taken. Only final allocations have a title, and only if the flow makes it
 * public.
 */
export function calendar({ db, library }: { db: Kysely<DB>; library: Library }) {
  const items = registersService({ db, library })

  return async (wanted: readonly string[], from: string, until: string): Promise<PublicAllocation[]> => {
    const wide = Date.parse(until) - Date.parse(from)
    if (!(wide > 0))
      throw new BusinessError('platform.span-empty', {}, [{ field: 'query/until', code: 'platform.span-empty' }])
    if (wide > MAX_DAYS * 86_400_000)
      throw new BusinessError('platform.span-too-long', { days: MAX_DAYS }, [
        { field: 'query/until', code: 'platform.span-too-long', values: { days: MAX_DAYS } },
      ])
    await refuseHidden(wanted)
    const taken = await db.transaction().execute((trx) => allocations(trx).busy(wanted, from, until))
    const titles = await titlesOf(taken.flatMap(({ state, caseId }) => (state === 'final' && caseId) || []))
    return taken.map(({ id, item, state, caseId, booked, from: begins, until: ends }) => ({
      id,
      item,
      title: (state === 'final' && caseId && titles.get(caseId)) || null,
      from: begins,
      until: ends,
      booked,
      state,
    }))
  }

  async function refuseHidden(ids: readonly string[]): Promise<void> {
    const rows = await db.selectFrom('register_item').select(['id', 'register']).where('id', 'in', ids).execute()
    const byRegister = Map.groupBy(rows, ({ register }) => register)
    const shown = await Promise.all(
      [...byRegister].map(([register, some]) =>
        items.publicItems(register, { ids: some.map(({ id }) => id), limit: some.length }),
      ),
    )
    if (shown.reduce((sum, page) => sum + page.items.length, 0) < ids.length)
      throw new BusinessError('platform.not-found')
  }

  async function titlesOf(cases: string[]): Promise<Map<string, string>> {
    if (cases.length === 0) return new Map()
    const rows = await db.selectFrom('flow_case').select(['id', 'flow', 'subject']).where('id', 'in', cases).execute()
    return new Map(
      rows.flatMap(({ id, flow, subject }) => {
        const name = library.flows.get(flow)?.manifest.publicSubject
        const title = name && isObject(subject) ? subject[name] : undefined
        return title ? [[id, String(title)]] : []
      }),
    )
  }
}
