import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { isAdministratorLeft } from '../../people/access/grant-rows.ts'
import { beginAccessChange, settleAccess } from '../../work/access/settle.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { OfferDependencies } from '../../work/offers/offers.ts'
import type { Library } from '../../model/library/library.ts'
import { cleanName } from '../../kernel/formats.ts'
import { createAccount, isNameTaken } from '../../people/identity/accounts.ts'
import { clearOut } from '../../people/identity/clear-out.ts'
import type { IdentityClaims } from '../../people/identity/oidc.ts'

export interface ExternalAccountDependencies {
  db: Kysely<DB>
  library: Pick<Library, 'roles' | 'unitRoles' | 'roleAliases'>
  offers: OfferDependencies
}

/** Actor of audit entries for changes by the identity server. */
const ACTOR = 'system:identity-server'

/* Accounts of people from the identity server, and the roles it reports for them. */

/** The person's account: already bound, with their confirmed address, or new. */
async function findOrMake(trx: Transaction<DB>, told: IdentityClaims): Promise<string> {
  const columns = ['id', 'active', 'identity_subject', 'email_confirmed_at'] as const
  const bound = await trx
    .selectFrom('account')
    .select(columns)
    .where('identity_subject', '=', told.subject)
    .executeTakeFirst()
  if (bound) return openOnly(bound)
  if (told.email === undefined || !told.emailVerified) throw new BusinessError('platform.identity-unverified')
  const known = await trx
    .selectFrom('account')
    .select(columns)
    .where('email', '=', told.email)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return makeAccount(trx, told, told.email)
  // Another request of the same person has bound it meanwhile.
  if (known.identity_subject === told.subject) return openOnly(known)
  // An address can pass from one person to another.
  if (known.identity_subject !== null) throw new BusinessError('platform.identity-taken')
  openOnly(known)
  await bind(trx, known.id, { told, wasConfirmed: known.email_confirmed_at !== null })
  return known.id
}

async function bind(
  trx: Transaction<DB>,
  id: string,
  { told, wasConfirmed }: { told: IdentityClaims; wasConfirmed: boolean },
): Promise<void> {
  await trx
    .updateTable('account')
    .set({ identity_subject: told.subject, email_confirmed_at: sql`coalesce(email_confirmed_at, now())` })
    .$if(!wasConfirmed, (query) => query.set({ password_hash: null }))
    .where('id', '=', id)
    .execute()
  if (!wasConfirmed) {
    // Anybody could have created the account with this address, so end their access.
    await clearOut(trx, id, { by: ACTOR, reason: 'the account was bound to the identity server' })
  }
  const payload = { subject: told.subject, wasConfirmed }
  await audit(trx).record({ actor: ACTOR, action: 'account.bound', object: `account:${id}`, payload })
}

async function makeAccount(trx: Transaction<DB>, told: IdentityClaims, email: string): Promise<string> {
  const wanted = cleanName(told.username)
  const username = wanted === '' || (await isNameTaken(trx, wanted)) ? email : wanted
  // The identity server cannot be asked to correct a name, so remove characters that names cannot have.
  const name = cleanName(told.name) || username
  const id = await createAccount(trx, { username, name, email })
  await trx
    .updateTable('account')
    .set({ identity_subject: told.subject, email_confirmed_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  const payload = { username, name, subject: told.subject }
  await audit(trx).record({ actor: ACTOR, action: 'account.created', object: `account:${id}`, payload })
  return id
}

/** The changes that bring the account's grants in line with the token; see docs/decisions. */
async function difference(trx: Kysely<DB>, accountId: string, roles: ReadonlySet<string>) {
  const grants = await trx
    .selectFrom('role_grant')
    .select(['id', 'role', 'scope_kind', 'origin', 'starts_at'])
    .select(sql<boolean>`starts_at <= now()`.as('begun'))
    .where('account_id', '=', accountId)
    // A grant at a unit counts even after it ended: the token must not replace it with a wider one.
    .where((eb) =>
      eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`), eb('scope_kind', 'is not', null)]),
    )
    .orderBy('starts_at')
    .execute()
  const own = grants.filter(({ origin }) => origin !== 'token')
  const held = new Set(own.filter(({ begun, scope_kind }) => begun || scope_kind !== null).map(({ role }) => role))
  const wanted = [...roles].filter((role) => !held.has(role))
  const byToken = grants.filter(({ origin }) => origin === 'token')
  return {
    add: wanted
      .filter((role) => !byToken.some((grant) => grant.role === role))
      // The token's grant ends when a grant given here begins.
      .map((role) => ({ role, until: own.find((grant) => grant.role === role)?.starts_at ?? null })),
    end: byToken.filter(({ role }) => !wanted.includes(role)),
  }
}

async function bringInLine(
  { library, db, offers }: ExternalAccountDependencies,
  accountId: string,
  told: IdentityClaims,
): Promise<void> {
  const roles = new Set(
    told.roles
      .map((name) => library.roleAliases.get(name) ?? name)
      .filter((role) => library.roles.has(role) && !library.unitRoles.has(role)),
  )
  const heard = (trx: Kysely<DB>) =>
    trx
      .updateTable('account')
      .set({ identity_told_at: told.issuedAt })
      .where('id', '=', accountId)
      .where((eb) => eb.or([eb('identity_told_at', 'is', null), eb('identity_told_at', '<=', told.issuedAt)]))
      .executeTakeFirst()
  const { add, end } = await difference(db, accountId, roles)
  if (add.length + end.length === 0) return void (await heard(db))

  const settled = await db.transaction().execute(async (trx) => {
    await beginAccessChange(trx)
    // A token that is older than the last one must not restore a role that was taken away since.
    if ((await heard(trx)).numUpdatedRows === 0n) return undefined
    const change = await difference(trx, accountId, roles)
    for (const { role, until } of change.add) await give(trx, accountId, { role, until })
    for (const { id, role } of change.end)
      if (role !== 'ADMIN' || (await isAdministratorLeft(trx, { grants: [id] })))
        await take(trx, accountId, { id, role })
    const principals = [...change.add, ...change.end].map(({ role }) => role)
    return settleAccess(trx, { accounts: [accountId], principals }, offers)
  })
  if (settled) await announce(db, settled)
}

/**
 * The account of a person from the identity server, with its roles updated. Throws if the address is not confirmed
 * there or belongs to another person here, or if the account is closed.
 */
export async function resolveExternalAccount(
  context: ExternalAccountDependencies,
  told: IdentityClaims,
): Promise<string> {
  const { db } = context
  const look = () => db.transaction().execute((trx) => findOrMake(trx, told))
  const accountId = await look().catch((error: unknown) => {
    // Another request of the same person has just created it.
    if (error instanceof BusinessError && error.code === 'platform.account-taken') return look()
    throw error
  })
  await bringInLine(context, accountId, told)
  return accountId
}

function openOnly({ id, active }: { id: string; active: boolean }): string {
  if (!active) throw new BusinessError('platform.identity-refused')
  return id
}

async function give(
  trx: Transaction<DB>,
  accountId: string,
  { role, until }: { role: string; until: Date | null },
): Promise<void> {
  const id = uuid()
  await trx
    .insertInto('role_grant')
    .values({
      id,
      account_id: accountId,
      role,
      origin: 'token',
      ends_at: until,
      reason: 'the identity server tells so',
    })
    .execute()
  const payload = { account: accountId, role, origin: 'token' }
  await audit(trx).record({ actor: ACTOR, action: 'grant.given', object: `grant:${id}`, payload })
}

async function take(
  trx: Transaction<DB>,
  accountId: string,
  { id, role }: { id: string; role: string },
): Promise<void> {
  await trx
    .updateTable('role_grant')
    .set({ ends_at: sql`now()`, end_reason: 'the identity server tells so no longer' })
    .where('id', '=', id)
    .execute()
  const payload = { account: accountId, role, origin: 'token' }
  await audit(trx).record({ actor: ACTOR, action: 'grant.ended', object: `grant:${id}`, payload })
}
