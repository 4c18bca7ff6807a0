import { type Kysely, sql } from 'kysely'

/** A hired vehicle names its entry in the register of agreements. A number that is none there is kept in the note. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create temporary table hired on commit drop as
     select v.id, v.data ->> 'agreement_no' as number, (select a.id from app.register_item a
       where a.register = 'agreements/agreement' and lower(trim(a.data ->> 'number')) = lower(trim(v.data ->> 'agreement_no'))) as agreement
     from app.register_item v where v.register = 'vehicles/vehicle' and v.data ->> 'agreement_no' is not null and not v.final`,
  `update app.register_item v set data = (v.data - 'agreement_no') || case
       when h.agreement is not null then jsonb_build_object('agreement', h.agreement)
       else jsonb_build_object('note', left(concat_ws(E'\\n', h.number, v.data ->> 'note'), 600)) end
     from hired h where h.id = v.id`,
  `insert into app.register_reference (item_id, path, target_id)
     select id, '/agreement', agreement from hired where agreement is not null`,
]
