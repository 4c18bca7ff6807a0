import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { uuidIn } from '../../kernel/db/uuid.ts'
import { known } from '../../kernel/known.ts'
import { type FieldSchema, leaves } from '../../model/definitions/register.ts'

/**
 * Keeps the payments that a form names (`x-pays-once`) for its case, instead of those of which it got no money yet: the
 * bank's reference, or the content of a slip. Returns what is wrong with the fields whose payment another case has.
 */
export async function keepPayments(
  trx: Transaction<DB>,
  caseId: string,
  { schema, data }: { schema: FieldSchema; data: unknown },
): Promise<FieldError[]> {
  if (!Object.values(schema.properties ?? {}).some((field) => field['x-pays-once'])) return []
  const given = leaves(schema, data).filter(({ schema: field }) => field['x-pays-once'] === true)
  await sql`delete from case_payment where case_id = ${caseId}::uuid and not case_was_paid(case_id)`.execute(trx)
  const named = given.map(({ schema: field, value }, nr) => ({ nr, value, slip: field['x-widget'] === 'file' }))
  const { rows } = await sql<{ nr: number; code: string }>`
    with named as materialized (
      select n.nr, n.slip, plain_reference(case when n.slip
        then 'slip ' || (select sha256 from file where id = ${uuidIn(sql`n.value`)}) else n.value end) as reference
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n(nr integer, value text, slip boolean)
    ), kept as (
      insert into case_payment (case_id, reference)
      select ${caseId}::uuid, reference from named where reference <> '' group by 2
      on conflict do nothing
      returning reference
    )
    select nr, case when reference = '' then 'platform.check-pattern' when slip then 'platform.slip-used'
      else 'platform.payment-used' end as code
    from named n
    where not exists (select from kept k where k.reference = n.reference)
      and not exists (select from case_payment p where p.case_id = ${caseId}::uuid and p.reference = n.reference)
    order by nr`.execute(trx)
  return rows.map(({ nr, code }) => ({ field: known(given[nr], 'a payment').path, code }))
}
