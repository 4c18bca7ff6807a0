import { startStack } from '../supervisor/stack.ts'

/** Starts the database of a data folder alone, at the version that it has, and stops it after the act. */
export async function withDatabaseOf<T>(
  dataDir: string,
  signal: AbortSignal,
  act: (ownerUrl: string) => Promise<T>,
): Promise<T> {
  const stack = await startStack({
    ...{ dataDir, port: 0, demo: false, parts: ['postgres'], asItIs: true, signal, say: () => undefined },
    ...{ ownerDatabaseUrl: undefined, engine: undefined },
  })
  try {
    return await act(stack.status.ownerDatabaseUrl)
  } finally {
    await stack.stop()
  }
}
