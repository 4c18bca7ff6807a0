import { type Kysely, sql } from 'kysely'

/**
 * Applications for a vacancy that are older than the limit of one per NIC get its key, a hash of vacancy and number, as
 * newer ones do. Of two of one person the first gets it; the others stay without, and are named for HR. Neither those
 * that do not count any more get one, nor those of an address that is not confirmed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; reference: string; key: string; place: string }>`
    with counted as (
      select c.id, c.reference, c.created_at, upper(c.data ->> 'vacancy') as vacancy,
        upper(trim(c.data #>> '{record,basic_information,nic}')) as nic
      from app.flow_case c join app.account a on a.id = c.requester_id
      where c.flow = 'recruitment/job-application' and c.sole_key is null and c.sole_asked is null
        and c.data ->> 'vacancy' is not null and (c.sent_by is not null or a.email_confirmed_at is not null)
        and not (c.state = 'failed' or (c.state = 'ended'
          and (c.withdrawn_at is not null or c.status in ('Not Selected', 'Vacancy Withdrawn'))))
    ), one_form as (
      select *, case when nic ~ '^[0-9]{9}[XV]$' then '19' || left(nic, 5) || '0' || substr(nic, 6, 4) else nic end as long
      from counted where nic ~ '^([0-9]{9}[XV]|[0-9]{12})$'
    ), keyed as (
      select *, rtrim(translate(encode(
        sha256(convert_to('["' || vacancy || '","' || long || '"]', 'UTF8')), 'base64'), '+/', '-_'), '=') as key
      from one_form
    )
    select id, reference, key, row_number() over (partition by key order by created_at, id) as place
    from keyed order by created_at, id`.execute(db)
  for (const { id, reference, key, place } of rows) {
    const taken = sql`
      update app.flow_case set sole_key = ${key} where id = ${id} and not exists (
        select from app.flow_case where flow = 'recruitment/job-application' and sole_key = ${key})`
    const { numAffectedRows } = place === '1' ? await taken.execute(db) : {}
    if (numAffectedRows !== 1n) console.warn(`another application of the same person counts: ${reference}`)
  }
}
