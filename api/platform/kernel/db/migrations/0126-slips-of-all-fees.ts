import { type Kysely, sql } from 'kysely'

/** Slips of all other fees pay once, too, as those of 0121 do; those of before, the first of two. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `insert into app.case_payment (case_id, reference)
       select distinct on (sent.reference) sent.case_id, sent.reference from (
         select distinct on (s.case_id) s.case_id, s.at, app.plain_reference('slip ' || f.sha256) as reference
           from app.submission s join app.flow_case c on c.id = s.case_id
             left join app.file f on f.id::text = s.data ->> 'slip'
           where s.form_key in ('aptitude-tests/payment-slip', 'courses-public/payment-slip', 'hostel/registration',
               'id-cards/request', 'recruitment/application', 'resource-reservation/payment-slip',
               'year-renewals/renewal-request') and s.effect <> 'void'
             and (c.state not in ('ended', 'failed') or app.case_was_paid(c.id))
           order by s.case_id, s.at desc
       ) as sent where sent.reference is not null order by sent.reference, sent.at
       on conflict do nothing`,
    )
    .execute(db)
}
