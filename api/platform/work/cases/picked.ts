import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { DeskAllocation, Manifest } from '../../model/definitions/manifest.ts'
import { at, textAt } from '../../model/definitions/register.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { wordsOf } from '../../model/library/words.ts'
import { type Span, allocations } from '../allocations/allocations.ts'
import { kept } from '../allocations/allocation-row.ts'
import { lockItems } from '../allocations/case-slots.ts'
import { claimSlot } from '../allocations/slots.ts'
import type { CaseRow } from '../rows/cases.ts'
import type { CasesContext } from './context.ts'
import { CURRENT, type WantedSlot, slotsWanted } from './sent.ts'

type Picking = Pick<CaseRow, 'id' | 'data' | 'facts' | 'requester_id'>

/** The slots of the entries that a form picks for a case, with the minutes that are kept free around them. */
async function slotsPicked(
  { assigns = [] }: Pick<Manifest, 'assigns'>,
  { row, form, data }: { row: Picking; form: string; data: JsonObject },
): Promise<WantedSlot[]> {
  const picked = assigns.filter((one) => one.form === form && at(data, one.item) !== undefined)
  const slots = await slotsWanted(picked, data, { current: row.data })
  return slots.map((slot) => ({ ...slot, ...minutesAround(picked, slot.path, row.facts) }))
}

function minutesAround(picked: readonly DeskAllocation[], path: string, facts: JsonObject) {
  const one = picked.find(({ item }) => item === path)
  const minutes = (given: number | string = 0) => (typeof given === 'number' ? given : Number(facts[given] ?? 0))
  return { before: minutes(one?.before), after: minutes(one?.after) }
}

/**
 * Claims the entries that an answer at a desk picks. They go with the answer: the database releases them once it is
 * void. Throws, at its field, what is taken already.
 */
export async function claimPicked(
  trx: Transaction<DB>,
  manifest: Manifest,
  { submissionId, ...picking }: { row: Picking; form: string; data: JsonObject; submissionId: string },
): Promise<void> {
  for (const slot of await slotsPicked(manifest, picking)) {
    const { id } = await claimAtField(trx, { ...slot, holder: picking.row.requester_id, caseId: picking.row.id })
    await trx
      .updateTable('allocation')
      .set({ submission_id: submissionId })
      .where((row) => row.or([row('id', '=', id), row('main_id', '=', id)]))
      .execute()
  }
}

/**
 * Claims the entries that an act picks, to replace those that the case has: for as long as it has these, and from now
 * on if that time has begun. Throws, at its field, what is taken already.
 */
export async function movePicked(
  trx: Transaction<DB>,
  manifest: Manifest,
  { now, ...picking }: { row: Picking; form: string; data: JsonObject; now: Date },
): Promise<void> {
  const slots = await slotsPicked(manifest, picking)
  if (slots.length === 0) return
  const { id: caseId, requester_id: holder } = picking.row
  const had = await spanOf(trx, caseId)
  await lockItems(
    trx,
    slots.map(({ item }) => item),
  )
  for (const slot of slots) {
    const rest = restOf({ ...slot, booked: had ?? slot.booked }, now)
    await claimAtField(trx, { ...rest, holder, caseId, purpose: 'move' })
  }
}

/** What is left of a time; once it has begun, nothing is kept free before it. */
function restOf<T extends { booked: Span }>(slot: T, now: Date): T {
  const { booked } = slot
  const hasBegun = Date.parse(booked.from) < +now && +now < Date.parse(booked.until)
  return hasBegun ? { ...slot, booked: { ...booked, from: now.toISOString() }, before: 0 } : slot
}

/** An entry that a form cannot pick, with the reason in words. */
export interface Unavailable {
  field: string
  item: string
  why: string
}

/** The entries that a form cannot pick for a case: those of others in its time, and those that its rules reject. */
export async function unavailableFor(
  { db, definitions, rules, clock }: Pick<CasesContext, 'db' | 'definitions' | 'rules' | 'clock'>,
  row: CaseRow,
  { key: form, schema }: FrozenForm,
  words: ReturnType<typeof wordsOf>,
): Promise<Unavailable[]> {
  const { manifest } = await definitions.get(row.process_definition_id)
  const fields = manifest.assigns?.filter((one) => one.form === form) ?? []
  if (fields.length === 0) return []
  return db.transaction().execute(async (trx) => {
    const had = await spanOf(trx, row.id)
    const taken = fields.map(async ({ item: field, from, until, code }) => {
      const register = schema.properties?.[field.slice(1)]?.['x-register']
      const booked = had ?? {
        from: textAt(row.data, from.replace(CURRENT, '')),
        until: textAt(row.data, until.replace(CURRENT, '')),
      }
      if (register === undefined || booked.from === undefined || booked.until === undefined) return []
      const span = { from: booked.from, until: booked.until }
      const during = kept(restOf({ booked: span, ...minutesAround(fields, field, row.facts) }, clock()))
      const ids = await itemIds(trx, register)
      const occupied = await allocations(trx).occupied(ids, during, { caseId: row.id })
      return [...new Set(occupied.map(({ item }) => item))].map((item) => ({ field, item, why: words.text(code) }))
    })
    const own = await rules.get(row.flow)?.unfit?.({ trx, form, caseId: row.id, current: row.data })
    const unfit = own?.map(({ field, item, code, values }) => ({ field, item, why: words.text(code, values) })) ?? []
    return [...(await Promise.all(taken)).flat(), ...unfit]
  })
}

async function itemIds(trx: Transaction<DB>, register: string): Promise<string[]> {
  const rows = await trx.selectFrom('register_item').select('id').where('register', '=', register).execute()
  return rows.map(({ id }) => id)
}

/** The time for which a case has its entries; undefined if it has none. */
async function spanOf(trx: Transaction<DB>, caseId: string): Promise<Span | undefined> {
  const { rows } = await sql<{ from: Date | null; until: Date | null }>`
    select min(lower(booked)) as "from", max(upper(booked)) as until from allocation
    where case_id = ${caseId} and purpose = 'booking' and state <> 'released'`.execute(trx)
  const [{ from, until } = { from: null, until: null }] = rows
  return from && until ? { from: from.toISOString(), until: until.toISOString() } : undefined
}

/** Claims an entry; if it is taken, the error is at the field that names it. */
async function claimAtField(trx: Transaction<DB>, wanted: Parameters<typeof claimSlot>[1]) {
  try {
    return await claimSlot(trx, wanted)
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    const { code, values } = error
    throw new BusinessError('platform.form-invalid', {}, [{ field: wanted.path, code, values }])
  }
}
