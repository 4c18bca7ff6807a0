import { type Kysely, sql } from 'kysely'

/** Running charts name the employee whose they are; a vehicle is filled once at a reading of its meter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create temporary table driven on commit drop as
     select c.id, d.data ->> 'employee' as employee from app.register_item c
     join app.register_item d on d.id::text = c.data ->> 'driver' and d.data ->> 'employee' is not null
     where c.register = 'vehicles/chart' and not c.final`,
  `update app.register_item c set data = c.data || jsonb_build_object('employee', d.employee) from driven d where d.id = c.id`,
  `insert into app.register_reference (item_id, path, target_id) select id, '/employee', employee::uuid from driven`,
  // Of entries that were made before this rule the first counts.
  `insert into app.register_unique (register, field, value, item_id)
   select distinct on (value) 'vehicles/fueling', '/meter', value, id from (
     select (data ->> 'meter') || E'\\n' || (data ->> 'vehicle') as value, id, created_at from app.register_item
     where register = 'vehicles/fueling' and status = 'Entered') as filled
   order by value, created_at, id`,
]
