import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { RegisterDefinition } from '../../model/definitions/register.ts'
import type { RunDefinition } from '../../model/definitions/run.ts'
import { field as fieldOfEntry } from './listings.ts'

/** What a student gets of a scheme, as the register of its recipients has it now. */
export interface RecipientRow {
  id: string
  title: string
  status: string
  scheme: string | null
  from: string | null
  until: string | null
  /** Their own amount in cents, if the register has one. */
  amount: number | null
  complete: boolean
  /** Code of the reason if they are paused or ended, and the day. */
  reason: string | null
  since: string | null
}

/** The entries of a student among the recipients of a run, the newest first. */
export async function listRecipientsOf(
  db: Kysely<DB>,
  { recipients }: RunDefinition,
  { follows }: RegisterDefinition,
  student: string,
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select i.id, i.title, i.status, s.title as scheme, ${field(recipients.from)} as "from",
      ${field(recipients.until)} as until, (${field(recipients.amount)})::float8 as amount,
      coalesce((${field(recipients.complete)})::boolean, true) as complete, ${field(follows?.reason)} as reason,
      ${field(follows?.since)} as since
    from register_item i left join register_item s on s.id = (${field(recipients.scheme)})::uuid
      join register_reference r on r.item_id = i.id and r.path = ${recipients.student}
    where i.register = ${recipients.register} and r.target_id = ${student}::uuid
    order by 5 desc nulls last, i.created_at desc`.execute(db)
  return rows
}

/** The bank account of a student as they see it themselves. */
export interface OwnAccountRow {
  bank: string
  branch: string
  /** The last digits of its number. */
  ending: string
  status: string
}

/** The accounts of a student in the register from which a run is paid. */
export async function listAccountsOf(
  db: Kysely<DB>,
  { register, student, bank, branch, number }: NonNullable<RunDefinition['account']>,
  of: string,
): Promise<OwnAccountRow[]> {
  const { rows } = await sql<OwnAccountRow>`
    select b.title as bank, d.title as branch, right(${field(number)}, 4) as ending, i.status
    from register_item i join register_reference r on r.item_id = i.id and r.path = ${student}
      join register_item b on b.id = (${field(bank)})::uuid join register_item d on d.id = (${field(branch)})::uuid
    where i.register = ${register} and r.target_id = ${of}::uuid
    order by i.created_at desc`.execute(db)
  return rows
}

/** A field of the entry `i`; null if the register has none for it. */
function field(pointer: string | undefined): RawBuilder<string | null> {
  return pointer === undefined ? sql`null::text` : fieldOfEntry(pointer)
}
