import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { DB } from '../db/database.generated.ts'

/** The last link that this installation signed. */
export interface SignedHead {
  sequence: string
  /** Hex. */
  hash: string
  /** Ids of the keys that this installation has signed with; no other is handed out as one of them. */
  keys: string[]
}

/** What is remembered of it where a hand in the database does not reach. */
export interface SignedHeadMemory {
  /** Undefined where nothing was signed yet. Throws where it cannot be read. */
  read(): SignedHead | undefined
  write(head: SignedHead): void
}

/** Remembers it in a file, which is there whole or not at all, also after the power failed and where several write it. */
export function signedHeadFile(file: string): SignedHeadMemory {
  return {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SignedHead) : undefined),
    write(head) {
      const anew = `${file}.${randomUUID()}`
      const open = openSync(anew, 'w', 0o600)
      try {
        writeSync(open, `${JSON.stringify(head)}\n`)
        fsyncSync(open)
      } finally {
        closeSync(open)
      }
      renameSync(anew, file)
    },
  }
}

/** Why the chain is not as it was signed last; undefined where it is, or nothing is remembered. */
export async function notAsSigned(db: Kysely<DB>, memory: SignedHeadMemory): Promise<string | undefined> {
  let last: SignedHead | undefined
  try {
    last = memory.read()
  } catch (error) {
    return `What was signed last in the audit cannot be read, so nothing is sealed: ${String(error)}`
  }
  if (!last) return undefined
  const link = await db.selectFrom('audit_seal').select('hash').where('sequence', '=', last.sequence).executeTakeFirst()
  if (link?.hash.toString('hex') === last.hash) return undefined
  const what = link ? 'is another one than' : 'is not there any more as'
  return `The audit was written anew: link ${last.sequence} ${what} it was signed. Until that is settled, nothing is sealed.`
}
