import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { DeskAllocation, Manifest } from '../../model/definitions/manifest.ts'
import { at, textAt } from '../../model/definitions/register.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { wordsOf } from '../../model/library/words.ts'
import { type Span, allocations } from '../allocations/allocations.ts'
import { kept } from '../allocations/allocation-row.ts'
import { caseHasSlots, lockItems } from '../allocations/case-slots.ts'
import { listKept } from '../allocations/rests.ts'
import { claimSlot } from '../allocations/slots.ts'
import type { CaseRow } from '../rows/cases.ts'
import { itemTitles } from '../rows/items.ts'
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
  return { before: minutes(one?.before), after: minutes(one?.after), ...(one?.mostADay && { mostADay: one.mostADay }) }
}

/**
 * Claims the entries that an answer at a desk picks. They go with the answer: the database releases them once it is
 * void. If the case has entries already, they are to replace these, as an act would. Throws, at its field, what is taken
 * already.
 */
export async function claimPicked(
  trx: Transaction<DB>,
  manifest: Manifest,
  { submissionId, now, ...picking }: { row: Picking; form: string; data: JsonObject; submissionId: string; now: Date },
): Promise<void> {
  const { id: caseId, requester_id: holder } = picking.row
  const had = (await caseHasSlots(trx, caseId, 'booking', { final: true })) ? await spanOf(trx, caseId) : undefined
  for (const slot of await slotsToClaim(trx, manifest, { ...picking, now, had })) {
    const purpose = had ? 'move' : 'booking'
    const { id } = await claimAtField(trx, { ...slot, holder, caseId, purpose })
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
  const { id: caseId, requester_id: holder } = picking.row
  const had = await spanOf(trx, caseId)
  for (const slot of await slotsToClaim(trx, manifest, { ...picking, now, had }))
    await claimAtField(trx, { ...slot, holder, caseId, purpose: 'move' })
}

/** The slots of the entries that a form picks, locked: for the time that the case had, or what is left of it. */
async function slotsToClaim(
  trx: Transaction<DB>,
  manifest: Manifest,
  { now, had, ...picking }: { row: Picking; form: string; data: JsonObject; now: Date; had: Span | undefined },
) {
  const slots = await slotsPicked(manifest, picking)
  if (slots.length === 0) return []
  await lockItems(
    trx,
    slots.map(({ item }) => item),
  )
  return had ? slots.map((slot) => restOf({ ...slot, booked: had }, now)) : slots
}

/** What is left of a time; once it has begun, nothing is kept free before it. */
function restOf<T extends { booked: Span }>(slot: T, now: Date): T {
  const { booked } = slot
  const hasBegun = Date.parse(booked.from) < +now && +now < Date.parse(booked.until)
  return hasBegun ? { ...slot, booked: { ...booked, from: now.toISOString() }, before: 0 } : slot
}

/** An entry that a form cannot pick, or that suits it best, with the reason in words. */
export interface Unavailable {
  field: string
  item: string
  why: string
  suits: boolean
  /** Title of one that suits. */
  title: string | null
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
    const taken = fields.map(async ({ item: field, from, until, code, mostADay }) => {
      const register = schema.properties?.[field.slice(1)]?.['x-register']
      const booked = had ?? {
        from: textAt(row.data, from.replace(CURRENT, '')),
        until: textAt(row.data, until.replace(CURRENT, '')),
      }
      if (register === undefined || booked.from === undefined || booked.until === undefined) return []
      const span = { from: booked.from, until: booked.until }
      const rest = restOf({ booked: span, ...minutesAround(fields, field, row.facts) }, clock())
      const ids = await itemIds(trx, register)
      const occupied = await allocations(trx).occupied(ids, kept(rest), { caseId: row.id })
      const resting = await listKept(trx, ids, { booked: rest.booked, mostADay }, row.id)
      const why = new Map([...resting].map(([item, { code: reason, values }]) => [item, words.told(reason, values)]))
      for (const { item } of occupied) why.set(item, words.text(code))
      return [...why].map(([item, reason]) => ({ field, item, why: reason, suits: false, title: null }))
    })
    const own = await rules.get(row.flow)?.unfit?.({ trx, form, caseId: row.id, current: row.data })
    const titles = await itemTitles(trx, own?.flatMap(({ item, suits }) => (suits ? [item] : [])) ?? [])
    const unfit =
      own?.map(({ field, item, code, values, suits = false }) => ({
        ...{ field, item, suits, title: titles.get(item) ?? null },
        why: words.told(code, values),
      })) ?? []
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
