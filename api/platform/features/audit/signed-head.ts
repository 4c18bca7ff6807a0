import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Finding } from './chain-findings.ts'

/** The last link that this installation signed. */
export interface SignedHead {
  sequence: string
  /** Hex. */
  hash: string
  /** Ids of the keys that this installation has signed with; no other is handed out as one of them. */
  keys: string[]
  /** The same keys themselves as PEM, as far as they were seen: what the database says of them may have been replaced. */
  publicKeys?: Record<string, string>
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

/** What is not there of what was signed last; undefined where it is, or nothing is remembered. */
export async function notAsSigned(db: Kysely<DB>, memory: SignedHeadMemory): Promise<Finding | undefined> {
  let last: SignedHead | undefined
  try {
    last = memory.read()
  } catch (error) {
    const text = `what was signed last cannot be read, so nothing shows that it is there: ${String(error)}`
    return { harm: 'unvouched', sequence: '1', entryId: null, text }
  }
  if (!last) return undefined
  const { sequence } = last
  const link = await db
    .selectFrom('audit_seal as s')
    .leftJoin('audit_checkpoint as c', 'c.sequence', 's.sequence')
    .select(['s.hash', 'c.sequence as signed'])
    .where('s.sequence', '=', sequence)
    .executeTakeFirst()
  if (link?.hash.toString('hex') !== last.hash) {
    const what = link ? 'is another one than' : 'is not there any more as'
    const text = `it was written anew: link ${sequence} ${what} it was signed`
    return { harm: 'rewritten', sequence, entryId: null, text }
  }
  if (link.signed !== null) return undefined
  return { harm: 'signature-removed', sequence, entryId: null, text: `the signature at link ${sequence} was removed` }
}
