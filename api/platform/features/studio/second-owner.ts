import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { translateViolations } from '../../people/access/refusals.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Flow, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import { mail } from '../../records/mail/mail.ts'
import { othersHolding } from '../../records/mail/recipients.ts'
import { FLOW_SCOPE, PROCESS_OWNER, rightBeyondOwners } from '../../people/access/process-owners.ts'
import { ownedFlow } from './content/flow.ts'
import {
  setSecondOwner,
  lockSecondOwner,
  insertWaiver,
  lockWaiver,
  saveWaiverDecision,
} from './second-owner-repository.ts'

interface TellDependencies {
  library: Library
  /** Public address, for mails. */
  publicUrl: string
}

/** Mails the other owners of a flow. */
export async function mailOtherOwners(
  trx: Transaction<DB>,
  { library, publicUrl }: TellDependencies,
  { person, flow: { manifest }, template, ...more }: { person: Person; flow: Flow; template: string; note?: string },
): Promise<void> {
  const to = await othersHolding(trx, [`${PROCESS_OWNER}@${FLOW_SCOPE}:${manifest.process}`], person.id)
  if (to.length === 0) return
  const values = { by: person.name, flow: library.text(manifest.title), ...more }
  const page = `/studio/${manifest.process}`
  await mail(trx, { library, publicUrl }).send({ to, template, values, page })
}

/**
 * Whether releases need the approval of a second owner. Any owner can require it, at once. To waive it again, an
 * administrator asks, and another owner or administrator confirms: a person who could waive it alone could deploy
 * alone.
 */
interface SecondOwnerDependencies extends TellDependencies {
  db: Kysely<DB>
}

/** Audit actions of the decisions. */
const decided = {
  withdrawn: 'model-setting.waiver-withdrawn',
  confirmed: 'model-setting.waiver-confirmed',
  refused: 'model-setting.waiver-refused',
} as const

/** Messages for what the database itself rejects: a waiver requested at the same moment. */
const askedTwice = { second_owner_waiver_one_open: () => new BusinessError('platform.waiver-waits') }

function recordSetting(
  trx: Transaction<DB>,
  person: Person,
  actedAs: string,
  process: string,
  what: { action: string; payload: object },
) {
  return audit(trx).record({ actor: person.id, actedAs, ...what, object: `model:${process}` })
}

/** Requires a second owner. */
export async function askSecondOwner(
  { db, library }: SecondOwnerDependencies,
  person: Person,
  process: string,
): Promise<{ secondOwner: boolean }> {
  const { actedAs } = ownedFlow(library, person, process)
  await db.transaction().execute(async (trx) => {
    if (await needsSecondOwner(trx, process)) return
    await setSecondOwner(trx, process, true)
    await recordSetting(trx, person, actedAs, process, {
      action: 'model-setting.changed',
      payload: { secondOwner: true },
    })
  })
  return { secondOwner: true }
}

/** Requests a waiver; nothing changes until somebody else confirms it. */
export async function askWaiver(
  { db, library, publicUrl }: SecondOwnerDependencies,
  person: Person,
  process: string,
  { reason }: { reason: string },
): Promise<{ id: string }> {
  const { flow } = ownedFlow(library, person, process)
  const actedAs = rightBeyondOwners(person, () => new BusinessError('platform.second-owner-stays'))
  const [id, note] = [uuid(), reason.trim()]
  const ask = async (trx: Transaction<DB>) => {
    if (!(await lockSecondOwner(trx, process))) throw new BusinessError('platform.second-owner-off')
    await insertWaiver(trx, id, process, person.id, note)
    await recordSetting(trx, person, actedAs, process, {
      action: 'model-setting.waiver-asked',
      payload: { waiver: id, reason: note },
    })
    await mailOtherOwners(
      trx,
      { library, publicUrl },
      { person, flow, template: 'platform.mail.second-owner-waiver', note },
    )
  }
  await translateViolations(() => db.transaction().execute(ask), askedTwice)
  return { id }
}

/** Confirms or refuses a waiver; its author can only withdraw it. */
export async function decideWaiver(
  { db, library, publicUrl }: SecondOwnerDependencies,
  person: Person,
  process: string,
  id: string,
  { accept, note }: { accept: boolean; note: string },
): Promise<{ secondOwner: boolean }> {
  const { flow, actedAs } = ownedFlow(library, person, process)
  return db.transaction().execute(async (trx) => {
    await lockSecondOwner(trx, process)
    const waiver = await lockWaiver(trx, process, id)
    if (!waiver) throw new BusinessError('platform.not-found')
    if (waiver.state !== 'waiting') throw new BusinessError('platform.waiver-decided')
    const own = waiver.asked_by === person.id
    if (own && accept) throw new BusinessError('platform.waiver-own')
    const state = own ? 'withdrawn' : accept ? 'confirmed' : 'refused'
    await saveWaiverDecision(trx, id, state, person.id, note.trim())
    const payload = { waiver: id, by: waiver.asked_by, note: note.trim() }
    await recordSetting(trx, person, actedAs, process, { action: decided[state], payload })
    if (!accept) return { secondOwner: true }
    await setSecondOwner(trx, process, false)
    const template = 'platform.mail.second-owner-given-up'
    await mailOtherOwners(trx, { library, publicUrl }, { person, flow, template, note: waiver.reason })
    return { secondOwner: false }
  })
}
