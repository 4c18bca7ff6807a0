import { type Kysely, sql } from 'kysely'

/** A run pays nobody whose bank account has changed or is not certified since the run was prepared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.run add column account_status text`,
  `create or replace function app.run_line_is_payable(line app.run_line, of_run app.run) returns boolean
   language sql stable as $$
     select app.run_line_is_payable(line, of_run.payable_status)
       and (of_run.recipient_status is null or line.recipient_id is null
         or (select status from app.register_item where id = line.recipient_id) = of_run.recipient_status)
       and (of_run.account_status is null or of_run.method <> 'transfer' or line.paid_to ->> 'item' is null
         or exists (select from app.register_item a where a.id = (line.paid_to ->> 'item')::uuid
           and a.status = of_run.account_status and a.version = (line.paid_to ->> 'version')::integer))
   $$`,
  `grant insert (account_status) on app.run to prakriya_app`,
]
