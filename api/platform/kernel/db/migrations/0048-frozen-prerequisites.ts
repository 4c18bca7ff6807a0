import { type Kysely, sql } from 'kysely'

/**
 * A curriculum freezes the prerequisites of its subjects, and whether students choose those of a course type, also
 * where they have no value, which says *none*. A name with a question mark may still get its first value.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const freezes = (field: string, fields: string) =>
  `update app.register_reference r set freezes = '${fields}' from app.register_item i
     where i.id = r.item_id and i.register = 'setup/curriculum' and r.path ~ '^/subjects/[0-9]+/${field}$'`

const statements = [
  `update app.register_reference set freezes = array_replace(freezes, 'curriculum', 'curriculum?')
     where 'curriculum' = any(freezes)`,
  freezes('subject', '{credits?,prerequisites}'),
  freezes('kind', '{name,chosen}'),
  `create or replace function app.entry_not_frozen() returns trigger language plpgsql set search_path = app, pg_temp as $$
   declare freezing text;
   begin
     select min(n.title) into freezing
       from register_reference r cross join unnest(r.freezes) as u(written)
         cross join lateral (select rtrim(u.written, '?')) as f(name) join register_item n on n.id = r.item_id
       where r.target_id = new.id and r.freezes is not null
         and (u.written = f.name or old.data -> f.name is not null)
         and old.data -> f.name is distinct from new.data -> f.name;
     if freezing is not null then
       raise exception 'entry % is frozen by one that names it', new.id using errcode = 'check_violation',
         constraint = 'entry_frozen', detail = freezing;
     end if;
     return new;
   end $$`,
]
