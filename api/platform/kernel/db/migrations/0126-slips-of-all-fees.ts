import { type Kysely, sql } from 'kysely'

/**
 * Slips of all other fees pay once, too, as those of 0121 do; those of before, the first of two. A case that was paid keeps
 * all its slips, since each may have paid a part; of the others the last counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `insert into app.case_payment (case_id, reference)
       select distinct on (sent.reference) sent.case_id, sent.reference from (
         select s.case_id, s.at, app.plain_reference('slip ' || f.sha256) as reference,
             c.paid or s.at = max(s.at) over (partition by s.case_id) as counts
           from app.submission s
             join lateral (
               select c.state, app.case_was_paid(c.id) or c.state in ('ended', 'failed') and exists (
                 select from app.case_payment p where p.case_id = c.id) as paid
               from app.flow_case c where c.id = s.case_id) c on true
             left join app.file f on f.id::text = s.data ->> 'slip'
           where s.form_key in ('aptitude-tests/payment-slip', 'courses-public/payment-slip', 'hostel/registration',
               'id-cards/request', 'recruitment/application', 'resource-reservation/payment-slip',
               'year-renewals/renewal-request') and s.effect <> 'void'
             and (c.state not in ('ended', 'failed') or c.paid)
       ) as sent where sent.counts and sent.reference is not null order by sent.reference, sent.at
       on conflict do nothing`,
    )
    .execute(db)
}
