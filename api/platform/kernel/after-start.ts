/** By then, the threads that checked the models have ended. */
const SETTLED_MS = 60_000

/** Starting leaves more garbage than the process then uses, and an idle process collects none. */
export function collectAfterStart(): void {
  setTimeout(() => globalThis.gc?.(), SETTLED_MS).unref()
}
