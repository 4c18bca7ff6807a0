import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { v7 as uuid } from 'uuid'
import type { Scanner } from './clamd.ts'

/** Storage for the content of files. Keys contain only letters, digits, `/` and `-`. */
export interface ObjectStore {
  put(key: string, content: Buffer): Promise<void>
  /** The stream fails if the key does not exist. */
  read(key: string): Readable
  remove(key: string): Promise<void>
  /** Scans the files that go in and out, if the installation has a scanner. */
  scan?: Scanner | undefined
}

/** A folder as object store. Writes are atomic. */
export function folderStore(folder: string, scan?: Scanner): ObjectStore {
  const place = (key: string): string => {
    if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(key)) throw new Error(`not a storage key: ${key}`)
    return join(folder, key)
  }
  return {
    scan,
    async put(key, content) {
      const path = place(key)
      const draft = `${path}.${uuid()}`
      await mkdir(dirname(path), { recursive: true })
      await writeFile(draft, content, { mode: 0o600 })
      await rename(draft, path)
    },
    read: (key) => createReadStream(place(key)),
    remove: (key) => rm(place(key), { force: true }),
  }
}
