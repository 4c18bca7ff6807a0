import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import { audit } from '../platform/kernel/audit/audit.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import type { FieldKeys } from '../platform/kernel/field-keys.ts'
import { known } from '../platform/kernel/known.ts'
import { isObject } from '../platform/kernel/objects.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { Library } from '../platform/model/library/library.ts'
import { translateViolations } from '../platform/people/access/refusals.ts'
import { type Person, admits } from '../platform/people/persons/person.ts'
import type { Item } from '../platform/records/registers/item.ts'
import { registers } from '../platform/records/registers/registers.ts'
import { sealedFields } from '../platform/records/registers/sealed.ts'
import { type Taken, firstExpiredFirst } from '../platform/records/stock/first-expired-first.ts'
import { stock } from '../platform/records/stock/stock.ts'
import { refuseClosed } from '../platform/work/registers/opening.ts'
import { sensitiveRead } from '../platform/work/registers/views.ts'
import { unitsOf } from './quantity.ts'

const PRESCRIPTIONS = 'medical/prescription'

/** The reason of the movements: it names nobody, so that stock does not tell who takes what. */
const REASON = 'Prescription'

interface Dependencies {
  db: Kysely<DB>
  library: Library
  fieldKeys: FieldKeys
}

/** A line of a prescription with what is taken for it. */
export interface DispensedLine {
  item: string
  title: string
  unit: string
  /** `2 · 6 hrs · 3`, or empty. */
  dose: string
  units: number
  /** Units that can be issued, if they are fewer. */
  left: number | null
  /** Where its units come from; of a dispensed prescription, where they came from. */
  batches: { batch: string; number: string; expiresOn: string; units: number }[]
}

/** Gives out what a doctor has prescribed, from stock. */
export function dispensingService({ db, library, fieldKeys }: Dependencies) {
  const definition = known(library.registers.get(PRESCRIPTIONS), 'the register of prescriptions')

  /** The lines of an open prescription; reading them is in the audit trail. */
  async function read(
    trx: Transaction<DB>,
    person: Person,
    id: string,
  ): Promise<{ item: Item; secret: JsonObject; lines: DispensedLine[] }> {
    if (admits({ ...person, seesAll: false }, definition.seenBy) === undefined)
      throw new BusinessError('platform.not-found')
    const item = await registers(trx, library).lock(PRESCRIPTIONS, id)
    const right = await refuseClosed(trx, person, definition, item)
    const fields = sealedFields(trx, fieldKeys)
    if (await fields.isLost(id)) throw new BusinessError('platform.sealed-lost')
    const secret = known((await fields.read(PRESCRIPTIONS, [id])).get(id), 'the prescription')
    await audit(trx).record(sensitiveRead(person, right, item, ['/lines']))
    const lines = Array.isArray(secret['lines']) ? secret['lines'].filter((line) => isObject(line)) : []
    return { item, secret, lines: await linesOf(trx, lines) }
  }

  return {
    look: (person: Person, id: string) =>
      db.transaction().execute(async (trx) => {
        const { item, secret, lines } = await read(trx, person, id)
        if (item.status === 'Dispensed') {
          const given = await givenOf(trx, lines, takenOf(secret['dispensed']))
          return { status: item.status, lines: given, mayDispense: false }
        }
        const own = await hasWritten(trx, id, person)
        return { status: item.status, lines, mayDispense: isNurse(person) && !own && item.status === 'Waiting' }
      }),

    /**
     * Takes the stock, notes the batches with the prescription, and closes it: all at once or not at all. Refused if
     * the batches or units are not those that the nurse saw, and has in hand.
     */
    dispense: (person: Person, id: string, inHand: readonly Taken[]) =>
      translateViolations(() =>
        db.transaction().execute(async (trx) => {
          const { item, secret, lines } = await read(trx, person, id)
          if (!isNurse(person)) throw new BusinessError('platform.not-allowed')
          if (item.status !== 'Waiting') throw new BusinessError('medical.prescription-not-waiting')
          if (await hasWritten(trx, id, person)) throw new BusinessError('medical.prescriber-dispenses')
          const taken = await stock(trx).issue(
            lines.map(({ item: of, units }) => ({ of, units })),
            { reason: REASON, by: null },
          )
          if (!isDeepStrictEqual(unitsByBatch(taken), unitsByBatch(inHand)))
            throw new BusinessError('medical.dispense-changed')
          const done = await registers(trx, library).setStatus(item, 'Dispensed', person.id)
          await sealedFields(trx, fieldKeys).write(done, {
            ...secret,
            dispensed: taken.map(({ batch, units }) => ({ batch, units })),
          })
        }),
      ),
  }
}

/** Units of each batch, in one order. */
function unitsByBatch(taken: readonly Taken[]): [string, number][] {
  const byBatch = Map.groupBy(taken, ({ batch }) => batch)
  return [...byBatch]
    .map(([batch, some]): [string, number] => [batch, some.reduce((sum, { units }) => sum + units, 0)])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** What a dispensed prescription notes. */
function takenOf(noted: unknown): Taken[] {
  const some = Array.isArray(noted) ? noted.filter((one) => isObject(one)) : []
  return some.map(({ batch, units }) => ({ batch: String(batch), units: Number(units) }))
}

/** What was given of each thing, as it was noted: doses may have other words or numbers since. */
async function givenOf(
  trx: Transaction<DB>,
  lines: readonly DispensedLine[],
  taken: readonly Taken[],
): Promise<DispensedLine[]> {
  const batches = await stock(trx).batches(lines.map(({ item }) => item))
  return [...Map.groupBy(lines, ({ item }) => item).values()].map(([line, ...others]) => {
    const first = known(line, 'a line')
    const given = unitsByBatch(taken).flatMap(([batch, units]) => {
      const from = batches.find(({ id, of }) => id === batch && of === first.item)
      return from ? [{ batch, number: from.number, expiresOn: from.expiresOn, units }] : []
    })
    const dose = [first, ...others].map((one) => one.dose).filter(Boolean)
    const units = given.reduce((sum, one) => sum + one.units, 0)
    return { ...first, dose: dose.join('; '), units, left: null, batches: given }
  })
}

const isNurse = (person: Person) => admits({ ...person, seesAll: false }, ['Nurse']) !== undefined

/** Whether a person wrote any version of a prescription that is not dispensed yet. */
async function hasWritten(trx: Transaction<DB>, id: string, { id: by }: Person): Promise<boolean> {
  const version = await trx
    .selectFrom('register_item_version')
    .select('version')
    .where('item_id', '=', id)
    .where('changed_by', '=', by)
    .limit(1)
    .executeTakeFirst()
  return version !== undefined
}

async function linesOf(trx: Transaction<DB>, lines: readonly Record<string, unknown>[]): Promise<DispensedLine[]> {
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
  return lines.map((line) => {
    const item = known(byId.get(String(line['item'])), 'what is prescribed')
    const { units, dose } = quantityOf(line, byId)
    const usable = batches
      .filter(({ of, status }) => of === item.id && status === 'Active')
      .map((one) => ({ ...one, free: left.get(one.id) ?? 0 }))
    const found = firstExpiredFirst(usable, units, today)
    const taken = 'taken' in found ? found.taken : []
    for (const { batch, units: some } of taken) left.set(batch, (left.get(batch) ?? 0) - some)
    return {
      ...{ item: item.id, title: item.title, unit: textAt(item.data, '/unit') ?? '', dose, units },
      left: 'left' in found ? found.left : null,
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
): { units: number; dose: string } {
  const [amount, often] = [entries.get(String(dose)), entries.get(String(frequency))]
  if (!amount || !often || typeof days !== 'number') return { units: Number(units), dose: '' }
  const once = often.data['once'] === true
  return {
    units: unitsOf({ dose: amount.title, timesADay: Number(often.data['times_a_day']), once, days }),
    dose: [amount.title, often.title, ...(once ? [] : [String(days)])].join(' · '),
  }
}
