import { type UnitEntry, isOfUnits, refuseUnit, shiftsUnits } from '../access/unit-rules.ts'
import { readUnits } from '../../people/access/units.ts'
import type { Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { v7 as uuid } from 'uuid'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { type RegisterDefinition, at, begun, encryptedNames, isOfCase } from '../../model/definitions/register.ts'
import { type Item, byPeople, caseOf, entered } from '../../records/registers/item.ts'
import { refuseWrong } from '../../records/registers/refusals.ts'
import type { registers } from '../../records/registers/registers.ts'
import { sealedFields, split } from '../../records/registers/sealed.ts'
import { givePlaces } from '../rows/places.ts'
import { type RegistersContext, writeRegister } from './context.ts'
import { known } from '../../kernel/known.ts'
import { refuseClosed, refuseOwn } from './opening.ts'
import { asOwn, correctsOwn, writesOwn } from './own.ts'
import { refuseElsewhere } from './places.ts'
import { tellCases } from './tell-cases.ts'
import { type ItemView, definitionOf, findSeen, itemView } from './views.ts'

/** Changes an entry. The person needs the right on the old and the new content, and must know the current version. */
async function changeOnVersion(
  context: RegistersContext,
  person: Person,
  register: string,
  id: string,
  version: number | undefined,
  wanted: { data?: JsonObject; status?: string },
  act: (own: ReturnType<typeof registers>, current: Item, data: JsonObject, trx: Transaction<DB>) => Promise<Item>,
): Promise<ItemView> {
  const definition = definitionOf(context, register)
  if (wanted.data && definition.fixed && !definition.corrected) throw new BusinessError('platform.not-allowed')
  return writeRegister(context, register, async (own, trx, shifted) => {
    const current = await own.lock(register, id)
    if (wanted.data) refuseWrong(uncorrectable(definition, current.data, wanted.data))
    const written = caseOf(definition, current.data)
    if (written !== null) throw new BusinessError('platform.item-of-case', { case: written })
    const units = await readUnits(trx)
    const becomes = wanted.data ? { data: await asOwn(trx, person, definition, wanted.data) } : wanted
    const contents = [current, ...(becomes.data ? [{ ...current, data: becomes.data }] : [])]
    const owned = await Promise.all(contents.map(({ data }) => writesOwn(trx, person, definition, data)))
    const corrects = wanted.data ? await correctsOwn(trx, person, definition, current) : null
    if (wanted.data && corrects) refuseWrong(otherThan(corrects, current.data, wanted.data))
    else if (!becomes.data || owned.includes(false)) {
      findSeen(context, person, register)
      await refuseElsewhere(trx, person, definition, contents)
    }
    if (version !== undefined) refuseOther(current, version)
    const after: UnitEntry = { id, data: current.data, status: current.status, ...becomes }
    if (isOfUnits(register)) await refuseUnit(trx, person, register, { before: current, after, units })
    const changed = await act(own, current, after.data, trx)
    await givePlaces(trx, id)
    await tellCases(context.library, trx, changed, person.id)
    if (isOfUnits(register) && shiftsUnits(register, current, changed)) shifted()
    return itemView(context, trx, person, definition, changed, becomes.data ? 'written' : 'left-out')
  })
}

/** Fields of a fixed register that this change has and people may not correct. */
function uncorrectable({ fixed, corrected = [] }: RegisterDefinition, before: JsonObject, after: JsonObject) {
  return fixed ? otherThan(corrected, before, after) : []
}

/** The errors of fields that a change has besides these. */
function otherThan(corrected: readonly string[], before: JsonObject, after: JsonObject) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => `/${name}`)
  return names
    .filter((field) => !corrected.includes(field) && !isDeepStrictEqual(at(before, field), at(after, field)))
    .map((field) => ({ index: 0, field, code: 'platform.item-fixed' }))
}

export async function createItem(
  context: RegistersContext,
  person: Person,
  register: string,
  given: JsonObject,
  status?: string,
): Promise<ItemView> {
  const definition = definitionOf(context, register)
  if (definition.fixed) throw new BusinessError('platform.not-allowed')
  // The other statuses of `begins` are for imports, of those who were there before.
  const beginning = definition.begins?.slice(0, 1) ?? definition.byHand
  if (status !== undefined) refuseStatusOfCase({ ...definition, ...(beginning && { byHand: beginning }) }, status)
  return writeRegister(context, register, async (own, trx, shifted) => {
    const units = await readUnits(trx)
    const begins = status ?? begun(definition)
    const whole = await asOwn(trx, person, definition, given)
    const { plain: data, secret } = await sealing(context, own, trx, person, { register, definition, data: whole })
    if (status !== undefined || !(await writesOwn(trx, person, definition, data))) {
      findSeen(context, person, register)
      await refuseElsewhere(trx, person, definition, [{ data }])
    }
    if (isOfUnits(register)) await refuseUnit(trx, person, register, { after: { id: '', status: begins, data }, units })
    const made = await own.create(register, data, person.id, { status: begins })
    if (secret) await seal(context, trx, made, secret)
    if (isOfUnits(register) && shiftsUnits(register, undefined, made)) shifted()
    return itemView(context, trx, person, definition, made, 'written')
  })
}

/** Replaces the data; `version` is the one that the person has read. */
export async function changeItem(
  context: RegistersContext,
  person: Person,
  register: string,
  id: string,
  version: number,
  data: JsonObject,
): Promise<ItemView> {
  const definition = definitionOf(context, register)
  return changeOnVersion(context, person, register, id, version, { data }, async (own, current, after, trx) => {
    const { plain, secret } = await sealing(context, own, trx, person, { register, definition, data: after, current })
    const gone = Object.fromEntries(Object.keys(current.data).map((field) => [field, null]))
    const changed = await own.change(current, { ...gone, ...plain }, person.id)
    if (secret) await seal(context, trx, changed, secret)
    return (await context.afterChange?.get(register)?.(trx, changed, secret ?? {})) ?? changed
  })
}

export async function setItemStatus(
  context: RegistersContext,
  person: Person,
  register: string,
  id: string,
  version: number | undefined,
  status: string,
): Promise<ItemView> {
  const definition = findSeen(context, person, register)
  refuseStatusOfCase(definition, status)
  return changeOnVersion(context, person, register, id, version, { status }, async (own, current, _, trx) => {
    if (definition.sealed) await refuseClosed(trx, person, definition, current)
    if (definition.held?.includes(current.status)) throw new BusinessError('platform.status-of-case')
    return own.setStatus(current, status, person.id)
  })
}

/**
 * What is stored of an entry, and what is encrypted apart from it. Its writer has opened the record that it is about,
 * both before and after, and all of it is checked here, because what stores the rest does not know the secret. Encrypted
 * fields that are not given stay as they are; null erases them, so that nobody erases what they have not read.
 */
async function sealing(
  { fieldKeys }: RegistersContext,
  own: ReturnType<typeof registers>,
  trx: Transaction<DB>,
  person: Person,
  entry: { register: string; definition: RegisterDefinition; data: JsonObject; current?: Item },
): Promise<{ plain: JsonObject; secret?: JsonObject }> {
  const { register, definition, data, current } = entry
  const { sealed } = definition
  if (!sealed) return { plain: data }
  if (!fieldKeys) throw new BusinessError('platform.not-allowed')
  const id = current?.id ?? uuid()
  // A new record has no secrets yet; what is written about somebody needs theirs to be open.
  if (current) await refuseClosed(trx, person, definition, current)
  if (sealed.about !== undefined) await refuseClosed(trx, person, definition, { id, data })
  await refuseOwn(trx, person, definition, { id, data })
  const before = current && (await sealedFields(trx, fieldKeys).read(register, [id])).get(id)
  // What only steps write is never what a person has sent, and stays as it was.
  const written = byPeople(definition, data, person.id)
  const whole = entered(definition, withoutErased(definition, { ...before, ...written }))
  refuseWrong(await own.examine(register, [{ id, data: whole }], { whole: true }))
  const { plain, secret } = split(definition, whole)
  return { plain, secret }
}

/** Data without the encrypted fields that are null. */
function withoutErased({ item }: RegisterDefinition, data: JsonObject): JsonObject {
  const names = new Set(encryptedNames(item))
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => value !== null || !names.has(name)))
}

async function seal({ fieldKeys }: RegistersContext, trx: Transaction<DB>, item: Item, secret: JsonObject) {
  await sealedFields(trx, known(fieldKeys, 'the keys of encrypted fields')).write(item, secret)
}

function refuseOther(current: Item, version: number): void {
  if (current.version !== version) throw new BusinessError('platform.changed-meanwhile')
}

/** People set only some statuses of entries that cases lead. */
function refuseStatusOfCase(definition: Pick<RegisterDefinition, 'statuses' | 'byHand'>, status: string): void {
  if (isOfCase(definition, status)) throw new BusinessError('platform.status-of-case')
}
