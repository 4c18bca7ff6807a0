import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo, endOfDay } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { textAt } from '../../model/definitions/register.ts'
import { type IssuedDocument, documents, documentsOf } from './documents.ts'
import { letterIn, renderDocument } from './render.ts'

/** What people who have a document's code may know. */
export interface Verified {
  kind: string
  /** What a letter is called, by language; others are called like their kind. */
  titles?: Partial<Record<Language, string>>
  number: string
  holder: string
  issuedAt: Date
  /** Text keys of the desks that have signed. */
  signedBy: string[]
  /** `not-yet` and `reported` are states of papers of register entries; these and letters can be `expired`. */
  state: 'valid' | 'withdrawn' | 'replaced' | 'not-yet' | 'reported' | 'expired'
  endedAt: Date | null
  /** Of the file, in hex; null for papers of register entries, which are laid out whenever somebody prints them. */
  sha256: string | null
}

/** The holder and signatures of a document that can be verified. */
export interface Verifiable {
  holder: string
  signedBy: string[]
}

/**
 * Makes a new document verifiable, and ends an earlier one of its case. An ended document never becomes valid again.
 */
export async function makeVerifiable(
  trx: Transaction<DB>,
  document: IssuedDocument,
  { holder, signedBy }: Verifiable,
  { library, publicUrl }: { library: Library; publicUrl: string },
): Promise<void> {
  const { id, caseId, kind } = document
  const code = randomBytes(16).toString('hex')
  const pdf = renderDocument(library, document, { code, address: `${publicUrl}/verify/${code}` })
  await endVerification(trx, { caseId, kind, by: id })
  await trx
    .insertInto('document_verification')
    .values({
      document_id: id,
      case_id: caseId,
      kind,
      code,
      holder,
      signed_by: JSON.stringify(signedBy),
      pdf,
      sha256: createHash('sha256').update(pdf).digest('hex'),
    })
    .execute()
}

/** Ends the validity of a case's documents of a kind. */
export async function withdrawDocuments(
  trx: Transaction<DB>,
  { caseId, kind }: { caseId: string; kind: string },
): Promise<void> {
  for (const id of await endVerification(trx, { caseId, kind, by: null }))
    await audit(trx).record({
      actor: 'system:workers',
      action: 'document.withdrawn',
      caseId,
      object: `document:${id}`,
      payload: { kind },
    })
}

/** Ends a case's documents of a kind for good: neither a print nor `/verify` says that they are valid. */
export async function endIssued(
  trx: Transaction<DB>,
  { caseId, kind, by }: { caseId: string; kind: string; by: string },
): Promise<void> {
  for (const one of await documentsOf(trx, caseId))
    if (one.kind === kind && one.endedAt === null) await documents(trx).end({ caseId, kind, number: one.number, by })
  await withdrawDocuments(trx, { caseId, kind })
}

/** The document of a code; undefined if there is none. */
export async function findVerified(db: Kysely<DB>, code: string): Promise<Verified | undefined> {
  const row = await db
    .selectFrom('document_verification as v')
    .innerJoin('document as d', 'd.id', 'v.document_id')
    .select(['v.kind', 'd.number', 'v.holder', 'd.issued_at', 'v.signed_by', 'v.ended_at', 'v.replaced_by'])
    .select(['v.sha256', 'd.data'])
    .select(sql<Date>`now()`.as('now'))
    .where('v.code', '=', code)
    .executeTakeFirst()
  if (!row) return undefined
  const last = textAt(row.data, '/validUntil')
  const expired = row.ended_at === null && last !== undefined && last < dayInColombo(row.now)
  return {
    kind: row.kind,
    titles: letterIn(row.data).titles,
    number: row.number,
    holder: row.holder,
    issuedAt: row.issued_at,
    signedBy: row.signed_by,
    state: expired ? 'expired' : row.ended_at === null ? 'valid' : row.replaced_by === null ? 'withdrawn' : 'replaced',
    endedAt: expired ? new Date(endOfDay(last)) : row.ended_at,
    sha256: row.sha256,
  }
}

async function endVerification(
  trx: Transaction<DB>,
  { caseId, kind, by }: { caseId: string; kind: string; by: string | null },
): Promise<string[]> {
  const rows = await trx
    .updateTable('document_verification')
    .set({ ended_at: sql<Date>`clock_timestamp()`, replaced_by: by })
    .where('case_id', '=', caseId)
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .returning('document_id')
    .execute()
  return rows.map((row) => row.document_id)
}

/** The file of an issued document: the stored one if it can be verified, otherwise rendered again. */
export async function fileOf(db: Kysely<DB>, library: Library, document: IssuedDocument): Promise<Buffer> {
  const kept = await db
    .selectFrom('document_verification')
    .select('pdf')
    .where('document_id', '=', document.id)
    .executeTakeFirst()
  return kept?.pdf ?? renderDocument(library, document)
}
