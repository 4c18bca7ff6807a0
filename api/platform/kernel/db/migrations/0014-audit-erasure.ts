import { type Kysely, sql } from 'kysely'

/**
 * Details of audit entries are erased only by an act of two people; details missing without one are reported. And
 * people without an account also get a mail only once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create unique index mail_once_elsewhere on app.mail (recipient, once) where once is not null and recipient_id is null`,

  `create table app.erasure (
     id uuid primary key,
     person_id uuid not null references app.account,
     reason text not null check (reason ~ '\\S'),
     asked_by uuid not null references app.account,
     asked_at timestamptz not null default clock_timestamp(),
     state text not null default 'asked' check (state in ('asked', 'done', 'refused')),
     decided_by uuid references app.account,
     decided_at timestamptz,
     -- Why it was refused.
     refusal text,
     -- Entries whose details it erased.
     erased integer,
     check ((state = 'asked') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
     check ((state = 'refused') = (refusal is not null)),
     check ((state = 'done') = (erased is not null)),
     constraint erasure_four_eyes check (decided_by <> asked_by),
     constraint erasure_not_of_oneself check (asked_by <> person_id and decided_by is distinct from person_id)
   )`,
  `create unique index erasure_once_at_a_time on app.erasure (person_id) where state = 'asked'`,
  `create index on app.erasure (asked_at desc)`,

  // Which details were erased, and by which act: an entry of its own, whose sealed details name them too.
  `create table app.audit_erasure (
     entry_id bigint primary key references app.audit_entry,
     act_id bigint not null references app.audit_entry
   )`,
  `create trigger append_only before update or delete on app.audit_erasure for each row execute function app.audit_is_append_only()`,

  // What may be erased of a person: details of entries in their own ended cases.
  `create function app.audit_erasable(person uuid) returns setof bigint language sql stable set search_path = app, pg_temp as $$
     select e.id from flow_case c
       join audit_entry e on e.case_id = c.id
       join audit_payload p on p.entry_id = e.id
     where c.requester_id = person and c.ended_at is not null
       -- What an onlooker read, and what was not let pass, is not theirs.
       and e.action not in ('sensitive.read', 'decision.refused')
   $$`,
  // Erases what the act names, if it was confirmed by somebody other than the person who asked. The app has no other
  // right to delete there.
  `create function app.audit_erase(request uuid, act bigint) returns integer
     language plpgsql security definer set search_path = app, pg_temp as $$
   declare
     asked erasure;
     decider uuid;
     details jsonb;
     named bigint[];
   begin
     -- The sealer's lock: what it looks up meanwhile would stay findable.
     perform pg_advisory_xact_lock(7203001);
     select * into asked from erasure where id = request for update;
     if asked.state is distinct from 'asked' then
       raise exception 'this erasure is not asked for' using errcode = 'check_violation', constraint = 'erasure_is_asked';
     end if;
     select as_id(e.actor), p.payload into decider, details
       from audit_entry e join audit_payload p on p.entry_id = e.id
       where e.id = act and e.action = 'erasure.confirmed' and e.object = 'account:' || asked.person_id
         and p.payload ->> 'erasure' = request::text;
     if decider is null then
       raise exception 'entry % confirms no such erasure', act using errcode = 'check_violation', constraint = 'erasure_has_an_act';
     end if;
     if not exists (select from role_grant g where g.account_id = decider and g.role = 'Deputy Internal Auditor'
         -- Nobody is made one for this, least of all by the requester for it.
         and g.created_at < asked.asked_at and g.granted_by is distinct from asked.asked_by
         and g.starts_at <= clock_timestamp() and (g.ends_at is null or g.ends_at > clock_timestamp())) then
       raise exception 'only who heads the audit confirms it' using errcode = 'check_violation', constraint = 'erasure_by_auditor';
     end if;
     select coalesce(array_agg(id::bigint), '{}') into named from jsonb_array_elements_text(details -> 'entries') id;
     if exists (select from unnest(named) id where id not in (select audit_erasable(asked.person_id))) then
       raise exception 'only details of ended cases of theirs are erased' using errcode = 'check_violation', constraint = 'erasure_of_ended_cases';
     end if;
     insert into audit_erasure (entry_id, act_id) select id, act from unnest(named) id;
     delete from audit_payload where entry_id = any(named);
     update erasure set state = 'done', decided_by = decider, decided_at = clock_timestamp(),
       erased = cardinality(named) where id = request;
     return cardinality(named);
   end $$`,
  `revoke execute on function app.audit_erase from public`,
  `grant execute on function app.audit_erase to prakriya_app`,

  `grant select, insert on app.erasure to prakriya_app`,
  // The app can refuse a request; only the function can mark it as erased.
  `grant update (state, decided_by, decided_at, refusal) on app.erasure to prakriya_app`,
  `grant select on app.audit_erasure to prakriya_app`,
]
