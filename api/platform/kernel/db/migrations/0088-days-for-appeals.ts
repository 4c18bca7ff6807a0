import { type Kysely, sql } from 'kysely'

/** Intakes of hostels say how many days a student has to appeal; those of before had seven, in a new version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`with dated as (
      update app.register_item set data = data || '{"appeal_days": 7}', version = version + 1, changed_at = now()
      where register = 'hostel/intake' and not data ? 'appeal_days' and not final
      returning id, version, status, data)
    insert into app.register_item_version (item_id, version, status, data)
    select id, version, status, data from dated`.execute(db)
}
