/** A small seeded generator (mulberry32), so that a run can be repeated from its printed seed. */
export function random(seed: number): { below(n: number): number; pick<T>(from: readonly T[]): T } {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    below: (n) => Math.floor(next() * n),
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
  }
}
