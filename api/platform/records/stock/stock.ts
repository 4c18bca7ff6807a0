import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type StockOfBatches, textAt } from '../../model/definitions/register.ts'
import { ledger } from '../ledger/ledger.ts'
import type { Item } from '../registers/item.ts'
import { known } from '../../kernel/known.ts'
import { type Taken, firstExpiredFirst } from './first-expired-first.ts'

/** Why stock moves; each is a kind of ledger entry. */
export type MovementKind = 'received' | 'issued' | 'counted' | 'corrected'

/** A movement of a batch, in units: positive in, negative out. */
export interface Movement {
  kind: MovementKind
  units: number
  reason: string
  by: string | null
}

/** What is counted or corrected of a batch by somebody. */
export interface Adjustment {
  reason: string
  by: string
}

/** Units that leave a batch once a second person confirms it. */
export interface Reduction {
  id: string
  batch: string
  kind: 'counted' | 'corrected'
  units: number
  reason: string
  by: string
  /** Name of who proposed it. */
  name: string
}

/** Units of a thing that somebody wants. */
interface Wanted {
  of: string
  units: number
}

/** Why units are issued, and who does it; `today` decides what has expired. */
interface Issue {
  reason: string
  by: string | null
  today?: string
}

/** What is on hand of a batch. */
export interface Batch {
  id: string
  of: string
  number: string
  expiresOn: string
  status: string
  onHand: number
  /** Those of them that do not wait to be removed. */
  free: number
}

/** A movement as it was posted. */
export interface Posted {
  id: string
  kind: MovementKind
  units: number
  reason: string
  by: string | null
  /** Name of the second person, of what was counted or corrected down. */
  confirmedBy: string | null
  /** Of a reduction that was dropped: nothing moved. */
  dropped: { by: string; reason: string } | null
  at: Date
}

/** What becomes of a reduction; who drops it says why. */
export type Decision = { by: string } & ({ confirmed: true } | { confirmed: false; reason: string })

/** The status of batches that can be issued. */
const USABLE = 'Active'

/** Key of the ledger entry of a reduction, before its id; the database looks for it. */
const REDUCTION_KEY = 'stock-reduction:'

const accountOf = (batch: string, name: 'on-hand' | 'elsewhere') => `stock:${batch}:${name}`

/**
 * Consumable stock by batch, in units on the ledger. No batch falls below zero, what is on hand is the sum of the
 * movements, nothing expired is issued, what expires first goes first, and what is counted or corrected down leaves
 * when a second person confirms it; the database enforces each.
 */
export function stock(trx: Transaction<DB>) {
  return {
    /** Opens the accounts of a new batch, with what is received of it. */
    async open(
      { of, expires }: StockOfBatches,
      batch: Pick<Item, 'id' | 'data'>,
      { units, ...told }: { units: number; reason: string; by: string | null },
    ): Promise<void> {
      await ledger(trx).open(accountOf(batch.id, 'elsewhere'), 'liability', { overdraft: true })
      await trx
        .insertInto('ledger_account')
        .values({
          ...{ id: accountOf(batch.id, 'on-hand'), kind: 'asset', overdraft: false, batch_id: batch.id },
          stock_of: known(textAt(batch.data, of), 'what it is a batch of'),
          expires_on: known(textAt(batch.data, expires), 'the last day of a batch'),
        })
        .execute()
      if (units > 0) await post(trx, [{ id: batch.id, units }], { kind: 'received', ...told })
    },

    /** Adds units to one batch. */
    async receive(batch: string, { units, ...told }: Omit<Movement, 'kind'>): Promise<void> {
      await batchesWhere(trx, { ids: [batch] }, { lock: true })
      await post(trx, [{ id: batch, units }], { kind: 'received', ...told })
    },

    /** Sets what was counted of a batch; nothing moves if that is what is on hand. Fewer units wait as a reduction. */
    count: (batch: string, counted: number, told: Adjustment): Promise<{ waits: boolean }> =>
      adjust(trx, batch, (onHand) => counted - onHand, { kind: 'counted', ...told }),

    /**
     * Corrects what is on hand by some units. Fewer wait as a reduction. Throws `platform.stock-below-zero` if the
     * batch has not that many.
     */
    correct: (batch: string, units: number, told: Adjustment): Promise<{ waits: boolean }> =>
      adjust(trx, batch, () => units, { kind: 'corrected', ...told }),

    /** The reductions of these batches that wait for a second person. */
    reductions: (batches: readonly string[]) => openReductions(trx, batches),

    decide: (batch: string, id: string, decided: Decision): Promise<Reduction> =>
      decideReduction(trx, batch, id, decided),

    /**
     * Issues units that do not wait to be removed, each from the batch that expires first. All of them or none: throws `platform.stock-short` with
     * what is left.
     */
    issue: (wanted: readonly Wanted[], told: Issue): Promise<Taken[]> => issueUnits(trx, wanted, told),

    /** The batches of these things, what expires first first. */
    batches: (of: readonly string[]) => batchesWhere(trx, { of }),

    /** A batch; undefined if it is none. */
    batch: async (id: string) => (await batchesWhere(trx, { ids: [id] }))[0],

    /** The movements of a batch, newest first. */
    movements: (batch: string) => movementsOf(trx, batch),
  }
}

async function issueUnits(
  trx: Transaction<DB>,
  wanted: readonly Wanted[],
  { reason, by, today = dayInColombo(Date.now()) }: Issue,
): Promise<Taken[]> {
  const units = Map.groupBy(wanted, ({ of }) => of)
  await holdItems(trx, [...units.keys()])
  const batches = await batchesWhere(trx, { of: [...units.keys()] })
  const taken = [...units].flatMap(([of, some]) => {
    const asked = some.reduce((sum, one) => sum + one.units, 0)
    const usable = batches.filter((one) => one.of === of && one.status === USABLE)
    const found = firstExpiredFirst(usable, asked, today)
    if ('left' in found) throw new BusinessError('platform.stock-short', { left: found.left, item: of })
    return found.taken
  })
  if (taken.length > 0)
    await post(
      trx,
      taken.map(({ batch, units: some }) => ({ id: batch, units: -some })),
      { kind: 'issued', reason, by },
    )
  return taken
}

/** Adds units at once; fewer wait for a second person. */
async function adjust(
  trx: Transaction<DB>,
  batch: string,
  unitsAt: (onHand: number) => number,
  { kind, reason, by }: Adjustment & Pick<Reduction, 'kind'>,
): Promise<{ waits: boolean }> {
  const [present] = await batchesWhere(trx, { ids: [batch] }, { lock: true })
  const { id, onHand } = known(present, 'the batch')
  const units = unitsAt(onHand)
  // What waits was counted from what was on hand then.
  if ((await openReductions(trx, [id])).length > 0) throw new BusinessError('platform.stock-reduction-waits')
  if (onHand + units < 0) throw new BusinessError('platform.stock-below-zero')
  if (units > 0) await post(trx, [{ id, units }], { kind, reason, by })
  if (units < 0) {
    const reduction = uuid()
    await trx
      .insertInto('stock_reduction')
      .values({ id: reduction, batch_id: id, kind, units: -units, reason, proposed_by: by })
      .execute()
    await audit(trx).record({
      actor: by,
      action: 'stock-reduction.proposed',
      object: `stock-reduction:${reduction}`,
      payload: { batch: id, kind, units: -units, reason },
    })
  }
  return { waits: units < 0 }
}

/**
 * Confirms a reduction of a batch, which takes its units, or drops it for a reason; returns it. Throws `platform.stock-reduction-decided` if it
 * does not wait, and `platform.stock-needs-another` if who proposed it confirms it.
 */
async function decideReduction(trx: Transaction<DB>, batch: string, id: string, decided: Decision): Promise<Reduction> {
  const { confirmed, by } = decided
  const droppedBecause = decided.confirmed ? null : decided.reason
  await batchesWhere(trx, { ids: [batch] }, { lock: true })
  const reduction = (await openReductions(trx, [batch])).find((one) => one.id === id)
  if (!reduction) throw new BusinessError('platform.stock-reduction-decided')
  if (confirmed && reduction.by === by) throw new BusinessError('platform.stock-needs-another')
  await trx
    .updateTable('stock_reduction')
    .set({ confirmed, decided_by: by, decided_at: sql`clock_timestamp()`, dropped_because: droppedBecause })
    .where('id', '=', id)
    .execute()
  const { kind, units, reason } = reduction
  if (confirmed) await post(trx, [{ id: batch, units: -units }], { kind, reason, by, key: `${REDUCTION_KEY}${id}` })
  await audit(trx).record({
    actor: by,
    action: confirmed ? 'stock-reduction.confirmed' : 'stock-reduction.dropped',
    object: `stock-reduction:${id}`,
    payload: { ...{ batch, kind, units, reason, proposedBy: reduction.by }, ...(droppedBecause && { droppedBecause }) },
  })
  return reduction
}

async function openReductions(trx: Transaction<DB>, batches: readonly string[]): Promise<Reduction[]> {
  if (batches.length === 0) return []
  const rows = await trx
    .selectFrom('stock_reduction as r')
    .innerJoin('account as a', 'a.id', 'r.proposed_by')
    .select(['r.id', 'r.batch_id as batch', 'r.kind', 'r.units', 'r.reason', 'r.proposed_by as by', 'a.name'])
    .where('r.batch_id', 'in', [...batches])
    .where('r.decided_at', 'is', null)
    .execute()
  return rows.map(({ kind, units, ...row }) => ({
    ...row,
    kind: kind === 'counted' ? 'counted' : 'corrected',
    units: Number(units),
  }))
}

/** One ledger entry for all movements of a moment. */
async function post(
  trx: Transaction<DB>,
  moved: readonly { id: string; units: number }[],
  { kind, reason, by, key = `stock:${uuid()}` }: Omit<Movement, 'units'> & { key?: string },
): Promise<void> {
  try {
    await ledger(trx).post({
      key,
      kind: `stock-${kind}`,
      memo: reason,
      by,
      // Next to the entry of a prescription the lines would say what its patient gets.
      quiet: true,
      lines: moved.flatMap(({ id, units }) => [
        { account: accountOf(id, 'on-hand'), amount: units },
        { account: accountOf(id, 'elsewhere'), amount: -units },
      ]),
    })
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'platform.ledger-below-zero')
      throw new BusinessError('platform.stock-below-zero')
    throw error
  }
}

/** Two who issue the same thing do it one after the other; in one order, so that they never wait for each other. */
async function holdItems(trx: Transaction<DB>, ids: readonly string[]): Promise<void> {
  await sql`select from register_item where id = any(${[...ids]}::uuid[]) order by id for no key update`.execute(trx)
}

async function batchesWhere(
  trx: Transaction<DB>,
  { of, ids }: { of?: readonly string[]; ids?: readonly string[] },
  { lock = false }: { lock?: boolean } = {},
): Promise<Batch[]> {
  if (lock && ids) {
    const things = await sql<{ stock_of: string }>`
      select stock_of from ledger_account where batch_id = any(${[...ids]}::uuid[])`.execute(trx)
    await holdItems(
      trx,
      things.rows.map((row) => row.stock_of),
    )
  }
  const { rows } = await sql<{
    id: string
    of: string
    number: string
    expires_on: string
    status: string
    balance: string
    free: string
  }>`
    select a.batch_id as id, a.stock_of as of, i.title as number, a.expires_on::text as expires_on, i.status, a.balance,
      a.balance - stock_waiting(a.batch_id) as free
    from ledger_account a join register_item i on i.id = a.batch_id
    where (${of ? [...of] : null}::uuid[] is null or a.stock_of = any(${of ? [...of] : null}::uuid[]))
      and (${ids ? [...ids] : null}::uuid[] is null or a.batch_id = any(${ids ? [...ids] : null}::uuid[]))
    order by a.expires_on, i.title, a.batch_id`.execute(trx)
  return rows.map(({ expires_on: expiresOn, balance, free, ...row }) => ({
    ...{ ...row, expiresOn },
    ...{ onHand: Number(balance), free: Number(free) },
  }))
}

/** What moved a batch, and what was to be removed from it and was not. */
async function movementsOf(trx: Transaction<DB>, batch: string): Promise<Posted[]> {
  const { rows } = await sql<{
    id: string
    kind: string
    amount: string
    memo: string
    name: string | null
    confirmed_by: string | null
    dropped_by: string | null
    dropped_because: string | null
    at: Date
  }>`
    select e.id, e.kind, l.amount, e.memo, coalesce(p.name, a.name) as name,
      case when r.id is not null then a.name end as confirmed_by, null as dropped_by, null as dropped_because, e.at
    from ledger_line l join ledger_entry e on e.id = l.entry_id left join account a on a.id = e.posted_by
      left join stock_reduction r on ${REDUCTION_KEY} || r.id = e.key left join account p on p.id = r.proposed_by
    where l.account_id = ${accountOf(batch, 'on-hand')}
    union all
    select r.id, r.kind, -r.units, r.reason, p.name, null, a.name, r.dropped_because, r.decided_at
    from stock_reduction r join account p on p.id = r.proposed_by join account a on a.id = r.decided_by
    where r.batch_id = ${batch} and not r.confirmed
    order by at desc, id desc limit 200`.execute(trx)
  return rows.map(({ id, kind, amount, memo, name, confirmed_by: confirmedBy, at, ...row }) => ({
    ...{ id, units: Number(amount), reason: memo, by: name, confirmedBy, at },
    dropped: row.dropped_by === null ? null : { by: row.dropped_by, reason: row.dropped_because ?? '' },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this file posts kinds of stock
    kind: kind.replace('stock-', '') as MovementKind,
  }))
}
