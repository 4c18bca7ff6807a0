import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { notAsGiven, prefilled, showsGiven } from '../../model/forms/prefill.ts'
import type { FieldSchema } from '../../model/definitions/register.ts'
import { getCaseRow } from '../rows/cases.ts'
import { listSubmissions } from '../rows/submissions.ts'

/** Read-only fields of an answer or an act whose value differs from the case's. */
export async function changedOfGiven(
  trx: Transaction<DB>,
  caseId: string,
  schema: FieldSchema,
  answer: JsonObject,
): Promise<FieldError[]> {
  if (!showsGiven(schema)) return []
  const { data, facts, subject } = await getCaseRow(trx, caseId)
  const submissions = await listSubmissions(trx, caseId)
  return notAsGiven(schema, prefilled(schema, { data, facts, subject, submissions }), answer)
}
