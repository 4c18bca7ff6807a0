import { type Kysely, sql } from 'kysely'

/** The indexes of audit searches include the other conditions, and words are found per span of days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `drop index app.audit_lookup_action_at_entry_id_idx, app.audit_lookup_flow_at_entry_id_idx,
     app.audit_lookup_desk_at_entry_id_idx, app.audit_lookup_words`,
  `create index on app.audit_lookup (action, at, entry_id) include (flow, case_id)`,
  `create index on app.audit_lookup (flow, at, entry_id) include (case_id) where flow is not null`,
  `create index on app.audit_lookup (desk, at, entry_id) include (action, flow, case_id) where desk is not null`,
  // Adds the spans of days of an entry, each four times as long as the previous one. No text parser makes a word with a
  // space in it.
  `create function app.audit_words(words tsvector, at timestamptz) returns tsvector language sql immutable as $$
     select words || array_to_tsvector(array(
       select span || ' ' || floor(extract(epoch from at at time zone 'UTC') / 86400 / span)
       from unnest(array[1, 4, 16, 64, 256, 1024, 4096]) span))
   $$`,
  `create index audit_lookup_words on app.audit_lookup using gin (app.audit_words(words, at))`,
  `alter table app.audit_person add column action text, add column flow text, add column desk text,
     drop constraint audit_person_pkey`,
  `update app.audit_person p set action = l.action, flow = l.flow, desk = l.desk
     from app.audit_lookup l where l.entry_id = p.entry_id`,
  `alter table app.audit_person alter column action set not null`,
  `alter table app.audit_person add primary key (person, at, entry_id) include (acted, action, flow, desk)`,
  `create or replace function app.audit_look_up(ids bigint[]) returns void language sql set search_path = app, pg_temp as $$
     with told as (
       select e.id, e.at, e.actor, e.action, e.case_id, e.object, p.payload, c.requester_id, c.sent_by,
         coalesce(c.flow, p.payload ->> 'flow') as flow, coalesce(p.payload ->> 'desk', t.desk) as desk
       from audit_entry e
         left join audit_payload p on p.entry_id = e.id
         left join flow_case c on c.id = e.case_id
         left join task t on t.id = case when e.object like 'task:%' then substr(e.object, 6) end
       where e.id = any(ids)
     ), looked as (
       insert into audit_lookup (entry_id, at, action, case_id, flow, desk, words)
       select id, at, action, case_id, flow, desk,
         -- Ids and hashes are no words, nor is what an item of a register says: some of its fields not everybody may
         -- read. What is longer than any page is cut.
         to_tsvector('simple', left((select string_agg(v #>> '{}', ' ')
           from jsonb_path_query(case when action like 'register-item.%' then payload - 'data' - 'patch' else payload end, '$.**') v
           where jsonb_typeof(v) in ('string', 'number')
             and v #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{64}$'), 20000))
       from told on conflict do nothing
     )
     insert into audit_person (person, at, entry_id, acted, action, flow, desk)
     select person, told.at, told.id, bool_or(concerned.acted), told.action, told.flow, told.desk from (
       select a.id as person, told.id, true as acted from told join account a on a.id = app.as_id(told.actor)
       union all select requester_id, id, false from told where requester_id is not null
       union all select sent_by, id, false from told where sent_by is not null
       union all select a.id, told.id, false from told
         join account a on told.object like 'account:%' and a.id = app.as_id(substr(told.object, 9))
       union all select a.id, told.id, false from told
         cross join lateral jsonb_each_text(case jsonb_typeof(payload) when 'object' then payload end) m
         join account a on a.id = app.as_id(m.value)
     ) concerned join told on told.id = concerned.id
     group by person, told.at, told.id, told.action, told.flow, told.desk on conflict do nothing
   $$`,
]
