import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { readJson } from '../../kernel/json-file.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Finding } from './chain-findings.ts'

/** The last link that this installation signed. */
export interface SignedHead {
  sequence: string
  /** Hex. */
  hash: string
  /** Ids of the keys that this installation has signed with; only these are published. */
  keys: string[]
  /** The keys themselves as PEM, as far as they are known: the database's copy may have been replaced. */
  publicKeys?: Record<string, string>
}

/** The memory of the signed head, out of reach of the database. */
export interface SignedHeadMemory {
  /** Undefined if nothing was signed yet. Throws if it cannot be read. */
  read(): SignedHead | undefined
  write(head: SignedHead): void
}

/** Stores it in a file. Writes are atomic, also after a power failure and with several writers. */
export function signedHeadFile(file: string): SignedHeadMemory {
  return {
    read: () => (existsSync(file) ? readJson<SignedHead>(file) : undefined),
    write(head) {
      const temporary = `${file}.${randomUUID()}`
      const open = openSync(temporary, 'w', 0o600)
      try {
        writeSync(open, `${JSON.stringify(head)}\n`)
        fsyncSync(open)
      } finally {
        closeSync(open)
      }
      renameSync(temporary, file)
    },
  }
}

/** What is missing of what was signed last; undefined if nothing is, or nothing is remembered. */
export async function notAsSigned(db: Kysely<DB>, memory: SignedHeadMemory): Promise<Finding | undefined> {
  let last: SignedHead | undefined
  try {
    last = memory.read()
  } catch (error) {
    const text = `the record of the newest signature cannot be read, so it cannot be compared: ${String(error)}`
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
    const what = link ? 'differs from its signature' : 'was signed and is missing'
    const text = `the audit trail was rewritten: link ${sequence} ${what}`
    return { harm: 'rewritten', sequence, entryId: null, text }
  }
  if (link.signed !== null) return undefined
  return { harm: 'signature-removed', sequence, entryId: null, text: `the signature at link ${sequence} was removed` }
}
