import { refuseReported } from '../../records/registers/reported.ts'
import { type Kysely, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit } from '../../kernel/audit/audit.ts'
import { allNicForms, isNic } from '../../../../forms/platform/nic.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import {
  type Choice,
  type RegisterDefinition,
  type SealedRegister,
  at,
  inUse,
  textAt,
} from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import { invalid } from '../../people/access/refusals.ts'
import { readUnits } from '../../people/access/units.ts'
import { throttle } from '../../people/identity/throttle.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { type Holder, holdersOf } from '../../records/mail/recipients.ts'
import type { Item } from '../../records/registers/item.ts'
import { type RegistersContext, inTransaction } from './context.ts'
import { ownRecord } from './own.ts'
import { placeOf } from './places.ts'
import { readerOf } from './reader.ts'

/** How long a record stays open: for a visit, if its person is present, or an hour for a reason. */
const OPEN_HOURS = { presented: 12, reason: 1 }

/** The record of the person that an entry is about. */
export function recordOf({ sealed }: RegisterDefinition, { id, data }: Pick<Item, 'id' | 'data'>): string | undefined {
  return sealed?.about === undefined ? id : textAt(data, sealed.about)
}

/** Until when a person has opened a record; undefined if they have not. */
export async function openUntil(db: Kysely<DB>, person: Person, record: string): Promise<Date | undefined> {
  const open = await db
    .selectFrom('record_opening')
    .select((eb) => eb.fn.max('until').as('until'))
    .where('account_id', '=', person.id)
    .where('item_id', '=', record)
    .where('until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return open?.until ?? undefined
}

/** Throws unless the person reads encrypted fields of a register, and has opened the record of an entry, of somebody else. */
export async function refuseClosed(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entry: Pick<Item, 'id' | 'data'>,
): Promise<string> {
  const right = admits(readerOf(person, definition), definition.sealed?.to ?? [])
  if (right === undefined) throw new BusinessError('platform.not-allowed')
  const record = recordOf(definition, entry)
  if (record === undefined || !(await openUntil(db, person, record))) throw new BusinessError('platform.record-closed')
  // The person a record is about can have changed since it was opened.
  await refuseOwn(db, person, definition, entry)
  return right
}

/** Nobody reads, writes or opens the record about themselves; the database forbids it too. */
export async function refuseOwn(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entry: Pick<Item, 'id' | 'data'>,
): Promise<void> {
  if (await isAboutReader(db, person, definition, entry)) throw new BusinessError('platform.own-record-stays-closed')
}

/** Whether the record of an entry is about the reader. */
export async function isAboutReader(
  db: Kysely<DB>,
  person: Person,
  definition: RegisterDefinition,
  entry: Pick<Item, 'id' | 'data'>,
): Promise<boolean> {
  const mine = await ownRecord(db, person)
  const record = recordOf(definition, entry)
  if (!mine || record === undefined) return false
  const row =
    record === entry.id
      ? entry
      : await db.selectFrom('register_item').select('data').where('id', '=', record).executeTakeFirst()
  return mine.id === record || Object.values(row?.data ?? {}).includes(mine.id)
}

export interface OpeningDependencies {
  library: Library
  publicUrl: string
}

/** What opens a record: something that its person shows, or a reason. */
export type OpensWith = { shown: string } | { reason: string }

/** Opens the record that an entry is about, for the reader alone. */
export function openRecord(
  context: RegistersContext & OpeningDependencies,
  person: Person,
  register: string,
  id: string,
  opensWith: OpensWith,
): Promise<{ until: string }> {
  const open = () => openWith(context, person, register, id, opensWith)
  return 'shown' in opensWith ? guessing(context.db, person, open) : open()
}

/** Like `openRecord` with what is shown, within `guessing`. */
export const openShown = (
  context: RegistersContext & OpeningDependencies,
  person: Person,
  register: string,
  id: string,
  shown: string,
) => openWith(context, person, register, id, { shown })

async function openWith(
  context: RegistersContext & OpeningDependencies,
  person: Person,
  register: string,
  id: string,
  opensWith: OpensWith,
): Promise<{ until: string }> {
  const asked = known(context.library.registers.get(register), `the register ${register}`)
  const right = admits(readerOf(person, asked), asked.sealed?.to ?? [])
  if (!asked.sealed || right === undefined) throw new BusinessError('platform.not-found')
  return inTransaction(context, async (own, trx) => {
    const entry = await own.item(register, id)
    const about = asked.sealed?.about
    const of = about === undefined ? register : known(registerNamed(asked, about), 'the register of records')
    const definition = own.definitionOf(of)
    const record = about === undefined ? entry : await own.item(of, known(textAt(entry.data, about), 'the record'))
    const sealed = known(definition.sealed, 'what opens a record')
    await refuseOwn(trx, person, definition, record)
    if ('shown' in opensWith) await refuseOther(trx, context, sealed, record, opensWith.shown)
    const how = 'shown' in opensWith ? 'presented' : 'reason'
    const reason = 'reason' in opensWith ? reasonOf(sealed, opensWith.reason) : null
    const head = reason === null ? [] : await headOf(trx, person, sealed)
    const until = new Date(Date.now() + OPEN_HOURS[how] * HOUR_MS)
    await trx
      .insertInto('record_opening')
      .values({ id: uuid(), account_id: person.id, item_id: record.id, how, reason: reason?.const ?? null, until })
      .execute()
    await audit(trx).record({
      ...{ actor: person.id, actedAs: right, object: `${of}:${record.id}` },
      action: how === 'reason' ? 'record.opened-for-reason' : 'record.opened',
      payload: {
        until: until.toISOString(),
        ...(reason !== null && { reason: reason.const, told: head.map(({ id: told }) => told) }),
      },
    })
    for (const { id: to, language } of head) {
      const words = context.library.text(known(reason, 'the reason').title, {}, language)
      const values = { person: person.name, reason: words, until: until.toISOString() }
      const template = known(sealed.mail, 'the mail to the head')
      await mail(trx, context).send({ to: [to], template, values, page: `/registers/${of}/${record.id}` })
    }
    return { until: until.toISOString() }
  })
}

function registerNamed({ item }: RegisterDefinition, pointer: string): string | undefined {
  return item.properties?.[pointer.slice(1)]?.['x-register']
}

/** Numbers cannot be tried one after another: counts each try, and takes it back unless it is refused. */
export async function guessing<T>(db: Kysely<DB>, { id }: Person, act: () => Promise<T>): Promise<T> {
  const guesses = throttle(db)
  const counted = [{ kind: 'opening', of: id }] as const
  if ((await guesses.level(counted)) > 0) throw new BusinessError('platform.too-many-requests')
  await guesses.note(counted)
  try {
    const done = await act()
    await guesses.takeBack(counted)
    return done
  } catch (error) {
    if (!(error instanceof BusinessError)) await guesses.takeBack(counted)
    throw error
  }
}

/** The declared reason; throws for any other. */
function reasonOf({ reasons = [] }: SealedRegister, given: string): Choice {
  const reason = reasons.find((one) => one.const === given)
  if (!reason) throw invalid([{ field: '/reason', code: 'platform.field-required' }])
  return reason
}

/** What was shown is not that person's, or does not open a restricted record. */
async function refuseOther(
  trx: Transaction<DB>,
  { library }: Pick<OpeningDependencies, 'library'>,
  sealed: SealedRegister,
  record: Item,
  shown: string,
): Promise<void> {
  const { shows = [] } = sealed
  if (await isRestricted(trx, sealed, record)) throw new BusinessError('platform.record-restricted')
  const typed = shown.trim().toUpperCase()
  const values = isNic(typed) ? [typed, ...allNicForms(typed)] : [typed]
  for (const one of shows) {
    if (typeof one === 'string') {
      const number = await valueFrom(trx, record.data, one)
      if (typeof number === 'string' && values.includes(number.toUpperCase())) return
    } else if (await isCardOf(trx, library, one, record, values)) {
      await refuseReported(trx, library, one.register, values)
      return
    }
  }
  throw invalid([{ field: '/shown', code: 'platform.record-not-of-this-person' }])
}

/** Whether there is a card in use with this number that names who is in the record. */
async function isCardOf(
  trx: Transaction<DB>,
  { registers }: Pick<Library, 'registers'>,
  { register, code, names, is }: Exclude<NonNullable<SealedRegister['shows']>[number], string>,
  { data }: Item,
  values: readonly string[],
): Promise<boolean> {
  const named = textAt(data, is)
  if (named === undefined) return false
  const card = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', register)
    .where('status', '=', inUse(known(registers.get(register), register)))
    .where(sql<string>`upper(data ->> ${code.slice(1)})`, 'in', [...values])
    .where(sql<string>`data ->> ${names.slice(1)}`, '=', named)
    .executeTakeFirst()
  return card !== undefined
}

/** Whether only a reason opens a record. */
export async function isRestricted(
  trx: Transaction<DB>,
  { restricted = [] }: SealedRegister,
  { data }: Pick<Item, 'data'>,
): Promise<boolean> {
  for (const one of restricted) if ((await valueFrom(trx, data, one)) === true) return true
  return false
}

/** The value at a lookup such as `/student#/data/nic`. */
async function valueFrom(trx: Transaction<DB>, data: JsonObject, lookup: string): Promise<unknown> {
  const [field = lookup, ...further] = lookup.split('#')
  let value = at(data, field)
  for (const hop of further) {
    if (typeof value !== 'string') return undefined
    const row = await trx.selectFrom('register_item').select('data').where('id', '=', value).executeTakeFirst()
    value = row && at({ data: row.data }, hop)
  }
  return value
}

/** The head of who opens a record: the first of `tell` that is somebody else. Throws if there is nobody. */
async function headOf(trx: Transaction<DB>, person: Person, { tell = [] }: SealedRegister): Promise<Holder[]> {
  const mine = await ownRecord(trx, person)
  const row =
    mine && (await trx.selectFrom('register_item').select('data').where('id', '=', mine.id).executeTakeFirst())
  const place = placeOf(await readUnits(trx), row?.data ?? {})
  for (const entry of tell) {
    const [role, kind] = entry.split('@')
    if (kind !== undefined && place[kind] === undefined) continue
    const principal = kind === undefined ? entry : `${role}@${kind}:${String(place[kind])}`
    const to = (await holdersOf(trx, principal)).filter(({ id }) => id !== person.id)
    if (to.length > 0) return to
  }
  throw new BusinessError('platform.record-nobody-told')
}
