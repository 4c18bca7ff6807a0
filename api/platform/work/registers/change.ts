import { type UnitEntry, isOfUnits, refuseUnit, shiftsUnits } from '../access/unit-rules.ts'
import { readUnits } from '../../people/access/units.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { type RegisterDefinition, begun, isOfCase } from '../../model/definitions/register.ts'
import type { Item } from '../../records/registers/item.ts'
import { registers } from '../../records/registers/registers.ts'
import { givePlaces } from '../rows/places.ts'
import { type RegistersContext, writeRegister } from './context.ts'
import { asOwn, writesOwn } from './own.ts'
import { refuseElsewhere } from './places.ts'
import { type ItemView, definitionOf, findSeen, itemView } from './views.ts'

/** Changes an entry. The person needs the right on the old and the new content, and must know the current version. */
async function changeOnVersion(
  context: RegistersContext,
  person: Person,
  register: string,
  id: string,
  version: number | undefined,
  wanted: { data?: JsonObject; status?: string },
  act: (own: ReturnType<typeof registers>, current: Item, data: JsonObject) => Promise<Item>,
): Promise<ItemView> {
  const definition = definitionOf(context, register)
  if (wanted.data && definition.fixed) throw new BusinessError('platform.not-allowed')
  return writeRegister(context, register, async (own, trx, shifted) => {
    const current = await own.lock(register, id)
    const units = await readUnits(trx)
    const becomes = wanted.data ? { data: await asOwn(trx, person, definition, wanted.data) } : wanted
    const contents = [current, ...(becomes.data ? [{ ...current, data: becomes.data }] : [])]
    const owned = await Promise.all(contents.map(({ data }) => writesOwn(trx, person, definition, data)))
    if (!becomes.data || owned.includes(false)) {
      findSeen(context, person, register)
      await refuseElsewhere(trx, person, definition, contents)
    }
    if (version !== undefined) refuseOther(current, version)
    const after: UnitEntry = { id, data: current.data, status: current.status, ...becomes }
    if (isOfUnits(register)) await refuseUnit(trx, person, register, { before: current, after, units })
    const changed = await act(own, current, after.data)
    await givePlaces(trx, id)
    if (isOfUnits(register) && shiftsUnits(register, current, changed)) shifted()
    return itemView(context, trx, person, definition, changed, becomes.data ? 'written' : 'left-out')
  })
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
    const data = await asOwn(trx, person, definition, given)
    if (status !== undefined || !(await writesOwn(trx, person, definition, data))) {
      findSeen(context, person, register)
      await refuseElsewhere(trx, person, definition, [{ data }])
    }
    if (isOfUnits(register)) await refuseUnit(trx, person, register, { after: { id: '', status: begins, data }, units })
    const made = await own.create(register, data, person.id, { status: begins })
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
  return changeOnVersion(context, person, register, id, version, { data }, (own, current, after) => {
    const gone = Object.fromEntries(Object.keys(current.data).map((field) => [field, null]))
    return own.change(current, { ...gone, ...after }, person.id)
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
  return changeOnVersion(context, person, register, id, version, { status }, (own, current) => {
    if (definition.held?.includes(current.status)) throw new BusinessError('platform.status-of-case')
    return own.setStatus(current, status, person.id)
  })
}

function refuseOther(current: Item, version: number): void {
  if (current.version !== version) throw new BusinessError('platform.changed-meanwhile')
}

/** People set only some statuses of entries that cases lead. */
function refuseStatusOfCase(definition: Pick<RegisterDefinition, 'statuses' | 'byHand'>, status: string): void {
  if (isOfCase(definition, status)) throw new BusinessError('platform.status-of-case')
}
