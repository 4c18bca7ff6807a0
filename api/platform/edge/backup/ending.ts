/** Aborted when the command is interrupted, so that it ends by itself and leaves nothing behind. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => interrupted.abort(new Error('Interrupted.')))
  return interrupted.signal
}

/** Ends this process with what went wrong. */
export function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
