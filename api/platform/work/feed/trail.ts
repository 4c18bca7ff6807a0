export type EventTrail = ReturnType<typeof eventTrail>

/** Ids can become visible late, so the feed looks back to ids that it saw this long ago… */
const TRAIL_MS = 60_000
/** …and reads from the first id this often. */
const FULL_LOOK_EVERY_MS = 60_000

/**
 * Remembers when ids were seen. The feed then finds rows that become visible late without reading all of them each
 * time.
 */
export function eventTrail() {
  const seen: { at: number; id: bigint }[] = []
  let lastFullLook = 0

  return {
    /** The next read begins after this id. */
    lowWater(): string {
      const now = Date.now()
      if (now - lastFullLook > FULL_LOOK_EVERY_MS) {
        lastFullLook = now
        return '0'
      }
      const isOld = (mark: { at: number } | undefined) => mark !== undefined && mark.at < now - TRAIL_MS
      while (isOld(seen[1])) seen.shift()
      const [oldest] = seen
      return oldest && isOld(oldest) ? String(oldest.id) : '0'
    },

    remember(id: string): void {
      const now = Date.now()
      // One mark per second is precise enough for a trail of a minute.
      if ((seen.at(-1)?.at ?? 0) < now - 1_000) seen.push({ at: now, id: BigInt(id) })
    },
  }
}
