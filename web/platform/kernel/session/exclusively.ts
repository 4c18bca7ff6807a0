/**
 * Runs something while no other tab of this browser runs it under the same name. Browsers give locks to safe origins
 * only (https, localhost); elsewhere each tab runs on its own, which costs a connection or a sign-in, never data.
 */
export function exclusively<T>(name: string, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request(name, signal ? { signal } : {}, run) : run()
}
