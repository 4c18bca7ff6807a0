import { type Kysely, sql } from 'kysely'

/**
 * The search index of the auditor's console. The sealer writes it in the transaction that extends the chain. It proves
 * nothing: only the chain does. Text from a payload is deleted when the payload is erased. The sealer indexes older
 * entries step by step, so that the migration is fast.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app.audit_lookup (
     entry_id bigint primary key references app.audit_entry,
     at timestamptz not null,
     action text not null,
     case_id uuid,
     flow text,
     desk text,
     -- Words of the payload; null once that is erased.
     words tsvector
   )`,
  `create index on app.audit_lookup (at, entry_id)`,
  `create index on app.audit_lookup (action, at, entry_id)`,
  `create index on app.audit_lookup (flow, at, entry_id) where flow is not null`,
  `create index on app.audit_lookup (desk, at, entry_id) where desk is not null`,
  `create index on app.audit_lookup (case_id, at, entry_id) where case_id is not null`,
  `create index audit_lookup_words on app.audit_lookup using gin (words)`,
  // The people of an entry: who acted, the requester of the case, the absent person of a substitute, the account
  // concerned.
  `create table app.audit_person (
     person uuid not null,
     at timestamptz not null,
     entry_id bigint not null references app.audit_entry,
     acted boolean not null,
     primary key (person, at, entry_id)
   )`,
  `create index on app.audit_person (entry_id)`,
  `create index audit_entry_as_administrator on app.audit_entry (at, id) where acted_as in ('ADMIN', 'SA')`,
  `create index on app.flow_case (created_at desc, id)`,
  `create index flow_case_reference_begins on app.flow_case (reference text_pattern_ops)`,

  // A text as a UUID if it is one, so that accounts are found by their key.
  `create function app.as_id(given text) returns uuid language sql immutable as $$
     select case when given ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then given::uuid end
   $$`,
  `create function app.audit_look_up(ids bigint[]) returns void language sql set search_path = app, pg_temp as $$
     with told as (
       select e.id, e.at, e.actor, e.action, e.case_id, e.object, p.payload, c.flow, c.requester_id, c.sent_by,
         coalesce(p.payload ->> 'desk', t.desk) as desk
       from audit_entry e
         left join audit_payload p on p.entry_id = e.id
         left join flow_case c on c.id = e.case_id
         left join task t on t.id = case when e.object like 'task:%' then substr(e.object, 6) end
       where e.id = any(ids)
     ), looked as (
       insert into audit_lookup (entry_id, at, action, case_id, flow, desk, words)
       select id, at, action, case_id, coalesce(flow, payload ->> 'flow'), desk,
         -- Ids and hashes are no words, nor is what an item of a register says: some of its fields not everybody may
         -- read. What is longer than any page is cut.
         to_tsvector('simple', left((select string_agg(v #>> '{}', ' ')
           from jsonb_path_query(case when action like 'register-item.%' then payload - 'data' - 'patch' else payload end, '$.**') v
           where jsonb_typeof(v) in ('string', 'number')
             and v #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{64}$'), 20000))
       from told on conflict do nothing
     )
     insert into audit_person (person, at, entry_id, acted)
     select person, at, id, bool_or(acted) from (
       select a.id as person, told.at, told.id, true as acted from told join account a on a.id = app.as_id(told.actor)
       union all select requester_id, at, id, false from told where requester_id is not null
       union all select sent_by, at, id, false from told where sent_by is not null
       union all select a.id, told.at, told.id, false from told
         join account a on told.object like 'account:%' and a.id = app.as_id(substr(told.object, 9))
       union all select a.id, told.at, told.id, false from told
         cross join lateral jsonb_each_text(case jsonb_typeof(payload) when 'object' then payload end) m
         join account a on a.id = app.as_id(m.value)
     ) concerned group by person, at, id on conflict do nothing
   $$`,
  `create function app.audit_forget() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     update audit_lookup set words = null where entry_id = old.entry_id;
     delete from audit_person p using audit_entry e
       where p.entry_id = old.entry_id and e.id = p.entry_id and not p.acted
         and p.person is distinct from case when e.object like 'account:%' then as_id(substr(e.object, 9)) end
         and not exists (select from flow_case c where c.id = e.case_id and p.person in (c.requester_id, c.sent_by));
     return old;
   end $$`,
  `create trigger forgotten after delete on app.audit_payload for each row execute function app.audit_forget()`,

  // Saved searches are views like those of the inbox, for another list.
  `alter table app.inbox_view add column list text not null default 'inbox' check (list in ('inbox', 'audit'))`,
  `alter table app.inbox_view drop constraint inbox_view_owner_id_name_key`,
  `alter table app.inbox_view add unique (owner_id, list, name)`,

  // Every link up to this one is indexed, so that no scan repeats them.
  `create table app.audit_searched (
     one boolean primary key default true check (one),
     sequence bigint not null
   )`,

  // The keys that signed the chain, so that signatures can be verified after a change of keys.
  `create table app.audit_key (
     id text primary key,
     -- Ed25519, SPKI, PEM.
     public_key text not null,
     at timestamptz not null default clock_timestamp()
   )`,
  `create trigger append_only before update or delete on app.audit_key for each row execute function app.audit_is_append_only()`,

  `grant select, insert on app.audit_lookup, app.audit_person, app.audit_key to prakriya_app`,
  `grant select, insert, update on app.audit_searched to prakriya_app`,
]
