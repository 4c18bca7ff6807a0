import { type Kysely, sql } from 'kysely'

/** Required decisions are made before a step runs, and two owners must approve a table that leaves a case to nobody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // It uses the manifest that the case began with, so neither diagram nor table can weaken it.
  `create function app.decided_before() returns trigger language plpgsql as $$
   declare
     floor jsonb;
   begin
     for floor in
       select f from app.flow_case c join app.artifact a on a.hash = c.flow_hash
         cross join lateral jsonb_array_elements(a.content::jsonb -> 'floor') f
       where c.id = new.case_id and f -> 'before' ? new.topic
     loop
       -- What the rules derived when the case was last sent; what the engine holds does not count.
       continue when exists (
         select from jsonb_each(floor -> 'unless') u where u.value = (
           select k.payload -> 'variables' -> u.key from app.command k
           where k.case_id = new.case_id and k.kind in ('start', 'complete') and k.payload -> 'variables' ? u.key
           order by k.sequence desc limit 1));
       if not exists (
         select from app.task t
         where t.case_id = new.case_id and t.state in ('accepted', 'done') and t.decided_by is not null
           and floor -> 'decided' -> t.form_key ? t.outcome)
       then raise exception 'nobody has decided what the flow needs decided before %', new.topic
         using errcode = 'check_violation', constraint = tg_name;
       end if;
     end loop;
     return new;
   end $$`,
  `create trigger decided_before before insert on app.worker_run for each row execute function app.decided_before()`,

  // The rows of its tables after which nobody decides, in words.
  `alter table app.studio_proposal add column undecided text[] not null default '{}'`,
  `alter table app.studio_release add column undecided text[] not null default '{}',
     add constraint undecided_needs_another check (undecided = '{}' or approved_by is not null)`,
]
