/** Polls until `look` returns something other than undefined, null or false; fails with the last result. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | null | false>,
  { seconds = 30, everyMilliseconds = 50 } = {},
): Promise<T> {
  const end = Date.now() + seconds * 1000
  let wait = everyMilliseconds
  let last: unknown
  for (;;) {
    try {
      const seen = await look()
      if (seen !== undefined && seen !== null && seen !== false) return seen
      last = seen
    } catch (error) {
      last = error
    }
    if (Date.now() > end) {
      const why = last instanceof Error ? last.message : JSON.stringify(last)
      throw new Error(`not within ${seconds} s: ${what} (last: ${why})`, { cause: last })
    }
    await new Promise((again) => setTimeout(again, wait))
    wait = Math.min(wait * 1.4, everyMilliseconds * 6)
  }
}
