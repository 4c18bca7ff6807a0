import type { JobHelpers, TaskList } from 'graphile-worker'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type SendMailOptions, type Transporter, createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { SEND_MAIL, NOTIFY_PERSON } from './mail.ts'
import { isObject, messageIn } from '../../kernel/objects.ts'

export interface SendingDependencies {
  db: Kysely<DB>
  /** Without it, no mail is sent: the rows are the mailbox. */
  smtpUrl?: string | undefined
  from: string
  log: Logger
}

/** Time limits for mail servers, in milliseconds; the library's defaults are minutes. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

type MailRow = Selectable<DB['mail']>

/** The queue tasks that send mails. */
export function mailTasks(dependencies: SendingDependencies): TaskList {
  const { db, smtpUrl, from } = dependencies
  const transport = smtpUrl ? createTransport({ url: smtpUrl, ...patience }, { from }) : undefined
  return {
    [SEND_MAIL]: (payload: { id: string }, { job }) => send(dependencies, transport, payload.id, job),

    // Makes the person's browsers read a new notification.
    async [NOTIFY_PERSON]({ account }: { account: string }) {
      await announce(db, { principals: [`user:${account}`], cases: [], tasks: [] })
    },
  }
}

/**
 * Transient failures are thrown, so that the queue retries at growing intervals. A final one (recipient refused, or
 * last attempt) marks the mail as failed and opens an incident.
 */
async function send(
  { db, log }: SendingDependencies,
  transport: Transporter | undefined,
  id: string,
  job: JobHelpers['job'],
): Promise<void> {
  const mail = await db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (mail.state !== 'pending') return
  try {
    await transport?.sendMail(messageOf(mail))
  } catch (error) {
    const responseCode = isObject(error) && typeof error['responseCode'] === 'number' ? error['responseCode'] : 0
    const final = responseCode >= 500 || job.attempts >= job.max_attempts
    log.error({ err: error, mail: id, case: mail.case_id, final }, 'sending a mail failed')
    await noteFailure(db, mail, messageIn(error), final)
    if (final) return
    throw error
  }
  await noteSent(db, id, { masked: transport !== undefined })
  log.info({ mail: id, case: mail.case_id, template: mail.template }, 'mail sent')
}

function messageOf(mail: MailRow): SendMailOptions {
  return {
    // An object is always one address; a text would be parsed as a list.
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.body,
    attachments: mail.attachments.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
    messageId: mail.message_id,
    date: mail.created_at,
  }
}

/**
 * `masked`: removes links that open an account, which are for the reader only; they stay only if this row is the
 * mailbox.
 */
async function noteSent(db: Kysely<DB>, id: string, { masked }: { masked: boolean }): Promise<void> {
  await db
    .updateTable('mail')
    .set({
      state: 'sent',
      sent_at: sql`clock_timestamp()`,
      attempts: sql`attempts + 1`,
      last_error: null,
      ...(masked && { body: sql`regexp_replace(body, '([?&]token=|/decide/)[A-Za-z0-9_-]+', '\\1…', 'g')` }),
    })
    .where('id', '=', id)
    .execute()
}

async function noteFailure(
  db: Kysely<DB>,
  mail: Pick<MailRow, 'id' | 'case_id'>,
  reason: string,
  final: boolean,
): Promise<void> {
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
