import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { itemInUse } from '../registers/in-use.ts'

/** An issued document; its number is unique within its kind. */
export interface IssuedDocument {
  id: string
  caseId: string
  /** `<area>/<name>` of its definition. */
  kind: string
  number: string
  /** All that is printed; it never changes. */
  data: JsonObject
  issuedAt: Date
  /** When it stopped being valid. */
  endedAt: Date | null
}

/**
 * Issues documents in the caller's transaction. Nobody can change or delete one afterwards, not even the database role
 * of the app.
 */
export function documents(trx: Transaction<DB>) {
  return {
    /**
     * Issues a document. It stores the present letterhead, so that the print never changes. Throws if this kind and
     * number exist already.
     */
    async issue(document: {
      caseId: string
      kind: string
      number: string
      data: JsonObject
      /** The account that issues it; null for the system. */
      by: string | null
    }): Promise<IssuedDocument> {
      const { caseId, kind, number, by } = document
      const id = uuid()
      const data = { ...document.data, letterhead: (await itemInUse(trx, 'platform/letterhead')) ?? {} }
      const { issued_at } = await trx
        .insertInto('document')
        .values({ id, case_id: caseId, kind, number, data: JSON.stringify(data), issued_by: by })
        .returning('issued_at')
        .executeTakeFirstOrThrow()
      await audit(trx).record({
        actor: by ?? 'system:workers',
        action: 'document.issued',
        caseId,
        object: `document:${id}`,
        payload: { kind, number },
      })
      return { id, caseId, kind, number, data, issuedAt: issued_at, endedAt: null }
    },

    /** Ends the validity of a document: later prints are marked. Idempotent. */
    async end(document: { caseId: string; kind: string; number: string; by: string }): Promise<void> {
      const { caseId, kind, number, by } = document
      const ended = await trx
        .insertInto('document_end')
        .columns(['document_id'])
        .expression((eb) =>
          eb
            .selectFrom('document')
            .select('id')
            .where('case_id', '=', caseId)
            .where('kind', '=', kind)
            .where('number', '=', number),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('document_id')
        .executeTakeFirst()
      if (!ended) return
      await audit(trx).record({
        actor: by,
        action: 'document.ended',
        caseId,
        object: `document:${ended.document_id}`,
        payload: { kind, number },
      })
    },
  }
}

/** The documents of a case, oldest first; with an id only that one. */
export async function documentsOf(db: Kysely<DB>, caseId: string, id?: string): Promise<IssuedDocument[]> {
  const rows = await db
    .selectFrom('document')
    .leftJoin('document_end', 'document_end.document_id', 'document.id')
    .select([
      'document.case_id',
      'document.data',
      'document.id',
      'document.issued_at',
      'document.kind',
      'document.number',
    ])
    .select('document_end.at as ended_at')
    .where('case_id', '=', caseId)
    .where((document) => (id === undefined ? document.lit(true) : document('id', '=', id)))
    .orderBy('issued_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    caseId: row.case_id,
    kind: row.kind,
    number: row.number,
    data: row.data,
    issuedAt: row.issued_at,
    endedAt: row.ended_at,
  }))
}
