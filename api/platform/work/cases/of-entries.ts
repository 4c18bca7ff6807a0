import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { listNewestOfEntries, newestOfEntry } from '../rows/case-lists.ts'
import { visibilityOf } from './visibility.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'

/** The newest case of the person that a register entry is about. */
export interface EntryCase {
  id: string
  reference: string
  status: Named
  state: string
  endReason: string | null
}

/** Shows, beside lists of people, how each person's request in a flow stands. */
export function casesOfEntries({ db, library }: { db: Kysely<DB>; library: Library }) {
  return {
    /** For a flow whose cases this person may list; for others it does not exist. */
    of(person: Person, register: string, flow: string) {
      const manifest = library.flows.get(flow)?.manifest
      const visible = visibilityOf(person, library)?.filter((one) => one.flow === flow)
      if (manifest?.requester?.register !== register || visible?.length === 0)
        throw new BusinessError('platform.not-found')
      return {
        /** Whether the entry `register_item` has a newest case in this status; `none` means that it has no case. */
        where(status: string): RawBuilder<boolean> {
          const newest = newestOfEntry(sql`register_item.id`, flow, visible)
          return status === 'none'
            ? sql`not exists (${newest})`
            : sql`(select newest.status from (${newest}) newest) = ${status}`
        },

        /** Keyed by entry. */
        async list(entries: readonly string[], language?: Language): Promise<Map<string, EntryCase>> {
          const rows = await listNewestOfEntries(db, entries, flow, visible)
          const words = wordsOf(library, language)
          return new Map(
            rows.map(({ entry, id, reference, status, state, ended_at, end_reason }) => {
              const said = words.status(manifest, 'status', status, ended_at && end_reason)
              return [entry, { id, reference, status: said, state, endReason: end_reason }]
            }),
          )
        },
      }
    },
  }
}
