import type { EntryChoice } from '../../kernel/api/entry-batches.ts'
import type { Count } from '../../kernel/client/types.ts'
import { EntryBatches } from './entry-batch.tsx'
import { Gathered } from './gathered.tsx'
import { PrintSheets } from './paper.tsx'
import type { Item, Register } from './registers.ts'
import { StatusOfMany } from './status-of-many.tsx'

interface ForChosenProps {
  register: Register
  rows: readonly Item[]
  /** Ids of the chosen rows. */
  chosen: readonly string[]
  /** The choice of all rows that the list shows, if one can be sent. */
  filtered: EntryChoice | undefined
  /** How many match the search and filters. */
  count: Count | undefined
  /** Something has begun for the chosen rows. */
  onBegun(): void
  reload(): void
}

/** What can be done for chosen entries of a register. */
export function ForChosen({ register, rows, chosen, filtered, count, onBegun, reload }: ForChosenProps) {
  const { entryFlows, gatherFlows, inBulk, sheets } = register
  return (
    <>
      {entryFlows.length > 0 && (
        <EntryBatches flows={entryFlows} chosen={chosen} filtered={filtered} onBegun={onBegun} onProgress={reload} />
      )}
      {gatherFlows.length > 0 && (chosen.length > 0 || rows.length > 0) && (
        <Gathered flows={gatherFlows} chosen={chosen} filtered={filtered} count={count} onBegun={onBegun} />
      )}
      {Object.keys(inBulk).length > 0 && (
        <StatusOfMany
          register={register}
          chosen={rows.filter(({ id }) => chosen.includes(id))}
          onDone={() => {
            onBegun()
            reload()
          }}
        />
      )}
      {sheets && <PrintSheets register={register.register} ids={chosen} />}
    </>
  )
}
