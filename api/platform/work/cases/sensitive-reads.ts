import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { sensitiveFields } from '../../model/definitions/sensitive.ts'
import { listSensitiveRead } from '../rows/case-record.ts'

/** Reads of the same sensitive fields by the same person count as one within this interval. */
const sameRead = '1 hour'

/** Logs a read of a case's sensitive fields in the audit trail. `actedAs` is called only if an entry is written. */
export async function noteSensitiveRead(
  { db, definitions }: { db: Kysely<DB>; definitions: Pick<Definitions, 'form'> },
  {
    reader,
    caseId,
    submissions,
    actedAs,
  }: {
    /** Account. */
    reader: string
    caseId: string
    submissions: readonly { formHash: string; data: JsonObject }[]
    actedAs(): Promise<string | null> | string | null
  },
): Promise<void> {
  const fields = await Promise.all(
    submissions.map(async ({ formHash, data }) => sensitiveFields((await definitions.form(formHash)).schema, data)),
  )
  const read = [...new Set(fields.flat())]
  if (read.length === 0) return
  const noted = await listSensitiveRead(db, caseId, reader, sameRead)
  if (read.every((field) => noted.includes(field))) return
  const right = await actedAs()
  await db.transaction().execute((trx) =>
    audit(trx).record({
      actor: reader,
      actedAs: right,
      action: 'sensitive.read',
      caseId,
      object: `case:${caseId}`,
      payload: { fields: read },
    }),
  )
}
