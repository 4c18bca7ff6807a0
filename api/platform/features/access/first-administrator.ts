import { type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { createAccount } from '../../people/identity/accounts.ts'
import { passwordLinks } from '../../people/identity/password-links.ts'
import type { AccessDependencies } from '../../work/access/changes.ts'
import { addGrants } from '../../people/access/grant-rows.ts'

/** Advisory lock key; arbitrary, but the same on every node. */
const LOCK = 7_001_007
const USERNAME = 'admin'
const NAME = 'Administrator'

/**
 * Creates the account `admin` on an installation without an administrator, and logs a link to set its password. The
 * link is valid for a day. Every start logs a new one until the password is set.
 */
export async function firstAdministrator({
  log,
  ...dependencies
}: Pick<AccessDependencies, 'db' | 'library' | 'publicUrl'> & { log: Logger }): Promise<void> {
  const { db, publicUrl } = dependencies
  const link = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const administrators = await listAdministrators(trx)
    if (administrators.some(({ enters }) => enters)) return undefined
    const id = administrators[0]?.id ?? (await make(trx, new URL(publicUrl).hostname))
    return passwordLinks(trx, dependencies).link(id)
  })
  if (link) log.warn({ username: USERNAME, link }, 'no administrator yet: open this link and set a password')
}

async function make(trx: Transaction<DB>, host: string): Promise<string> {
  const email = `${USERNAME}@${host}`
  const id = await createAccount(trx, { username: USERNAME, name: NAME, email })
  const seeded = { startsAt: null, endsAt: null, by: null, reason: 'The first administrator' }
  await addGrants(trx, [{ ...seeded, account: id, role: 'ADMIN', scope: null, origin: 'seed' }])
  const payload = { username: USERNAME, name: NAME, role: 'ADMIN' }
  await audit(trx).record({ actor: 'system:access', action: 'account.created', object: `account:${id}`, payload })
  return id
}

/**
 * The present administrators. It uses the clock instead of the start of the transaction, which may have waited for the
 * lock.
 */
async function listAdministrators(trx: Transaction<DB>): Promise<{ id: string; enters: boolean }[]> {
  const { rows } = await sql<{ id: string; enters: boolean }>`
    select a.id, a.password_hash is not null or a.identity_subject is not null
      or exists (select from passkey where account_id = a.id) as enters
    from account a where a.active and exists (select from role_grant g where g.account_id = a.id and g.role = 'ADMIN'
      and g.scope_kind is null and g.starts_at <= clock_timestamp() and g.ends_at is null)
    order by a.created_at`.execute(trx)
  return rows
}
