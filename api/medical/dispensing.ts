import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import { audit } from '../platform/kernel/audit/audit.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../platform/kernel/errors.ts'
import type { FieldKeys } from '../platform/kernel/field-keys.ts'
import { known } from '../platform/kernel/known.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { Library } from '../platform/model/library/library.ts'
import { translateViolations } from '../platform/people/access/refusals.ts'
import { type Person, admits } from '../platform/people/persons/person.ts'
import type { Item } from '../platform/records/registers/item.ts'
import { registers } from '../platform/records/registers/registers.ts'
import { sealedFields } from '../platform/records/registers/sealed.ts'
import type { Taken } from '../platform/records/stock/first-expired-first.ts'
import { stock } from '../platform/records/stock/stock.ts'
import { refuseClosed } from '../platform/work/registers/opening.ts'
import { sensitiveRead } from '../platform/work/registers/views.ts'
import {
  type DispensedLine,
  type NotedLine,
  givenOf,
  keysOf,
  linesOf,
  notedOf,
  partsOf,
  rawLines,
  takenOf,
  unitsByBatch,
} from './prescribed-lines.ts'

const PRESCRIPTIONS = 'medical/prescription'
const PATIENTS = 'medical/patient'

/** The reason of the movements: it names nobody, so that stock does not tell who takes what. */
const REASON = 'Prescription'

interface Dependencies {
  db: Kysely<DB>
  library: Library
  fieldKeys: FieldKeys
}

/** What is done about lines of a prescription, by their place in it; the others wait. */
export interface Dispensed {
  /** The version of the prescription that was read: lines have other places in another one. */
  version: number
  /** Units that are given now, at most those that are still to be given. */
  give: readonly { line: number; units: number }[]
  refuse: readonly { line: number; reason: string }[]
  /** The batches that the nurse has in hand. */
  batches: readonly Taken[]
}

/** Gives out what a doctor has prescribed, from stock. */
export function dispensingService({ db, library, fieldKeys }: Dependencies) {
  const definition = known(library.registers.get(PRESCRIPTIONS), 'the register of prescriptions')

  /** The lines of an open prescription; reading them is in the audit trail. */
  async function read(trx: Transaction<DB>, person: Person, id: string): Promise<Opened> {
    if (admits({ ...person, seesAll: false }, definition.seenBy) === undefined)
      throw new BusinessError('platform.not-found')
    const item = await registers(trx, library).lock(PRESCRIPTIONS, id)
    const right = await refuseClosed(trx, person, definition, item)
    const fields = sealedFields(trx, fieldKeys)
    if (await fields.isLost(id)) throw new BusinessError('platform.sealed-lost')
    const secret = known((await fields.read(PRESCRIPTIONS, [id])).get(id), 'the prescription')
    await audit(trx).record(
      sensitiveRead(
        person,
        right,
        item,
        Object.keys(secret).map((name) => `/${name}`),
      ),
    )
    const lines = rawLines(secret)
    return { item, secret, lines: await linesOf(trx, lines, notedOf(secret)) }
  }

  return {
    look: (person: Person, id: string) =>
      db.transaction().execute(async (trx) => {
        const { item, secret, lines } = await read(trx, person, id)
        const about = {
          status: item.status,
          version: item.version,
          advice: textAt(secret, '/advice') ?? null,
          allergies: await allergiesOf({ library, fieldKeys }, trx, person, item),
          parts: await partsOf(trx, notedOf(secret)),
        }
        if (item.status !== 'Waiting') {
          const given = await givenOf(trx, lines, takenOf(secret['dispensed']))
          return { ...about, lines: given, mayDispense: false }
        }
        const own = await hasWritten(trx, id, person)
        return { ...about, lines, mayDispense: isNurse(person) && !own }
      }),

    /**
     * Takes the stock of the lines that are given now, notes their batches and what is refused with the prescription,
     * and closes it once nothing is left: all at once or not at all. Refused if the prescription, the batches or the units
     * are not those that the nurse saw, and has in hand.
     */
    dispense: (person: Person, id: string, dispensed: Dispensed) =>
      translateViolations(() =>
        db.transaction().execute(async (trx) => {
          const found = await read(trx, person, id)
          if (!isNurse(person)) throw new BusinessError('platform.not-allowed')
          if (found.item.status !== 'Waiting') throw new BusinessError('medical.prescription-not-waiting')
          if (await hasWritten(trx, id, person)) throw new BusinessError('medical.prescriber-dispenses')
          // Also of the same part that is sent again: each part is a version.
          if (found.item.version !== dispensed.version) throw new BusinessError('medical.dispense-changed')
          await giveOut({ library, fieldKeys }, trx, person, found, dispensed)
        }),
      ),

    /** Closes a prescription that a doctor has changed so that nothing of it is left to give. */
    settle: async (trx: Transaction<DB>, item: Item, secret: JsonObject): Promise<Item> => {
      const lines = await linesOf(trx, rawLines(secret), notedOf(secret))
      const status = statusOf(lines, takenOf(secret['dispensed']))
      return item.status === status ? item : registers(trx, library).setStatus(item, status, null)
    },
  }
}

/** A prescription that somebody has opened. */
interface Opened {
  item: Item
  secret: JsonObject
  lines: DispensedLine[]
}

/** Gives out and refuses lines of a prescription that waits. */
async function giveOut(
  { library, fieldKeys }: Pick<Dependencies, 'library' | 'fieldKeys'>,
  trx: Transaction<DB>,
  person: Person,
  { item, secret, lines }: Opened,
  { give, refuse: refused, batches }: Dispensed,
): Promise<void> {
  const named = [...give, ...refused].map(({ line }) => line)
  const open = (line: number, units: number) =>
    lines[line] !== undefined && lines[line].refused === null && units <= lines[line].units
  const fits = give.every(({ line, units }) => open(line, units)) && refused.every(({ line }) => open(line, 1))
  if (!fits || new Set(named).size < named.length) throw new BusinessError('medical.dispense-changed')
  if (named.length === 0) throw new BusinessError('medical.dispense-nothing')
  const wanted = give.map(({ line, units }) => ({ of: known(lines[line], 'a line').item, units }))
  const taken = await stock(trx).issue(wanted, { reason: REASON, by: null })
  if (!isDeepStrictEqual(unitsByBatch(taken), unitsByBatch(batches)))
    throw new BusinessError('medical.dispense-changed')
  const keys = keysOf(rawLines(secret))
  const done = { by: person.id, at: new Date().toISOString() }
  const notes = (at: number) => ({ line: known(keys[at], 'a line'), item: known(lines[at], 'a line').item, ...done })
  const noted: NotedLine[] = [
    ...notedOf(secret),
    ...give.map(({ line, units }) => ({ ...notes(line), units })),
    ...refused.map(({ line, reason }) => ({ ...notes(line), units: 0, refused: reason })),
  ]
  const left = await linesOf(trx, rawLines(secret), noted)
  const all = [...takenOf(secret['dispensed']), ...taken].map(({ batch, units }) => ({ batch, units }))
  const status = statusOf(left, all)
  const waits = status === 'Waiting'
  // Who gives out a part has not written the prescription, and may give out the rest.
  const written = await registers(trx, library).setStatus(item, status, waits ? null : person.id)
  await sealedFields(trx, fieldKeys).write(written, {
    ...secret,
    dispensed: all,
    noted: noted.map((one) => ({ ...one })),
  })
  if (waits)
    await audit(trx).record({
      actor: person.id,
      action: 'prescription.dispensed-in-part',
      object: `register-item:${item.id}`,
      payload: {},
    })
}

/** The status of a prescription by what is left of its lines, and what was taken for it. */
function statusOf(lines: readonly DispensedLine[], taken: readonly Taken[]): string {
  if (lines.some(({ units }) => units > 0)) return 'Waiting'
  return taken.length > 0 ? 'Dispensed' : 'Cancelled'
}

/** What the patient must not get; reading it is in the audit trail of the patient's record, which is open. */
async function allergiesOf(
  { library, fieldKeys }: Pick<Dependencies, 'library' | 'fieldKeys'>,
  trx: Transaction<DB>,
  person: Person,
  { data }: Item,
): Promise<string | null> {
  const id = known(textAt(data, '/patient'), 'the patient')
  const patient = await registers(trx, library).item(PATIENTS, id)
  const patients = known(library.registers.get(PATIENTS), 'the register of patients')
  const right = await refuseClosed(trx, person, patients, patient)
  const fields = sealedFields(trx, fieldKeys)
  if (await fields.isLost(id)) throw new BusinessError('platform.sealed-lost')
  const secret = (await fields.read(PATIENTS, [id])).get(id) ?? {}
  await audit(trx).record(sensitiveRead(person, right, patient, ['/allergies']))
  return textAt(secret, '/allergies') ?? null
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
