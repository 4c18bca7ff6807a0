/**
 * Runs something in one tab of this browser at a time, by name. Browsers provide locks only in secure contexts (https,
 * localhost). Elsewhere tabs run independently, which costs a connection or a sign-in, never data.
 */
export function exclusively<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request(name, signal ? { signal } : {}, run) : run()
}
