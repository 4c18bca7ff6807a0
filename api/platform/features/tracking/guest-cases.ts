import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { caseRepository } from '../../work/rows/cases.ts'
import type { Begun } from '../../work/cases/begin.ts'
import type { Cases } from '../../work/cases/service.ts'
import { announce } from '../../kernel/db/changed.ts'
import { commandRepository } from '../../work/rows/commands.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { NO_ACCOUNT, once } from '../../kernel/db/idempotency.ts'
import { createAccount, tidyName } from '../../people/identity/accounts.ts'
import { type LinkDependencies, passwordLinks } from '../../people/identity/password-links.ts'
import { type Described, describedBy, accountOf, confirmAddress } from '../../people/identity/temporary-accounts.ts'
import { throttle } from '../../people/identity/throttle.ts'
import type { Vault } from '../../kernel/keys.ts'
import { trackingLetters } from '../../work/guests/letters.ts'
import { trackingRepository } from '../../work/guests/repository.ts'
import { hashOf, trackingSecrets } from '../../work/guests/secrets.ts'
import { confirmation, continueCases } from '../../work/guests/waiting.ts'
import { waitingTasks } from '../../work/cases/waiting.ts'

/** Minimum response time in milliseconds, so that timing does not reveal whether the server found a person. */
const MIN_RESPONSE_MS = 1000

/**
 * Cases of people who have not signed in. Account, entry, case, slots and mails are one transaction. Nothing reveals
 * whether an NIC belongs to a known person: answers, errors and timing are the same, and mails go to the address that
 * the university has. The case waits until the link in that mail has been used.
 */
export interface GuestCaseDependencies extends LinkDependencies {
  db: Kysely<DB>
  definitions: Definitions
  cases: Pick<Cases, 'beginForGuest' | 'checkKnown' | 'deliver'>
  sender: Pick<Sender, 'deliver'>
  vault: Vault
}

/** A request by a person without an account. */
export interface GuestRequest {
  flow: string
  data: unknown
  /** Data of the form for temporary accounts. */
  account: unknown
  /** Chosen by the sender: the same key with the same request begins only one case. */
  key?: string
}

/** The response to the guest; it is the same for known and unknown people. */
export interface GuestCase {
  reference: string
  /** The id that the flow's rules derive for people, if any. */
  reservationId: string | null
  trackingSecret: string
  /** When the mailed link expires. */
  expiresAt: string
  /** The typed address, masked. */
  emailedTo: string
}

/** The response to the confirmation. */
export interface ConfirmedCase {
  reference: string
  /** Whether it was already confirmed. */
  repeated: boolean
  /** The desks that have it now; empty until it has reached the first one, and after the last. */
  waitsWith: { name: string; principals: string[]; dueAt: string | null }[]
}

/** What is stored under the key of a guest's request. */
interface Kept extends Begun {
  expiresAt: string
}

/** The person a request describes, and their kind. Throws if the request is not possible, or if there were too many. */
async function admitted({ db, library }: GuestCaseDependencies, { flow, account }: GuestRequest) {
  if (!library.flows.get(flow)?.manifest.public) throw new BusinessError('platform.not-found')
  const described = ofAccount(() => describedBy(library, account))
  // Limits the mails that others can cause by booking in somebody's name. It counts by what was typed, whether or not
  // the person is known.
  const named = [described.nic, described.employee_id, described.email].filter((one) => one !== undefined)
  const sent = named.map((one) => ({ kind: 'guest', of: tidyName(one) }) as const)
  if ((await throttle(db).level(sent)) > 0) throw new BusinessError('platform.too-many-requests')
  return { described, sent }
}

async function submitOnce(
  context: GuestCaseDependencies,
  session: string | undefined,
  asked: GuestRequest,
  language: Language,
): Promise<GuestCase> {
  const { db, cases } = context
  const { flow, data, key } = asked
  const { described, sent } = await admitted(context, asked)
  // Limits how often one can probe other people's addresses, even with a known NIC.
  const counted = [{ kind: 'guest-address', of: tidyName(described.email) } as const]
  const anyTaken = (await throttle(db).level(counted)) > 0
  const guest = session ?? NO_ACCOUNT
  const act = (trx: Transaction<DB>) =>
    beginGuestCase(context, trx, { flow, data, guest }, described, { language, anyTaken })
  try {
    const { result, repeated } = await db.transaction().execute(async (trx) => {
      if (key === undefined) return { result: await act(trx), repeated: false }
      const repeatable = { accountId: NO_ACCOUNT, key: `${guest} ${key}`, request: { flow, data, described } }
      return once(trx, repeatable, () => act(trx))
    })
    if (!repeated) await throttle(db).note(sent)
    await cases.deliver(result, { announced: repeated })
    return await answer(context, result, described)
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'platform.email-taken') await throttle(db).note(counted)
    throw error
  }
}

async function beginGuestCase(
  { cases, vault, library, publicUrl }: GuestCaseDependencies,
  trx: Transaction<DB>,
  wanted: { flow: string; data: unknown; guest: string },
  described: Described,
  how: { language: Language; anyTaken: boolean },
): Promise<Kept> {
  const { id: requesterId } = await accountOf(trx, library, described, how).catch((error: unknown) => {
    throw error instanceof BusinessError ? underAccount(error) : error
  })
  const begun = await cases.beginForGuest(trx, { ...wanted, requesterId })
  const { caseId } = begun
  const token = randomBytes(32).toString('base64url')
  const secret = trackingSecrets(vault).secretOf(caseId)
  const expires = await trackingRepository(trx).add(caseId, hashOf(secret), hashOf(token))
  const { reference, flow, subject } = await caseRepository(trx).get(caseId)
  const { language } = await trx
    .selectFrom('account')
    .select('language')
    .where('id', '=', requesterId)
    .executeTakeFirstOrThrow()
  const of = { reference, flow, subject, requesterId, language }
  await trackingLetters(trx, { library, publicUrl }).askForConfirmation(of, secret, token, expires)
  return { ...begun, expiresAt: expires.toISOString() }
}

async function answer(
  { db, vault }: GuestCaseDependencies,
  { caseId, reference, expiresAt }: Kept,
  { email }: Described,
): Promise<GuestCase> {
  const { facts } = await caseRepository(db).get(caseId)
  const given = isObject(facts) ? facts['reservationId'] : undefined
  const reservationId = typeof given === 'string' ? given : null
  const trackingSecret = trackingSecrets(vault).secretOf(caseId)
  return { reference, reservationId, trackingSecret, expiresAt, emailedTo: masked(email) }
}

/**
 * Throws why a case would be rejected, without creating one. It looks nobody up, so that the answer cannot reveal
 * anything about an address or NIC. Only a request that sends a mail may do that.
 */
export async function checkGuestCase(
  context: GuestCaseDependencies,
  session: string | undefined,
  asked: GuestRequest,
): Promise<void> {
  const { db, cases } = context
  await admitted(context, asked)
  const { flow, data } = asked
  const undone = new Error('the check is over')
  await db
    .transaction()
    .execute(async (trx) => {
      const nobody = randomUUID()
      const requesterId = await createAccount(trx, {
        username: nobody,
        email: `${nobody}@check.invalid`,
        name: '',
      })
      await cases.beginForGuest(trx, { flow, data, requesterId, guest: session ?? NO_ACCOUNT })
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
}

/** Begins a case for a person who has not signed in, and takes over the holds of their session. */
export async function submitGuestCase(
  context: GuestCaseDependencies,
  session: string | undefined,
  asked: GuestRequest,
  language: Language,
): Promise<GuestCase> {
  const [done] = await Promise.allSettled([submitOnce(context, session, asked, language), wait(MIN_RESPONSE_MS)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/**
 * Confirms a guest's case with the mailed link. A used link gives the same answer as at first; one that has expired, or
 * whose case is over, says so. The flow's rules are checked again with the known person; what they reject stays
 * unconfirmed.
 */
export async function confirmGuestCase(
  context: GuestCaseDependencies,
  token: string,
  language: Language,
): Promise<ConfirmedCase> {
  const { db, definitions, cases, sender, library, publicUrl, identity } = context
  const tooLate = new BusinessError('platform.confirmation-too-late')
  const { found, commandId } = await db.transaction().execute(async (trx) => {
    const tracking = trackingRepository(trx)
    const row = await tracking.lockByConfirmation(hashOf(token))
    if (!row) throw new BusinessError('platform.confirmation-unknown')
    if (row.confirmed) return { found: row }
    if (row.late || row.over) throw tooLate
    const { caseId, requesterId } = row
    await tracking.setConfirmed(caseId, true)
    await cases.checkKnown(trx, caseId)
    const { withoutPassword } = await confirmAddress(trx, requesterId)
    // The address works, so mail the link to set a password too.
    if (withoutPassword) await passwordLinks(trx, { library, publicUrl, identity }).sendToAllLater([requesterId])
    await audit(trx).record({
      actor: requesterId,
      actedAs: 'mailed link',
      action: 'case.confirmed',
      caseId,
      object: `case:${caseId}`,
      payload: {},
    })
    const command = await commandRepository(trx).add({ ...confirmation, caseId, actingUser: requesterId })
    await continueCases(trx, definitions, requesterId, { taken: 'waits' })
    return { found: row, commandId: command }
  })
  const { caseId, requesterId, reference } = found
  if (commandId !== undefined) {
    if ((await sender.deliver({ id: commandId })) === 'refused') {
      await trackingRepository(db).setConfirmed(caseId, false)
      throw tooLate
    }
    await announce(db, { principals: [`user:${requesterId}`], cases: [caseId], tasks: [] })
  }
  const desks = (await waitingTasks(context, [caseId], language)).get(caseId) ?? []
  const waitsWith = desks.map(({ name, principals, dueAt }) => ({ name, principals, dueAt }))
  return { reference, repeated: commandId === undefined, waitsWith }
}

/** Reports errors of the account at their place in the request. */
function ofAccount<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof BusinessError ? underAccount(error) : error
  }
}

function underAccount({ code, values, fields }: BusinessError): BusinessError {
  return new BusinessError(
    code,
    values,
    fields.map((one) => ({ ...one, field: `/account${one.field}` })),
  )
}

/** `n•••@example.lk`: enough for the sender to notice a typing error. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`
}
