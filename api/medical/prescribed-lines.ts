import type { Transaction } from 'kysely'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { known } from '../platform/kernel/known.ts'
import { isObject } from '../platform/kernel/objects.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import { type Taken, firstExpiredFirst } from '../platform/records/stock/first-expired-first.ts'
import { stock } from '../platform/records/stock/stock.ts'
import { unitsOf } from './quantity.ts'

/** A line of a prescription with what is taken for it. */
export interface DispensedLine {
  item: string
  title: string
  unit: string
  /** `2 · 6 hrs`, or empty. */
  dose: string
  days: number | null
  /** Units that are still to be given; of a dispensed prescription, those that were given. */
  units: number
  /** Units that were given before. */
  given: number
  /** Why the rest is not given. */
  refused: string | null
  /** Units that can be issued, if they are fewer. */
  left: number | null
  /** Where its units come from; of a dispensed prescription, where they came from. */
  batches: { batch: string; number: string; expiresOn: string; units: number }[]
}

/** What a prescription notes of a line that was given or refused, by what the line says: who did it, and when. */
export interface NotedLine {
  line: string
  item: string
  units: number
  refused?: string
  by: string
  at: string
}

export const rawLines = (secret: JsonObject): Record<string, unknown>[] =>
  Array.isArray(secret['lines']) ? secret['lines'].filter((line) => isObject(line)) : []

/** What each line says; lines that say the same are counted. Who changes the prescription leaves the others as they are. */
export function keysOf(lines: readonly Record<string, unknown>[]): string[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const said = JSON.stringify(['item', 'dose', 'frequency', 'days', 'units'].map((name) => line[name] ?? null))
    const times = (seen.get(said) ?? 0) + 1
    seen.set(said, times)
    return `${said} ${times}`
  })
}

/** What a prescription notes of its lines. */
export function notedOf({ noted }: JsonObject): NotedLine[] {
  const some = Array.isArray(noted) ? noted.filter((one) => isObject(one)) : []
  return some.map(({ line, item, units, refused, by, at }) => ({
    ...{ line: String(line), item: String(item), units: Number(units), by: String(by), at: String(at) },
    ...(typeof refused === 'string' && { refused }),
  }))
}

/**
 * Units that were given of each line, of those that it needs. What was given of a line that says something else now, or
 * is gone, counts for the lines with the same thing; the first has what is more than all of them need.
 */
function givenOfLines(lines: readonly { item: string; needs: number; key: string }[], noted: readonly NotedLine[]) {
  const over = new Map<string, number>()
  for (const { item, units } of noted) over.set(item, (over.get(item) ?? 0) + units)
  const take = (item: string, units: number) => {
    const taken = Math.min(over.get(item) ?? 0, units)
    over.set(item, (over.get(item) ?? 0) - taken)
    return taken
  }
  const own = lines.map(({ item, needs, key }) => {
    const units = noted.filter(({ line }) => line === key).reduce((sum, one) => sum + one.units, 0)
    return take(item, Math.min(needs, units))
  })
  const refused = (key: string) => noted.some((one) => one.line === key && one.refused !== undefined)
  const whole = lines.map(({ item, needs, key }, at) => {
    const first = known(own[at], 'a line')
    return first + (refused(key) ? 0 : take(item, needs - first))
  })
  return whole.map((units, at) => units + take(known(lines[at], 'a line').item, Infinity))
}

/** What was given and refused, with who did it and when, in this order. */
export async function partsOf(trx: Transaction<DB>, noted: readonly NotedLine[]) {
  if (noted.length === 0) return []
  const items = await trx
    .selectFrom('register_item')
    .select(['id', 'title'])
    .where(
      'id',
      'in',
      noted.map(({ item }) => item),
    )
    .execute()
  const people = await trx
    .selectFrom('account')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      noted.map(({ by }) => by),
    )
    .execute()
  return noted.map(({ item, units, refused, by, at }) => ({
    title: known(
      items.find(({ id }) => id === item),
      'what was given',
    ).title,
    ...{ units, refused: refused ?? null, at },
    by: people.find(({ id }) => id === by)?.name ?? null,
  }))
}

/** Units of each batch, in the order in which they were taken. */
function sumsByBatch(taken: readonly Taken[]): [string, number][] {
  const byBatch = Map.groupBy(taken, ({ batch }) => batch)
  return [...byBatch].map(([batch, some]) => [batch, some.reduce((sum, { units }) => sum + units, 0)])
}

/** Units of each batch, in one order. */
export const unitsByBatch = (taken: readonly Taken[]): [string, number][] =>
  sumsByBatch(taken).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** What a dispensed prescription notes. */
export function takenOf(noted: unknown): Taken[] {
  const some = Array.isArray(noted) ? noted.filter((one) => isObject(one)) : []
  return some.map(({ batch, units }) => ({ batch: String(batch), units: Number(units) }))
}

/** What was given of each line, and from which batches; what nobody noted of a line is with the first of its thing. */
export async function givenOf(
  trx: Transaction<DB>,
  lines: readonly DispensedLine[],
  taken: readonly Taken[],
): Promise<DispensedLine[]> {
  const batches = await stock(trx).batches(lines.map(({ item }) => item))
  const open = sumsByBatch(taken).map(([id, units]) => ({ from: batches.find((one) => one.id === id), units }))
  const take = (item: string, most: number) => {
    let left = most
    return open.flatMap((one) => {
      const { from } = one
      const units = from?.of === item ? Math.min(left, one.units) : 0
      left -= units
      one.units -= units
      return from && units > 0 ? [{ batch: from.id, number: from.number, expiresOn: from.expiresOn, units }] : []
    })
  }
  return lines.map((line, at) => {
    const alike = lines.filter(({ item }) => item === line.item)
    const all = open.reduce((sum, { from, units }) => sum + (from?.of === line.item ? units : 0), 0)
    const isFirst = lines.findIndex(({ item }) => item === line.item) === at
    const others = isFirst ? Math.max(0, all - alike.reduce((sum, { given }) => sum + given, 0)) : 0
    const units = line.given + others
    return { ...line, units, given: units, left: null, batches: take(line.item, units) }
  })
}

/** The lines of a prescription, and behind them what was given of things that it does not name any more. */
export async function linesOf(
  trx: Transaction<DB>,
  named: readonly Record<string, unknown>[],
  noted: readonly NotedLine[],
): Promise<DispensedLine[]> {
  const gone = noted.filter(({ item, units }) => units > 0 && named.every((line) => line['item'] !== item))
  const lines: Record<string, unknown>[] = [
    ...named,
    ...[...new Set(gone.map(({ item }) => item))].map((item) => ({ item, units: 0 })),
  ]
  const ids = lines.flatMap((line) => ['item', 'dose', 'frequency'].map((name) => line[name]))
  const entries = await trx
    .selectFrom('register_item')
    .select(['id', 'title', 'data'])
    .where(
      'id',
      'in',
      ids.filter((id) => typeof id === 'string'),
    )
    .execute()
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const batches = await stock(trx).batches(lines.map(({ item }) => String(item)))
  const today = dayInColombo(Date.now())
  const left = new Map(batches.map(({ id, free }) => [id, free]))
  const keys = keysOf(lines)
  const needed = lines.map((line, at) => ({
    ...{ item: String(line['item']), key: known(keys[at], 'a line') },
    needs: quantityOf(line, byId).units,
  }))
  const givenBefore = givenOfLines(needed, noted)
  return lines.map((line, at) => {
    const item = known(byId.get(String(line['item'])), 'what is prescribed')
    const { units: prescribed, dose, days } = quantityOf(line, byId)
    const given = known(givenBefore[at], 'a line')
    const refused = noted.find((one) => one.line === keys[at] && one.refused !== undefined)?.refused ?? null
    const units = refused === null ? Math.max(0, prescribed - given) : 0
    const usable = batches
      .filter(({ of, status }) => of === item.id && status === 'Active')
      .map((one) => ({ ...one, free: left.get(one.id) ?? 0 }))
    const whole = firstExpiredFirst(usable, units, today)
    // What there is can be given now, and the rest later.
    const found = 'left' in whole ? firstExpiredFirst(usable, whole.left, today) : whole
    const taken = 'taken' in found ? found.taken : []
    for (const { batch, units: some } of taken) left.set(batch, (left.get(batch) ?? 0) - some)
    return {
      ...{ item: item.id, title: item.title, unit: textAt(item.data, '/unit') ?? '', dose, days, units },
      ...{ given, refused, left: 'left' in whole ? whole.left : null },
      batches: taken.map(({ batch, units: some }) => {
        const { number, expiresOn } = known(
          batches.find(({ id }) => id === batch),
          'the batch',
        )
        return { batch, number, expiresOn, units: some }
      }),
    }
  })
}

function quantityOf(
  { dose, frequency, days, units }: Record<string, unknown>,
  entries: ReadonlyMap<string, { title: string; data: JsonObject }>,
): { units: number; dose: string; days: number | null } {
  const [amount, often] = [entries.get(String(dose)), entries.get(String(frequency))]
  if (!amount || !often || typeof days !== 'number') return { units: Number(units), dose: '', days: null }
  const once = often.data['once'] === true
  return {
    units: unitsOf({ dose: amount.title, timesADay: Number(often.data['times_a_day']), once, days }),
    dose: `${amount.title} · ${often.title}`,
    days: once ? null : days,
  }
}
