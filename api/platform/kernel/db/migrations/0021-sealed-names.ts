import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/**
 * Seals names that 0019 cleaned or took from a register, and those of accounts that got an entry afterwards. The audit
 * trail had no entry for them, so auditors saw them marked. A name that no rule explains stays marked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; sealed: string }>`
    with told as (
      select e.id as entry, a.id, a.name, coalesce(p.payload #>> '{now,name}', p.payload ->> 'name') as sealed
      from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
        join app.account a on e.object = 'account:' || a.id
      where e.action like 'account.%'
      union all
      select e.id, a.id, a.name, p.payload ->> 'submitter'
      from app.audit_entry e join app.audit_payload p on p.entry_id = e.id join app.account a on a.id::text = e.actor
      where e.case_id is not null
    ), differing as (
      select distinct on (id) * from told
      where sealed <> name and not exists (
        select from told later join app.audit_entry e on e.id = later.entry
        where later.id = told.id and later.entry > told.entry and later.sealed = told.name and e.action like 'account.%')
      order by id, entry desc
    )
    select d.id, d.name, d.sealed from differing d join app.account a on a.id = d.id
    where d.name = coalesce(app.name_of_entry(a.record_id), nullif(app.as_name(d.sealed), ''), a.username::text)
    order by d.id`.execute(db)
  for (const { id, name, sealed } of rows) {
    const salt = randomBytes(32)
    // The members are in the order of the commitment.
    const payload = JSON.stringify({ before: { name: sealed }, by: 'an upgrade', now: { name } })
    const commitment = createHash('sha256').update(salt).update(payload).digest()
    await sql`
      with entry as (
        insert into app.audit_entry (actor, action, object, commitment)
        values ('system:access', 'account.changed', ${`account:${id}`}, ${commitment}) returning id
      )
      insert into app.audit_payload (entry_id, salt, payload) select id, ${salt}, ${payload}::jsonb from entry`.execute(
      db,
    )
  }
}
