import type { JobHelpers, TaskList } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Attachment, SEND_MAIL, TELL } from './mail.ts'

export interface SendingDependencies {
  db: Kysely<DB>
  /** Without it, no mail leaves: the rows are the mailbox. */
  smtpUrl?: string | undefined
  from: string
  log: Logger
}

/** How long a mail server may keep silent, in milliseconds; by themselves these limits are minutes. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** The tasks for the job queue that send mails. */
export function mailTasks({ db, smtpUrl, from, log }: SendingDependencies): TaskList {
  const transport = smtpUrl ? createTransport({ url: smtpUrl, ...patience }, { from }) : undefined

  /**
   * A failure that may pass is thrown: the queue repeats the job, later each time. One that is final (the server
   * refuses the recipient, or the last attempt) marks the mail as failed and raises an incident.
   */
  async function send(payload: unknown, { job }: JobHelpers): Promise<void> {
    const { id } = payload as { id: string }
    const mail = await db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (mail.state !== 'pending') return
    try {
      await transport?.sendMail({
        // As an object it is one address, whatever stands in it; a text would be read as a list.
        to: { name: '', address: mail.recipient },
        subject: mail.subject,
        text: mail.body,
        attachments: (mail.attachments as unknown as Attachment[]).map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content,
        })),
        messageId: mail.message_id,
        date: mail.created_at,
      })
    } catch (error) {
      const { responseCode = 0, message } = error as Error & { responseCode?: number }
      const final = responseCode >= 500 || job.attempts >= job.max_attempts
      log.error({ err: error, mail: id, case: mail.case_id, final }, 'sending a mail failed')
      await failed(mail, message, final)
      if (final) return
      throw error
    }
    await db
      .updateTable('mail')
      .set({
        state: 'sent',
        sent_at: sql`clock_timestamp()`,
        attempts: sql`attempts + 1`,
        last_error: null,
        // A link that opens an account is its reader's alone; here it stays only where this row is the mailbox.
        ...(transport && { body: sql`regexp_replace(body, '([?&]token=|/decide/)[A-Za-z0-9_-]+', '\\1…', 'g')` }),
      })
      .where('id', '=', id)
      .execute()
    log.info({ mail: id, case: mail.case_id, template: mail.template }, 'mail sent')
  }

  async function failed(mail: { id: string; case_id: string | null }, reason: string, final: boolean): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('mail')
        .set({ attempts: sql`attempts + 1`, last_error: reason, ...(final && { state: 'failed' }) })
        .where('id', '=', mail.id)
        .execute()
      if (final) {
        await trx
          .insertInto('incident')
          .values({ id: `mail:${mail.id}`, case_id: mail.case_id, kind: 'mail-not-sent', message: reason })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
    })
  }

  /** A new notification has to be read. */
  async function tell(payload: unknown): Promise<void> {
    const { account } = payload as { account: string }
    await announce(db, { principals: [`user:${account}`], cases: [], tasks: [] })
  }

  return { [SEND_MAIL]: send, [TELL]: tell }
}
