import { useState } from 'react'
import type { Sheet } from '../client/client.ts'
import { useAction } from '../states/act.ts'
import { save } from './save.ts'

/** Reads a file and saves it on the device; a refusal appears as a toast. */
export function useDownload(): {
  busy: boolean
  download(read: () => Promise<Pick<Sheet, 'name' | 'content'>>): Promise<void>
} {
  const attempt = useAction()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async download(read) {
      setBusy(true)
      await attempt(async () => {
        const { name, content } = await read()
        save(name, content)
      })
      setBusy(false)
    },
  }
}
