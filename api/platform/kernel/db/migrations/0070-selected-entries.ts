import { type Kysely, sql } from 'kysely'

/** Entries that only some entries of a register may name: those that lead to one of certain values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // {"at": lookup, "is": values} of the named entry; null: any.
  `alter table app.register_reference add column selection jsonb`,
  // A lookup leads from a field to a field of the entry that it names, "/programme#/data/degree".
  `create function app.is_selected(entry jsonb, selection jsonb) returns boolean
   language plpgsql stable strict set search_path = app, pg_temp as $$
   declare
     hops text[] := string_to_array(selection ->> 'at', '#');
     hop text;
     found_value text := entry #>> string_to_array(substr(hops[1], 2), '/');
   begin
     foreach hop in array hops[2:] loop
       found_value := (select jsonb_build_object('data', i.data) #>> string_to_array(substr(hop, 2), '/')
         from register_item i where i.id = found_value::uuid);
     end loop;
     return coalesce(selection -> 'is' ? found_value, false);
   end $$`,
  `create function app.reference_selected() returns trigger language plpgsql set search_path = app, pg_temp as $$
   begin
     if not exists (select from register_item i where i.id = new.target_id and is_selected(i.data, new.selection)) then
       raise exception 'entry % may not name %', new.item_id, new.target_id
         using errcode = 'check_violation', constraint = 'reference_selected';
     end if;
     return null;
   end $$`,
  `create trigger reference_selected after insert or update on app.register_reference for each row
     when (new.selection is not null) execute function app.reference_selected()`,
  // Advertisements and first cards from before.
  `update app.register_reference r set freezes = '{programme}', selection = s.selection
     from app.register_item i, app.register_item b, (select '{"at": "/programme#/data/degree#/data/level",
       "is": ["Postgraduate Diploma", "Master", "MPhil", "PhD"], "code": "batches.not-postgraduate"}'::jsonb as selection) s
     where i.id = r.item_id and i.register = 'batches/advertisement' and i.status = 'Published' and r.path = '/batch'
       and b.id = r.target_id and app.is_selected(b.data, s.selection)`,
  `insert into app.case_claim (case_id, item_id, flow)
     select distinct on (a.record_id) c.id, a.record_id, c.flow
     from app.flow_case c join app.account a on a.id = c.requester_id
     where c.flow = 'id-cards/first-card' and c.state in ('starting', 'running') and a.record_id is not null
     order by a.record_id, c.created_at
     on conflict do nothing`,
]
