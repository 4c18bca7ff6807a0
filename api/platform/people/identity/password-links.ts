import type { TaskList } from 'graphile-worker'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import type { IdentityServer } from './oidc.ts'
import { type Purpose, issueToken } from './one-time-tokens.ts'
import { throttle } from './throttle.ts'

/** The name of the job that mails links; its payload is `{ email }` or `{ accounts, unlessSet? }`. */
const MAIL_LINKS = 'mail-password-links'
/** Time to set the password of a new account in the browser before a link is mailed. */
const WHILE_SETTING_UP = '5 minutes'
/** Accounts per job, so that a retry repeats only a part. */
const ACCOUNTS_PER_JOB = 100

export interface LinkDependencies extends MailDependencies {
  /** If an identity server has the passwords, it mails the links. */
  identity?: { server: Pick<IdentityServer, 'mailPasswordLink'> } | undefined
}

/** The target pages of links; accounts with a password use the page for forgotten ones. */
const pages: Record<Purpose, string> = {
  'set-password': '/applicant/account/setupPwd',
  'confirm-email': '/session/confirm-email',
}
const forgotten = '/session/forgot-password'

/** Links to set a password or confirm an address, in the caller's transaction. */
export function passwordLinks(trx: Transaction<DB>, { identity, ...letters }: LinkDependencies) {
  async function link(accountId: string, purpose: Purpose, page = pages[purpose]) {
    const { token, expiresAt } = await issueToken(trx, accountId, purpose, { mailed: true })
    return { link: `${letters.publicUrl}${page}?token=${token}`, until: expiresAt.toISOString() }
  }

  return {
    /** A link that is not mailed, for the person who starts the installation. */
    link: async (accountId: string): Promise<string> => (await link(accountId, 'set-password')).link,

    /** Mails the link to set a password; older links stay valid until one is used. */
    async send(
      accountId: string,
      template: 'platform.mail.set-password' | 'platform.mail.reset-password' = 'platform.mail.set-password',
    ): Promise<void> {
      if (identity) {
        const { identity_subject: subject, email } = await trx
          .selectFrom('account')
          .select(['identity_subject', 'email'])
          .where('id', '=', accountId)
          .executeTakeFirstOrThrow()
        return identity.server.mailPasswordLink({ subject, email })
      }
      const values = await link(
        accountId,
        'set-password',
        template === 'platform.mail.reset-password' ? forgotten : undefined,
      )
      await mail(trx, letters).send({ to: accountId, template, values })
    },

    /** Mails the link that confirms the account's address. */
    async sendConfirmation(accountId: string): Promise<void> {
      const values = await link(accountId, 'confirm-email')
      await mail(trx, letters).send({ to: accountId, template: 'platform.mail.confirm-email', values })
    },

    /** Mails the owner of the account that its password was reset. */
    async tellOfChange(accountId: string): Promise<void> {
      const values = { link: `${letters.publicUrl}${forgotten}` }
      await mail(trx, letters).send({ to: accountId, template: 'platform.mail.password-changed', values })
    },

    /**
     * Queues a link for the account with this address, if there is one. Every address causes the same work, so neither
     * the response nor its timing reveals an account.
     */
    async sendLater(email: string): Promise<void> {
      await addJob({ email })
    },

    /** Queues a link for a new account, sent only if no password is set by then. */
    async sendUnlessSet(accountId: string): Promise<void> {
      await addJob({ accounts: [accountId], unlessSet: true }, WHILE_SETTING_UP)
    },

    /** Queues links for many accounts. */
    async sendToAllLater(accounts: readonly string[]): Promise<void> {
      // A rollback cannot take back mails of the identity server, so each is its own job.
      const size = identity ? 1 : ACCOUNTS_PER_JOB
      for (let at = 0; at < accounts.length; at += size) await addJob({ accounts: accounts.slice(at, at + size) })
    },
  }

  async function addJob(payload: object, after = '0'): Promise<void> {
    await sql`select graphile_worker.add_job(${MAIL_LINKS}, ${JSON.stringify(payload)}::json,
      run_at => now() + ${after}::interval, max_attempts => 8)`.execute(trx)
  }
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [MAIL_LINKS]: { email?: string; accounts?: string[]; unlessSet?: boolean }
    }
  }
}

/** The queue task that mails links. */
export function passwordLinkTasks({ db, ...letters }: LinkDependencies & { db: Kysely<DB> }): TaskList {
  return {
    async [MAIL_LINKS](payload) {
      const { email, accounts, unlessSet } = payload
      const found = await db
        .selectFrom('account')
        .select(['id', sql<boolean>`password_hash is not null`.as('hasPassword')])
        .where('active', '=', true)
        .where((eb) => (email === undefined ? eb('id', 'in', accounts ?? []) : eb('email', '=', email)))
        .execute()
      for (const { id, hasPassword } of found) {
        if (unlessSet && hasPassword) continue
        // Limits the mails that others can cause in somebody's name.
        const counted = [{ kind: 'mail', of: id } as const]
        if (email !== undefined && (await throttle(db).level(counted)) > 0) continue
        await throttle(db).note(counted)
        const template = hasPassword ? 'platform.mail.reset-password' : 'platform.mail.set-password'
        await db.transaction().execute((trx) => passwordLinks(trx, letters).send(id, template))
      }
    },
  }
}
