import type { Kysely, Transaction } from 'kysely'
import { guestRequester, itemsNamed, refuse, ruleRequester, slotsWanted } from './sent.ts'
import { referencesOf } from '../../model/definitions/named.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Form, Library, Manifest } from '../../model/library/library.ts'
import type { ManifestAllocation } from '../../model/definitions/manifest.ts'
import type { Availability, RuleInput, Rules } from '../../model/deployed/rules.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import { at } from '../../model/definitions/register.ts'
import type { Allocation } from '../allocations/allocations.ts'
import { holdSlot } from '../allocations/slots.ts'
import { kept } from '../allocations/allocation-row.ts'
import { listOccupied } from '../allocations/occupancy.ts'
import { releaseHold } from '../allocations/case-slots.ts'
import { findItem } from '../rows/items.ts'
import { bound } from '../../kernel/bound.ts'

/** A person with an account, or a guest session. A visitor with neither can only check availability. */
type Asker = Person | { guest: string }

interface HoldsDependencies {
  db: Kysely<DB>
  library: Library
  rules: ReadonlyMap<string, Rules>
}

interface Asked {
  flow: string
  data: object
}

/** The flow and its slot; throws if it has none. */
function slotOf(
  { library }: HoldsDependencies,
  { flow }: Asked,
): { manifest: Manifest; form: Form; slot: ManifestAllocation } {
  const manifest = library.flows.get(flow)?.manifest
  const form = manifest && library.forms.get(manifest.start)
  if (!manifest || !form) throw new BusinessError('platform.not-found')
  const slot = manifest.allocations?.[0]
  if (!slot) throw new BusinessError('platform.nothing-to-hold')
  return { manifest, form, slot }
}

/** The fields that are filled and valid. Throws only for the slot's own fields; the others do not matter yet. */
function filledOf({ schema }: Form, slot: ManifestAllocation, sent: object): JsonObject {
  const data = effectiveAnswers(schema, sent)
  const wrong = checkForm(schema, data)
  refuse(wrong.filter(({ field }) => [slot.item, slot.from, slot.until].includes(field)))
  const fits = (name: string) =>
    name in (schema.properties ?? {}) && !wrong.some(({ field }) => `${field}/`.startsWith(`/${name}/`))
  return Object.fromEntries(Object.entries(data).filter(([name]) => fits(name)))
}

/** The input of the flow's rules. Only entries of the field's own register can be booked, so only they can be held. */
async function inputOf(
  trx: Transaction<DB>,
  { schema }: Form,
  slot: ManifestAllocation,
  data: JsonObject,
  who: Asker | undefined,
): Promise<RuleInput> {
  const named = referencesOf(schema, data).find(({ path }) => path === slot.item)
  if (named && !(await findItem(trx, named.register, named.id))) throw new BusinessError('platform.item-unknown')
  const requester =
    who && 'id' in who ? await ruleRequester(trx, who.id) : guestRequester(who && 'guest' in who ? who.guest : '')
  return { data, items: await itemsNamed(trx, schema, data), now: new Date(), requester, trx }
}

export async function holdAskedSlot(context: HoldsDependencies, who: Asker, asked: Asked): Promise<Allocation> {
  const { db, rules } = context
  const { manifest, form, slot } = slotOf(context, asked)
  const may = 'guest' in who ? manifest.public : admitsToStart(who, manifest) !== undefined
  if (!may) throw new BusinessError('platform.not-found')
  const data = filledOf(form, slot, asked.data)
  const [from, until] = [String(at(data, slot.from)), String(at(data, slot.until))]
  if (Date.parse(from) >= Date.parse(until))
    throw new BusinessError('platform.span-empty', {}, [{ field: slot.until, code: 'platform.span-empty' }])
  if (Date.parse(from) < Date.now())
    throw new BusinessError('platform.span-past', {}, [{ field: slot.from, code: 'platform.span-past' }])
  const own = rules.get(asked.flow)
  return db.transaction().execute(async (trx) => {
    const input = await inputOf(trx, form, slot, data, who)
    refuse((await own?.check?.(input)) ?? [])
    const [first] = await slotsWanted([slot], data, { plan: own?.slots?.bind(own, input) })
    const wanted = known(first, 'the slot of the form')
    return holdSlot(trx, { ...wanted, ...('guest' in who ? { guest: who.guest } : { holder: who.id }) })
  })
}

/** Whether a slot can be held and its form sent; if not, the reason and what is free instead. */
async function findAvailability(
  context: HoldsDependencies,
  who: Asker | undefined,
  asked: Asked,
): Promise<Availability> {
  const { db, rules } = context
  const { form, slot } = slotOf(context, asked)
  const data = filledOf(form, slot, asked.data)
  const own = rules.get(asked.flow)
  return db.transaction().execute(async (trx) => {
    const input = await inputOf(trx, form, slot, data, who)
    if (own?.available) return own.available(input)
    const [first] = await slotsWanted([slot], data, {})
    const wanted = known(first, 'the slot of the form')
    const taken = await listOccupied(trx, [wanted.item], kept(wanted), { holder: input.requester.id })
    if (!taken.some(({ exclusive }) => exclusive)) return { free: true }
    return { free: false, field: slot.from, code: slot.code, alternatives: [] }
  })
}

/** Releases the asker's own hold. */
export async function releaseAskedSlot({ db }: HoldsDependencies, who: Asker, id: string): Promise<void> {
  const holder = 'guest' in who ? { guest: who.guest } : { holder: who.id }
  await db.transaction().execute((trx) => releaseHold(trx, id, holder))
}

/**
 * Slots for people who are about to submit. The flow's manifest says which form fields name the slot. The form's schema
 * checks these, and the flow's rules check all that is filled in, before anything is held.
 */
export function holdsService(context: HoldsDependencies) {
  return bound(context, { hold: holdAskedSlot, available: findAvailability, release: releaseAskedSlot })
}
