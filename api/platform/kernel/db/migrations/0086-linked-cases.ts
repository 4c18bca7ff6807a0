import { type Kysely, sql } from 'kysely'

/**
 * Cases that follow from another case, such as the refund of a deposit from a loan. A case follows from one other, for
 * good; where the flow says so, one case at most follows under a name, or one at a time until it ends well. Cases of a
 * flow that nobody starts by hand follow from one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.case_link (
     case_id uuid primary key references app.flow_case,
     origin_id uuid not null references app.flow_case,
     name text not null,
     once boolean not null,
     -- Statuses in which such a case may have ended for another one to follow.
     again text[] not null default '{}',
     check (case_id <> origin_id),
     check (once or again = '{}')
   )`,
  `create index on app.case_link (origin_id, name)`,
  `create unique index case_link_once on app.case_link (origin_id, name) where once and again = '{}'`,
  `create function app.followed_once() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     -- Two that begin at the same moment wait for each other.
     perform from flow_case where id = new.origin_id for no key update;
     if exists (select from case_link l join flow_case c on c.id = l.case_id
       where l.origin_id = new.origin_id and l.name = new.name and c.state <> 'failed'
         and not (c.state = 'ended' and (c.withdrawn_at is not null or c.status = any (new.again)))) then
       raise exception 'a case follows from % already', new.origin_id using errcode = 'check_violation',
         constraint = 'case_link_once';
     end if;
     return new;
   end $$`,
  `create trigger followed_once before insert on app.case_link for each row
     when (new.once and new.again <> '{}') execute function app.followed_once()`,
  // The manifest is the one that the case begins with.
  `create function app.case_follows() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if exists (select from artifact where hash = new.flow_hash and content::jsonb -> 'startedBy' = '[]')
       and not exists (select from case_link where case_id = new.id) then
       raise exception 'a case of % follows from another', new.flow using errcode = 'check_violation',
         constraint = 'flow_case_follows';
     end if;
     return null;
   end $$`,
  `create constraint trigger flow_case_follows after insert on app.flow_case deferrable initially deferred
     for each row execute function app.case_follows()`,
  `revoke all on app.case_link from prakriya_app`,
  `grant select, insert on app.case_link to prakriya_app`,
]
