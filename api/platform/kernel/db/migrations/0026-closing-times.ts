import { type Kysely, sql } from 'kysely'

/**
 * A case knows when its flow closed for requests, and the database refuses a later one. Where the flow lets people
 * finish, somebody whose draft is older than the closing may still send it for some minutes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.start_draft add column begun_at timestamptz not null default clock_timestamp()`,
  `alter table app.flow_case
     add column closes_at timestamptz,
     add column finish_until timestamptz,
     add check (finish_until >= closes_at)`,
  `create function app.case_is_in_time() returns trigger language plpgsql as $$ begin
     if new.closes_at is null or now() < new.closes_at then
       return new;
     end if;
     if now() < new.finish_until and exists (
       select from app.start_draft d
       where d.account_id = new.requester_id and d.flow = new.flow and d.begun_at < new.closes_at
         and (new.once_key is null or exists (select from jsonb_each_text(d.data) where value = new.once_key))
     ) then
       return new;
     end if;
     raise exception 'requests have closed' using errcode = 'check_violation', constraint = 'flow_case_in_time';
   end $$`,
  `create trigger flow_case_in_time before insert on app.flow_case for each row execute function app.case_is_in_time()`,
]
