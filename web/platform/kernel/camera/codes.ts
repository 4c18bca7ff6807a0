/** Reads codes in pictures. Close it when it is no longer needed. */
export interface CodeReader {
  /** The codes in a picture; throws if it cannot be read. A bitmap is used up. */
  read(picture: ImageBitmap | Blob): Promise<string[]>
  close(): void
}

type Answer = { id: number } & ({ codes: string[] } | { error: string })

/** Loads what reads codes, so that it is there without a network. */
export async function fetchCodeReader(): Promise<void> {
  const reader = openCodeReader()
  try {
    await reader.read(await createImageBitmap(new ImageData(1, 1)))
  } finally {
    reader.close()
  }
}

/** Starts a worker that reads codes, so that the page stays responsive, and only its file may compile the reader. */
export function openCodeReader(): CodeReader {
  const worker = new Worker(new URL('./codes.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { settle(codes: string[]): void; fail(error: Error): void }>()
  let asked = 0
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if ('codes' in data) one?.settle(data.codes)
    else one?.fail(new Error(data.error))
  })
  worker.addEventListener('error', ({ message }) => {
    for (const { fail } of waiting.values()) fail(new Error(message))
    waiting.clear()
  })
  return {
    read: (picture) =>
      new Promise((settle, fail) => {
        asked += 1
        waiting.set(asked, { settle, fail })
        worker.postMessage({ id: asked, picture }, picture instanceof ImageBitmap ? [picture] : [])
      }),
    close: () => worker.terminate(),
  }
}
