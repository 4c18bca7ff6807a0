import { type Kysely, sql } from 'kysely'

/**
 * A line that a run already pays gets its shared account, too, when somebody who is added later has the same one. A line
 * says when its student was asked to sign, so that who declines mails is told once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table app.run_line add column asked_to_sign_at timestamptz`,
  // Both may change while the run is open; everything else of the function stays.
  `do $$ begin
     execute replace(pg_get_functiondef('app.run_line_changes_rightly'::regproc),
       'question_desk,changed_at', 'question_desk,shared_with,asked_to_sign_at,changed_at');
   end $$`,
  `grant update (shared_with, asked_to_sign_at) on app.run_line to prakriya_app`,
  // Who was mailed was asked; who declines mails was told when the others were mailed.
  `update app.run_line l set asked_to_sign_at = clock_timestamp()
   from app.run r, app.account a
   where r.case_id = l.case_id and r.state = 'open' and a.record_id = l.student_id and exists (
     select from app.mail m where m.case_id = l.case_id and m.template = 'platform.mail.signature-awaited'
       and (m.recipient_id = a.id or not a.mail_tasks))`,
]
