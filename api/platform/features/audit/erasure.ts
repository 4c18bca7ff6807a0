import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { known } from '../../kernel/known.ts'
import { translateViolations, invalid } from '../../people/access/refusals.ts'
import { isAdministrator } from '../../people/access/rights.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { CHIEF_AUDITOR } from './auditors.ts'
import {
  type AboutPerson,
  type ErasureRow,
  lockErasure,
  countAbout,
  insertErasure,
  listErasable,
  eraseDetails,
  refuseErasureRow,
  findErasure,
  findNameOf,
  findLastErasure,
  listErasureRows,
} from './erasure-repository.ts'

/** Maximum requests listed, waiting ones first. */
const MAX_LISTED = 50

/** A request to erase a person's details. */
export interface Erasure {
  id: string
  person: { id: string; name: string }
  reason: string
  askedBy: string
  askedAt: string
  state: ErasureRow['state']
  decidedBy: string | null
  decidedAt: string | null
  refusal: string | null
  /** Number of entries whose details it erased. */
  erased: number | null
}

/** Messages for what the database itself rejects: concurrent requests, and what no service should attempt. */
const refusals = {
  erasure_once_at_a_time: () => new BusinessError('platform.erasure-asked'),
  erasure_is_asked: () => new BusinessError('platform.erasure-decided'),
  erasure_four_eyes: () => new BusinessError('platform.erasure-own'),
  erasure_not_of_oneself: () => new BusinessError('platform.erasure-own'),
  erasure_by_auditor: () => new BusinessError('platform.not-allowed'),
}

/**
 * Erasing a person's details from the audit trail: an administrator requests it, the head of internal audit confirms or
 * refuses. What was done, by which account and when, is kept. The act lists the entries and is sealed like any other.
 */
export interface ErasureContext extends MailDependencies {
  db: Kysely<DB>
}

/** The request, for a person who may decide it: never the one who made it, nor the one it is about. */
async function decidable(trx: Transaction<DB>, person: Person, id: string): Promise<ErasureRow> {
  if (!mayDecide(person)) throw new BusinessError('platform.not-allowed')
  const wish = await lockErasure(trx, id)
  if (!wish) throw new BusinessError('platform.not-found')
  if (wish.state !== 'asked') throw new BusinessError('platform.erasure-decided')
  if ([wish.askedById, wish.personId].includes(person.id)) throw new BusinessError('platform.erasure-own')
  return wish
}

/** Changes a request in one transaction; returns its new state. */
async function inOneGo(
  { db }: ErasureContext,
  id: string,
  act: (trx: Transaction<DB>) => Promise<void>,
): Promise<Erasure> {
  await translateViolations(() => db.transaction().execute((trx) => act(trx)), refusals)
  return told(known(await findErasure(db, id), 'the erasure just changed'))
}

/** How many entries are about a person, and their last request. */
export async function erasableOf(
  { db }: ErasureContext,
  person: Person,
  id: string,
): Promise<AboutPerson & { last: Erasure | null }> {
  if (!isAdministrator(person)) throw new BusinessError('platform.not-allowed')
  if ((await findNameOf(db, id)) === undefined) throw new BusinessError('platform.not-found')
  const [counts, last] = await Promise.all([countAbout(db, id), findLastErasure(db, id)])
  return { ...counts, last: last ? told(last) : null }
}

/** Requests an erasure. The person's name has to be typed, to prevent mistakes. */
export async function askErasure(
  context: ErasureContext,
  person: Person,
  about: string,
  { reason, confirmation }: { reason: string; confirmation: string },
): Promise<Erasure> {
  const { db, library, publicUrl } = context
  if (!isAdministrator(person)) throw new BusinessError('platform.not-allowed')
  const name = await findNameOf(db, about)
  if (name === undefined) throw new BusinessError('platform.not-found')
  if (about === person.id) throw new BusinessError('platform.erasure-own')
  if (confirmation.trim() !== name.trim())
    throw invalid([{ field: '/confirmation', code: 'platform.erasure-name-differs' }])
  const id = uuid()
  return inOneGo(context, id, async (trx) => {
    if ((await countAbout(trx, about)).ended === 0) throw new BusinessError('platform.erasure-nothing')
    await insertErasure(trx, { id, person: about, reason, askedBy: person.id })
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, []) ?? null,
      action: 'erasure.asked',
      object: `account:${about}`,
      payload: { erasure: id, reason },
    })
    await mail(trx, { library, publicUrl }).send({
      to: CHIEF_AUDITOR,
      template: 'platform.mail.erasure-asked',
      values: { person: name, asker: person.name, reason },
      page: '/audit_trail?show=record',
    })
  })
}

/** Waiting requests, and the last decided ones. */
export async function listErasures(
  { db }: ErasureContext,
  person: Person,
): Promise<{ items: Erasure[]; mayDecide: boolean }> {
  return { items: (await listErasureRows(db, MAX_LISTED)).map(told), mayDecide: mayDecide(person) }
}

/** Erases the details irreversibly. */
export async function confirmErasure(context: ErasureContext, person: Person, id: string): Promise<Erasure> {
  return inOneGo(context, id, async (trx) => {
    const wish = await decidable(trx, person, id)
    const entries = await listErasable(trx, wish.personId)
    if (entries.length === 0) throw new BusinessError('platform.erasure-nothing')
    const [act] = await audit(trx).recordAll([
      {
        actor: person.id,
        actedAs: CHIEF_AUDITOR,
        action: 'erasure.confirmed',
        object: `account:${wish.personId}`,
        payload: { erasure: id, askedBy: wish.askedById, reason: wish.reason, entries },
      },
    ])
    await eraseDetails(trx, id, known(act, 'the entry of the erasure'))
  })
}

/** Refuses a request; nothing is erased. */
export async function refuseErasure(
  context: ErasureContext,
  person: Person,
  id: string,
  reason: string,
): Promise<Erasure> {
  return inOneGo(context, id, async (trx) => {
    const wish = await decidable(trx, person, id)
    await refuseErasureRow(trx, id, person.id, reason)
    await audit(trx).record({
      actor: person.id,
      actedAs: CHIEF_AUDITOR,
      action: 'erasure.refused',
      object: `account:${wish.personId}`,
      payload: { erasure: id, reason },
    })
  })
}

function mayDecide({ grants }: Person): boolean {
  return grants.some(({ role }) => role === CHIEF_AUDITOR)
}

function told({ personId, person, askedById: _asker, askedAt, decidedAt, ...rest }: ErasureRow): Erasure {
  return {
    ...rest,
    person: { id: personId, name: person },
    askedAt: askedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}
