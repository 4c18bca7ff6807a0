import { type Kysely, sql } from 'kysely'

/** Entries that steps of a case wrote, beside those that people enter: they stay as they are once the case has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // The number of the case; null: people write the entry.
  `alter table app.register_item add column of_case text`,
  `update app.register_item set of_case = data ->> 'case_reference'
     where register = 'students/subject-registration' and data ->> 'case_reference' is not null`,
  `create function app.entry_of_case() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if not exists (select from flow_case where reference = new.of_case and state in ('starting', 'running')) then
       raise exception 'entry % was written by a case that has ended', new.id using errcode = 'check_violation',
         constraint = 'entry_of_case', detail = coalesce(old.of_case, new.of_case);
     end if;
     return new;
   end $$`,
  `create trigger entry_of_case before update on app.register_item for each row
     when (old.of_case is not null and (new.data, new.status, new.of_case) is distinct from (old.data, old.status, old.of_case))
     execute function app.entry_of_case()`,
]
