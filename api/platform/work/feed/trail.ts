export type EventTrail = ReturnType<typeof eventTrail>

/**
 * Ids can become visible late, so the feed looks back: a little each time, further once a second, and at everything
 * once a minute. Looking back costs time, because the rows that it finds nothing of have only just been deleted.
 */
const LOOKS = [
  { everyMs: 60_000, backMs: Infinity },
  { everyMs: 1_000, backMs: 60_000 },
  { everyMs: 0, backMs: 2_000 },
]

/**
 * Remembers when ids were seen. The feed then finds rows that become visible late without reading all of them each
 * time.
 */
export function eventTrail(clock: () => number = Date.now) {
  const seen: { at: number; id: bigint }[] = []
  const looked = LOOKS.map(() => -Infinity)

  /** The newest mark that is at least this old. */
  function markOf(before: number): bigint {
    return seen.findLast(({ at }) => at <= before)?.id ?? 0n
  }

  return {
    /** The next read begins after this id. */
    lowWater(): string {
      const now = clock()
      const due = LOOKS.findIndex(({ everyMs }, n) => now - (looked[n] ?? 0) >= everyMs)
      looked[due] = now
      const { backMs } = LOOKS[due] ?? { backMs: Infinity }
      return String(markOf(now - backMs))
    },

    remember(id: string): void {
      const now = clock()
      // One mark a second is precise enough, and one older than the longest look is needed.
      if ((seen.at(-1)?.at ?? -Infinity) > now - 1_000) return
      seen.push({ at: now, id: BigInt(id) })
      while ((seen[1]?.at ?? now) < now - 60_000) seen.shift()
    },
  }
}
