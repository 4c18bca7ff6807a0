/** What is taken from a batch. */
export interface Taken {
  batch: string
  units: number
}

/** A batch as far as it matters here. */
interface Usable {
  id: string
  expiresOn: string
  /** Units that can be taken. */
  free: number
}

/**
 * The batches from which units are taken: what expires first, and nothing that has expired before this day. If there
 * are fewer units, how many are left.
 */
export function firstExpiredFirst(
  batches: readonly Usable[],
  units: number,
  today: string,
): { taken: Taken[] } | { left: number } {
  const usable = batches
    .filter(({ expiresOn, free }) => expiresOn >= today && free > 0)
    .toSorted((a, b) => (a.expiresOn === b.expiresOn ? (a.id < b.id ? -1 : 1) : a.expiresOn < b.expiresOn ? -1 : 1))
  const taken: Taken[] = []
  let open = units
  for (const { id, free } of usable) {
    if (open === 0) break
    const some = Math.min(open, free)
    taken.push({ batch: id, units: some })
    open -= some
  }
  return open > 0 ? { left: units - open } : { taken }
}
