/** How far back the feed looks for events. */
export type EventTrail = ReturnType<typeof eventTrail>

/** Ids may become visible late, so the feed looks as far back as what it saw this long ago… */
const TRAIL_MS = 60_000
/** …and this often from the very beginning. */
const FULL_LOOK_EVERY_MS = 60_000

/** Remembers which ids were seen when, so that what becomes visible late is found, and not all is looked through each time. */
export function eventTrail() {
  const seen: { at: number; id: bigint }[] = []
  let lastFullLook = 0

  return {
    /** The id above which the next look begins. */
    lowWater(): string {
      const now = Date.now()
      if (now - lastFullLook > FULL_LOOK_EVERY_MS) {
        lastFullLook = now
        return '0'
      }
      while (seen.length > 1 && seen[1]!.at < now - TRAIL_MS) seen.shift()
      const oldest = seen[0]
      return oldest && oldest.at < now - TRAIL_MS ? String(oldest.id) : '0'
    },

    remember(id: string): void {
      const now = Date.now()
      // One mark each second is fine enough for a trail of a minute.
      if ((seen.at(-1)?.at ?? 0) < now - 1_000) seen.push({ at: now, id: BigInt(id) })
    },
  }
}
