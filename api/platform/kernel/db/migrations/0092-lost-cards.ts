import { type Kysely, sql } from 'kysely'

/**
 * The reasons of the first start say that a card is lost or stolen; tickets and cards of students who are not active are
 * not in use.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `with named as (
     update app.register_item set version = version + 1, changed_at = now(), data = data || '{"lost": true}'
     where register = 'id-cards/reason' and data ->> 'name' in ('Lost', 'Stolen')
     returning id, version, status, data
   )
   insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from named`,
  `with left_roll as (
     update app.register_item i set version = i.version + 1, changed_at = now(), status = 'Not In Use',
       data = i.data || jsonb_build_object('reason', 'student-not-active', 'since', to_char(now(), 'YYYY-MM-DD'))
     from app.register_item s
     where (i.register, i.status) in (('season-tickets/ticket', 'Issued'), ('id-cards/card', 'Active'))
       and s.id = (i.data ->> 'student')::uuid and s.status <> 'active'
     returning i.id, i.version, i.status, i.data
   )
   insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from left_roll`,
  // Values that are unique while an entry is in use are theirs no more.
  `delete from app.register_unique u using app.register_item i
     where i.id = u.item_id and i.register in ('season-tickets/ticket', 'id-cards/card') and i.status = 'Not In Use'
       and u.field = '/student'`,
  // A card is found by the number that is shown, and the one that stands for it.
  `create index register_item_card_number on app.register_item (upper(data ->> 'number')) where register = 'id-cards/card'`,
  `create index register_item_card_replaces on app.register_item ((data ->> 'replaces')) where register = 'id-cards/card'`,
]
