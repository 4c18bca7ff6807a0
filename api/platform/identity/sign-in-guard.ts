import { BusinessError } from '../errors.ts'

/** Failed attempts allowed in a window: for one name, and for one address with many names. */
const MOST = { name: 10, address: 100 }
const WINDOW = 15 * 60_000
/** Beyond this many keys the oldest are forgotten, so that guessing cannot fill the memory. */
const KEYS = 50_000

/**
 * Slows guessing: after some failures within a quarter of an hour, a name or an address has to wait, whether or not
 * the name exists. What succeeds does not count. Each node counts for itself.
 */
export function signInGuard(now: () => number = Date.now) {
  const failures = new Map<string, { count: number; until: number }>()
  const turns = new Map<string, Promise<void>>()

  function count(key: string): number {
    const found = failures.get(key)
    return found && found.until > now() ? found.count : 0
  }

  function note(key: string): void {
    const before = count(key)
    const until = before > 0 ? failures.get(key)!.until : now() + WINDOW
    failures.delete(key)
    failures.set(key, { count: before + 1, until })
    if (failures.size > KEYS) failures.delete(failures.keys().next().value!)
  }

  async function guarded<T>(keys: { name: string; address: string }, attempt: () => Promise<T>): Promise<T> {
    if (count(keys.name) >= MOST.name || count(keys.address) >= MOST.address)
      throw new BusinessError('platform.sign-in-slowed', { minutes: WINDOW / 60_000 })
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof BusinessError && error.code === 'platform.sign-in-refused')
        for (const key of Object.values(keys)) note(key)
      throw error
    }
  }

  return async <T>(address: string, name: string, attempt: () => Promise<T>): Promise<T> => {
    const keys = { name: `name:${name.normalize('NFKC').toLowerCase()}`, address: `address:${address}` }
    // The attempts for one name take turns: all at once they would pass before the first failure counts.
    const own = (turns.get(keys.name) ?? Promise.resolve()).then(() => guarded(keys, attempt))
    const turn = own.then(
      () => undefined,
      () => undefined,
    )
    turns.set(keys.name, turn)
    try {
      return await own
    } finally {
      if (turns.get(keys.name) === turn) turns.delete(keys.name)
    }
  }
}
