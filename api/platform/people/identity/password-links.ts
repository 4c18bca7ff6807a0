import type { TaskList } from 'graphile-worker'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import type { IdentityServer } from './oidc.ts'
import { type Purpose, issueToken } from './one-time-tokens.ts'
import { throttle } from './throttle.ts'

/** The name of the job that mails links; its payload is `{ email }` or `{ accounts, unlessSet? }`. */
const MAIL_LINKS = 'mail-password-links'
/** So long somebody who has just made an account has to set its password without a mail. */
const WHILE_SETTING_UP = '5 minutes'
/** Accounts per job, so that one that fails does not begin all of them anew. */
const PER_JOB = 100

export interface LinkDependencies extends MailDependencies {
  /** Where passwords are kept at an identity server, it mails the links. */
  identity?: { server: Pick<IdentityServer, 'mailPasswordLink'> } | undefined
}

/** The pages that the links lead to; whoever has a password already is led to the page where one says that it is forgotten. */
const pages: Record<Purpose, string> = {
  'set-password': '/applicant/account/setupPwd',
  'confirm-email': '/session/confirm-email',
}
const forgotten = '/session/forgot-password'

/** Links that let their reader set a password or show that an address is theirs, in the caller's transaction. */
export function passwordLinks(trx: Transaction<DB>, { identity, ...letters }: LinkDependencies) {
  async function link(accountId: string, purpose: Purpose, page = pages[purpose]) {
    const { token, expiresAt } = await issueToken(trx, accountId, purpose, { mailed: true })
    return { link: `${letters.publicUrl}${page}?token=${token}`, until: expiresAt.toISOString() }
  }

  return {
    /** A link that nobody has been sent: for whoever starts the installation. */
    link: async (accountId: string): Promise<string> => (await link(accountId, 'set-password')).link,

    /** Mails the link to set a password; older links stay good beside it until one is used. */
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

    /** Mails the link that shows that the account's address is its owner's. */
    async sendConfirmation(accountId: string): Promise<void> {
      const values = await link(accountId, 'confirm-email')
      await mail(trx, letters).send({ to: accountId, template: 'platform.mail.confirm-email', values })
    },

    /** Mails that the password was set anew, to whoever reads the account's mails. */
    async tellOfChange(accountId: string): Promise<void> {
      const values = { link: `${letters.publicUrl}${forgotten}` }
      await mail(trx, letters).send({ to: accountId, template: 'platform.mail.password-changed', values })
    },

    /**
     * Has a link mailed to whoever has this address, if anybody has. The same is done for every address, so that neither
     * the answer nor its time tells whether there is an account.
     */
    async sendLater(email: string): Promise<void> {
      await addJob({ email })
    },

    /** Has the link mailed to whoever has just made the account, unless they set its password at once. */
    async sendUnlessSet(accountId: string): Promise<void> {
      await addJob({ accounts: [accountId], unlessSet: true }, WHILE_SETTING_UP)
    },

    /** Has links mailed to many. */
    async sendToAllLater(accounts: readonly string[]): Promise<void> {
      // What the identity server has mailed cannot be taken back with a transaction, so there each is a job.
      const size = identity ? 1 : PER_JOB
      for (let at = 0; at < accounts.length; at += size) await addJob({ accounts: accounts.slice(at, at + size) })
    },
  }

  async function addJob(payload: object, after = '0'): Promise<void> {
    await sql`select graphile_worker.add_job(${MAIL_LINKS}, ${JSON.stringify(payload)}::json,
      run_at => now() + ${after}::interval, max_attempts => 8)`.execute(trx)
  }
}

/** The task for the job queue that mails links. */
export function passwordLinkTasks({ db, ...letters }: LinkDependencies & { db: Kysely<DB> }): TaskList {
  return {
    async [MAIL_LINKS](payload) {
      const { email, accounts, unlessSet } = payload as { email?: string; accounts?: string[]; unlessSet?: boolean }
      const found = await db
        .selectFrom('account')
        .select(['id', sql<boolean>`password_hash is not null`.as('hasPassword')])
        .where('active', '=', true)
        .where((eb) => (email === undefined ? eb('id', 'in', accounts ?? []) : eb('email', '=', email)))
        .execute()
      for (const { id, hasPassword } of found) {
        if (unlessSet && hasPassword) continue
        // Nobody's mailbox is flooded by others who ask for links in their name.
        const counted = [{ kind: 'mail', of: id } as const]
        if (email !== undefined && (await throttle(db).level(counted)) > 0) continue
        await throttle(db).note(counted)
        const template = hasPassword ? 'platform.mail.reset-password' : 'platform.mail.set-password'
        await db.transaction().execute((trx) => passwordLinks(trx, letters).send(id, template))
      }
    },
  }
}
