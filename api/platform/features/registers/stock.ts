import { type Kysely, type Transaction, sql } from 'kysely'
import { bound } from '../../kernel/bound.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { once } from '../../kernel/db/idempotency.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { type RegisterDefinition, type StockOfBatches, at, inUse, textAt } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { stockPath } from '../../model/library/paths.ts'
import { invalid, translateViolations } from '../../people/access/refusals.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { othersHolding } from '../../records/mail/recipients.ts'
import type { Item } from '../../records/registers/item.ts'
import type { ItemQuery } from '../../records/registers/read.ts'
import { registers } from '../../records/registers/registers.ts'
import { type Batch, type Decision, type Posted, type Reduction, stock } from '../../records/stock/stock.ts'

interface StockDependencies {
  db: Kysely<DB>
  library: Library
  publicUrl: string
}

/** A thing in stock. */
interface Shelf {
  id: string
  title: string
  /** In use: more of it is received. */
  active: boolean
  /** Text key. */
  unit: string
  /** Below this it is ordered again. */
  least: number
  /** Units that can be issued. */
  usable: number
  batches: (Batch & { expired: boolean; waits: Waiting | null })[]
}

/** A reduction that waits for a second person. */
type Waiting = Pick<Reduction, 'id' | 'units' | 'reason'> & { by: string; mayConfirm: boolean }

/** What is received of a batch. */
interface Receipt {
  item: string
  number: string
  expiresOn: string
  units: number
  reason: string
  key?: string | undefined
}

/** Units of a batch, or of what is in stock. */
interface Moved {
  id: string
  units: number
  reason: string
  key?: string | undefined
}

type StockRegister = RegisterDefinition & { stock: StockOfBatches }

/** Stock by batch, with the rights on the register of its batches. */
export function stockService(dependencies: StockDependencies) {
  return bound(dependencies, {
    list: listStock,
    movements: listMovements,
    receive: receiveBatch,
    count: countBatch,
    correct: correctBatch,
    issue: issueUnits,
    decide: decideReduction,
  })
}

type Right = 'seenBy' | 'changedBy'

/** The register of batches, if the person has the right; 404 if they do not see it. */
function ofBatches({ library }: StockDependencies, person: Person, register: string, right: Right): StockRegister {
  const definition = library.registers.get(register)
  if (!definition?.stock || admits(person, definition.seenBy) === undefined)
    throw new BusinessError('platform.not-found')
  if (admits(person, definition[right]) === undefined) throw new BusinessError('platform.not-allowed')
  return { ...definition, stock: definition.stock }
}

/** The register of what is in stock. */
const things = ({ item, stock: { of } }: StockRegister) =>
  known(item.properties?.[of.slice(1)]?.['x-register'], 'the register of what is in stock')

/** Moves stock once for each key, however often the request is sent. */
function moving<T>(
  { db }: StockDependencies,
  { id: accountId }: Person,
  { key, ...request }: { key?: string | undefined },
  act: (trx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return translateViolations(() =>
    db.transaction().execute(async (trx) => {
      if (key === undefined) return act(trx)
      return (await once(trx, { accountId, key, request }, () => act(trx))).result
    }),
  )
}

async function listStock(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  query: Pick<ItemQuery, 'search' | 'cursor' | 'limit' | 'filters'>,
): Promise<{ items: Shelf[]; next: string | null; mayChange: boolean }> {
  const { db, library } = dependencies
  const definition = ofBatches(dependencies, person, register, 'seenBy')
  const ofThings = known(library.registers.get(things(definition)), 'the register of what is in stock')
  const units = ofThings.item.properties?.[definition.stock.unit.slice(1)]?.oneOf ?? []
  const unitOf = (data: JsonObject) => {
    const value = textAt(data, definition.stock.unit) ?? ''
    return units.find((one) => one.const === value)?.title ?? value
  }
  const today = dayInColombo(Date.now())
  return db.transaction().execute(async (trx) => {
    // What is out of use is listed until nothing of it is left.
    const also = sql<boolean>`(register_item.status = ${inUse(ofThings)} or exists (
      select from ledger_account a where a.stock_of = register_item.id and a.balance > 0))`
    const page = await registers(trx, library).list(things(definition), { ...query, also })
    const batches = await stock(trx).batches(page.items.map(({ id }) => id))
    const mayChange = admits(person, definition.changedBy) !== undefined
    const waiting = await waitingOf(trx, batches, (by) => mayChange && by !== person.id)
    return {
      items: page.items.map((item) =>
        shelfOf(
          definition.stock,
          { unit: unitOf(item.data), active: item.status === inUse(ofThings), item },
          { batches, waiting, today },
        ),
      ),
      next: page.next,
      mayChange,
    }
  })
}

/** What waits for a second person, by batch. */
async function waitingOf(
  trx: Transaction<DB>,
  batches: readonly Batch[],
  mayConfirm: (by: string) => boolean,
): Promise<Map<string, Waiting>> {
  const found = await stock(trx).reductions(batches.map(({ id }) => id))
  return new Map(
    found.map(({ id, batch, units, reason, by, name }) => [
      batch,
      { id, units, reason, by: name, mayConfirm: mayConfirm(by) },
    ]),
  )
}

async function listMovements(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  id: string,
): Promise<Posted[]> {
  ofBatches(dependencies, person, register, 'seenBy')
  const { db, library } = dependencies
  return db.transaction().execute(async (trx) => {
    await registers(trx, library).lock(register, id)
    return stock(trx).movements(id)
  })
}

/** Adds what was received to a batch, which is entered if it is new. */
async function receiveBatch(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  receipt: Receipt,
): Promise<string> {
  const { library } = dependencies
  const { item, number, expiresOn, units, reason } = receipt
  const definition = ofBatches(dependencies, person, register, 'changedBy')
  const { stock: fields } = definition
  return moving(dependencies, person, { ...receipt, ...{ act: 'receive', register } }, async (trx) => {
    const own = registers(trx, library)
    // Two who receive the same batch do it one after the other.
    const { status } = await own.lock(things(definition), item)
    if (status !== inUse(own.definitionOf(things(definition))))
      throw invalid([{ field: '/item', code: 'platform.item-inactive' }])
    const same = (await stock(trx).batches([item])).find((one) => one.number.toLowerCase() === number.toLowerCase())
    if (!same) {
      const nameOf = (pointer: string) => pointer.slice(1)
      const data = {
        [nameOf(fields.of)]: item,
        [nameOf(fields.number)]: number,
        [nameOf(fields.expires)]: expiresOn,
      }
      const made = await own.create(register, data, person.id)
      await stock(trx).open(fields, made, { units, reason, by: person.id })
      return made.id
    }
    if (same.expiresOn !== expiresOn)
      throw invalid([{ field: '/expiresOn', code: 'platform.stock-other-expiry', values: { expires: same.expiresOn } }])
    await stock(trx).receive(same.id, { units, reason, by: person.id })
    return same.id
  })
}

async function countBatch(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  counted: Moved,
): Promise<{ waits: boolean }> {
  const { id, units, reason } = counted
  return adjustBatch(dependencies, person, { ...counted, ...{ act: 'count', register } }, (trx) =>
    stock(trx).count(id, units, { reason, by: person.id }),
  )
}

async function correctBatch(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  corrected: Moved,
): Promise<{ waits: boolean }> {
  const { id, units, reason } = corrected
  return adjustBatch(dependencies, person, { ...corrected, ...{ act: 'correct', register } }, (trx) => {
    if (units === 0) throw invalid([{ field: '/units', code: 'platform.field-required' }])
    return stock(trx).correct(id, units, { reason, by: person.id })
  })
}

/** Counts or corrects a batch. If fewer units wait for a second person, those who could be it are told. */
async function adjustBatch(
  dependencies: StockDependencies,
  person: Person,
  adjusted: Moved & { act: string; register: string },
  adjust: (trx: Transaction<DB>) => Promise<{ waits: boolean }>,
): Promise<{ waits: boolean }> {
  const { register, id } = adjusted
  const definition = ofBatches(dependencies, person, register, 'changedBy')
  return moving(dependencies, person, adjusted, async (trx) => {
    await registers(trx, dependencies.library).lock(register, id)
    const { waits } = await adjust(trx)
    const [reduction] = waits ? await stock(trx).reductions([id]) : []
    if (reduction) await mailAboutReduction(trx, dependencies, { definition, register, person, reduction })
    return { waits }
  })
}

async function mailAboutReduction(
  trx: Transaction<DB>,
  dependencies: StockDependencies,
  about: { definition: StockRegister; register: string; person: Person; reduction: Reduction },
): Promise<void> {
  const { definition, register, person, reduction } = about
  const to = await othersHolding(trx, definition.changedBy, person.id)
  if (to.length === 0) return
  const { title: item, number, data } = await inStock(trx, dependencies, definition, reduction.batch)
  const { units, reason } = reduction
  await mail(trx, dependencies).send({
    ...{ to, template: 'platform.mail.stock-reduction-waits', page: stockPath(dependencies.library, register, data) },
    values: { units, item, number, by: person.name, reason },
  })
}

/** What a batch is of, with the number of the batch. */
async function inStock(
  trx: Transaction<DB>,
  { library }: StockDependencies,
  definition: StockRegister,
  batch: string,
): Promise<Pick<Item, 'title' | 'data'> & { number: string }> {
  const { of, number } = known(await stock(trx).batch(batch), 'the batch')
  return { ...(await registers(trx, library).lock(things(definition), of)), number }
}

/** Confirms what somebody else counted or corrected down, or drops it with a reason; who proposed it may drop it too. */
async function decideReduction(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  { batch, id, confirmed, reason = '' }: { batch: string; id: string; confirmed: boolean; reason?: string | undefined },
): Promise<void> {
  const definition = ofBatches(dependencies, person, register, 'changedBy')
  if (!confirmed && reason.trim() === '') throw invalid([{ field: '/reason', code: 'platform.field-required' }])
  const decided: Decision = confirmed ? { confirmed, by: person.id } : { confirmed, reason, by: person.id }
  await translateViolations(() =>
    dependencies.db.transaction().execute(async (trx) => {
      await registers(trx, dependencies.library).lock(register, batch)
      const { by, units } = await stock(trx).decide(batch, id, decided)
      if (confirmed || by === person.id) return
      const { title: item, number } = await inStock(trx, dependencies, definition, batch)
      await mail(trx, dependencies).send({
        ...{ to: by, template: 'platform.mail.stock-reduction-dropped', page: null },
        values: { units, item, number, by: person.name, reason },
      })
    }),
  )
}

async function issueUnits(
  dependencies: StockDependencies,
  person: Person,
  register: string,
  issued: Omit<Moved, 'id'> & { item: string },
): Promise<void> {
  const definition = ofBatches(dependencies, person, register, 'changedBy')
  const { item, units, reason } = issued
  await moving(dependencies, person, { ...issued, ...{ act: 'issue', register } }, async (trx) => {
    await registers(trx, dependencies.library).lock(things(definition), item)
    await stock(trx).issue([{ of: item, units }], { reason, by: person.id })
    return null
  })
}

function shelfOf(
  { least }: StockOfBatches,
  of: { unit: string; active: boolean; item: Pick<Item, 'id' | 'title' | 'data'> },
  { batches, waiting, today }: { batches: readonly Batch[]; waiting: ReadonlyMap<string, Waiting>; today: string },
): Shelf {
  const { id, title, data } = of.item
  const own = batches
    .filter((one) => one.of === id && one.onHand > 0)
    .map((one) => ({ ...one, expired: one.expiresOn < today, waits: waiting.get(one.id) ?? null }))
  const usable = own.filter(({ expired, status }) => !expired && status === 'Active')
  return {
    ...{ id, title, unit: of.unit, active: of.active, least: Number(at(data, least) ?? 0) },
    usable: usable.reduce((sum, { free }) => sum + free, 0),
    batches: own,
  }
}
