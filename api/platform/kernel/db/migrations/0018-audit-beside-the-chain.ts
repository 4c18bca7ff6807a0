import { type Kysely, sql } from 'kysely'

/**
 * Data outside the chain can be compared with it: submissions have a hash in their sealed entry, the engine's reports
 * are entries, and the search index can be rebuilt and compared. A checkpoint names the previous one, so that a deleted
 * one is noticed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Null: signed before this column existed; 0: the first of all.
  `alter table app.audit_checkpoint add column before bigint check (before >= 0 and before < sequence)`,

  // Part of the hash of a submission, so that nobody can guess the content. Null: sent before there were hashes.
  `alter table app.submission add column salt bytea`,
  // Only the effect of a submission can change.
  `revoke update on app.submission from prakriya_app`,
  `grant update (effect, void_reason) on app.submission to prakriya_app`,

  // The engine's reports on a case contain steps and times, and no personal data, so they are not erased.
  `create or replace function app.audit_erasable(person uuid) returns setof bigint language sql stable set search_path = app, pg_temp as $$
     select e.id from flow_case c
       join audit_entry e on e.case_id = c.id
       join audit_payload p on p.entry_id = e.id
     where c.requester_id = person and c.ended_at is not null
       -- What an onlooker read, and what was not let pass, is not theirs.
       and e.action not in ('sensitive.read', 'decision.refused', 'case.progressed')
   $$`,

  // Entries with their search keys. Engine reports are shown with their case, but cannot be searched.
  `create function app.audit_told(ids bigint[]) returns table (id bigint, at timestamptz, actor text, action text, case_id uuid,
     object text, payload jsonb, requester_id uuid, sent_by uuid, flow text, desk text)
     language sql stable set search_path = app, pg_temp as $$
     select e.id, e.at, e.actor, e.action, e.case_id, e.object, p.payload, c.requester_id, c.sent_by,
       coalesce(c.flow, p.payload ->> 'flow'), coalesce(p.payload ->> 'desk', t.desk)
     from audit_entry e
       left join audit_payload p on p.entry_id = e.id
       left join flow_case c on c.id = e.case_id
       left join task t on t.id = case when e.object like 'task:%' then substr(e.object, 6) end
     where e.id = any(ids) and e.action <> 'case.progressed'
   $$`,
  // The rows that \`audit_lookup\` has for them.
  `create function app.audit_looked(ids bigint[]) returns setof app.audit_lookup
     language sql stable set search_path = app, pg_temp as $$
     select id, at, action, case_id, flow, desk,
       -- Ids and hashes are no words, nor is what an item of a register says: some of its fields not everybody may
       -- read. What is longer than any page is cut.
       to_tsvector('simple', left((select string_agg(v #>> '{}', ' ')
         from jsonb_path_query(case when action like 'register-item.%' then payload - 'data' - 'patch' else payload end, '$.**') v
         where jsonb_typeof(v) in ('string', 'number')
           and v #>> '{}' !~ '^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{64}$'), 20000))
     from audit_told(ids)
   $$`,
  // The rows that \`audit_person\` has for them.
  `create function app.audit_concerned(ids bigint[]) returns setof app.audit_person
     language sql stable set search_path = app, pg_temp as $$
     with told as (select * from audit_told(ids))
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
     group by person, told.at, told.id, told.action, told.flow, told.desk
   $$`,
  `create or replace function app.audit_look_up(ids bigint[]) returns void language sql set search_path = app, pg_temp as $$
     insert into audit_lookup select * from audit_looked(ids) on conflict do nothing;
     insert into audit_person select * from audit_concerned(ids) on conflict do nothing;
   $$`,
  // Search rows of these entries that are missing, extra or different. Erased details leave no text to compare; a task
  // may have moved to another desk since.
  `create function app.audit_lookup_wrong(ids bigint[]) returns table (entry_id bigint, harm text)
     language sql stable set search_path = app, pg_temp as $$
     with told as (select id, payload is null as erased, payload ->> 'desk' is null as elsewhere from audit_told(ids)),
     looked as (
       select coalesce(x.entry_id, l.entry_id) as entry_id,
         case when l.entry_id is null then 'missing' when x.entry_id is null then 'extra'
           when (l.at, l.action) is distinct from (x.at, x.action) or l.case_id is distinct from x.case_id
             or l.words is distinct from x.words
             or (l.flow is distinct from x.flow and not (t.erased and x.flow is null))
             or (l.desk is distinct from x.desk and not t.elsewhere) then 'altered' end as harm
       from audit_looked(ids) x
         full join (select * from audit_lookup where entry_id = any(ids)) l on l.entry_id = x.entry_id
         left join told t on t.id = x.entry_id
     ), concerned as (
       select coalesce(x.entry_id, l.entry_id) as entry_id,
         case when l.entry_id is null then 'missing' when x.entry_id is null then 'extra'
           when (l.at, l.acted, l.action) is distinct from (x.at, x.acted, x.action)
             or (l.flow is distinct from x.flow and not (t.erased and x.flow is null))
             or (l.desk is distinct from x.desk and not t.elsewhere) then 'altered' end as harm
       from audit_concerned(ids) x
         full join (select * from audit_person where entry_id = any(ids)) l on l.entry_id = x.entry_id and l.person = x.person
         left join told t on t.id = x.entry_id
     )
     select * from looked where harm is not null union all select * from concerned where harm is not null
   $$`,
]
