import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/** The last link that this installation signed. */
export interface SignedHead {
  sequence: string
  /** Hex. */
  hash: string
}

/** What is remembered of it where a hand in the database does not reach. */
export interface SignedHeadMemory {
  /** Undefined where nothing was signed yet. Throws where it cannot be read. */
  read(): SignedHead | undefined
  write(head: SignedHead): void
}

/** Remembers it in a file, which is there whole or not at all, also after the power failed. */
export function signedHeadFile(file: string): SignedHeadMemory {
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SignedHead) : undefined),
    write(head) {
      const open = openSync(`${file}.new`, 'w', 0o600)
      try {
        writeSync(open, `${JSON.stringify(head)}\n`)
        fsyncSync(open)
      } finally {
        closeSync(open)
      }
      renameSync(`${file}.new`, file)
    },
  }
}
