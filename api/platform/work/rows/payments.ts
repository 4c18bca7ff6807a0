import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { type FieldSchema, leaves } from '../../model/definitions/register.ts'

/**
 * Keeps the payments that a form names (`x-pays-once`) for its case, instead of those of which it got no money yet. Returns
 * what is wrong with the fields whose payment another case has.
 */
export async function keepPayments(
  trx: Transaction<DB>,
  caseId: string,
  { schema, data }: { schema: FieldSchema; data: unknown },
): Promise<FieldError[]> {
  if (!Object.values(schema.properties ?? {}).some((field) => field['x-pays-once'])) return []
  const given = leaves(schema, data).filter(({ schema: field }) => field['x-pays-once'] === true)
  await sql`delete from case_payment where case_id = ${caseId}::uuid and not case_was_paid(case_id)`.execute(trx)
  const references = given.map(({ value }) => String(value))
  await sql`insert into case_payment (case_id, reference)
    select ${caseId}::uuid, plain_reference(r) from unnest(${references}::text[]) as given(r)
      where plain_reference(r) <> '' group by 2
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ nr: number; code: string }>`
    select nr::int - 1 as nr,
      case plain_reference(r) when '' then 'platform.check-pattern' else 'platform.payment-used' end as code
    from unnest(${references}::text[]) with ordinality as given(r, nr)
    where not exists (
      select from case_payment p where p.case_id = ${caseId}::uuid and p.reference = plain_reference(r))`.execute(trx)
  return rows.map(({ nr, code }) => ({ field: known(given[nr], 'a payment').path, code }))
}
