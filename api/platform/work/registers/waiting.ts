import type { Transaction } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Library } from '../../model/library/library.ts'
import { type Person, type Place, grantsMeant } from '../../people/persons/person.ts'
import type { mail } from '../../records/mail/mail.ts'
import { othersHolding } from '../../records/mail/recipients.ts'
import { type WaitingEntry, waitingEntries } from '../../records/registers/certifying.ts'
import { type RegistersContext, inTransaction } from './context.ts'
import { toldOf } from './expiring.ts'
import { placesOf } from './places.ts'

/** Entries of a register that are looked at; more are counted as this many and more. */
const MOST = 100

/** Days back for which nobody was told yet, if the schedule did not run. */
const DAYS_BACK = 7

/** How many entries of a register wait for somebody. */
export interface Waiting {
  register: string
  /** Text key. */
  title: string
  status: string
  count: { value: number; more: boolean }
}

/** The entries that wait for a person to certify them: they have the right, and did not write them. */
export async function listWaiting(context: RegistersContext, person: Person): Promise<Waiting[]> {
  const { library } = context
  const waiting: Waiting[] = []
  for (const [register, definition] of library.registers) {
    const { certifiers = [], statuses, title } = definition
    const grants = certifiers.flatMap((entry) => grantsMeant(person, entry))
    const [, status] = statuses
    if (grants.length === 0 || status === undefined) continue
    const own = await inTransaction(context, async (_, trx) => {
      const entries = await waitingEntries(trx, register, definition, { limit: MOST + 1 })
      const places = await placesOf(trx, definition, entries)
      const isAt = (place: Place | undefined) =>
        grants.some(({ scopeKind, scopeId }) => scopeKind === null || place?.[scopeKind] === scopeId)
      return {
        all: entries.length,
        theirs: entries.filter(({ by }, at) => by !== person.id && isAt(places[at])).length,
      }
    })
    if (own.theirs > 0)
      waiting.push({ register, title, status, count: { value: Math.min(own.theirs, MOST), more: own.all > MOST } })
  }
  return waiting
}

/**
 * Mails people about the entries that came to wait for them since yesterday, or on a day before on which nobody was
 * told: one mail per person, register and day, however many these are.
 */
export async function tellWaiting(
  trx: Transaction<DB>,
  { library, mail: letters, now }: { library: Library; mail: ReturnType<typeof mail>; now: Date },
): Promise<number> {
  let written = 0
  for (const [register, definition] of library.registers) {
    const { certifiers, statuses } = definition
    for (let back = DAYS_BACK; certifiers && back > 0; back -= 1) {
      const day = dayInColombo(now.getTime() - back * DAY_MS)
      const from = new Date(`${day}T00:00:00+05:30`)
      const span = { from, until: new Date(from.getTime() + DAY_MS), limit: MOST }
      const entries = await waitingEntries(trx, register, definition, span)
      const page = `/registers/${register}?status=${encodeURIComponent(statuses[1] ?? '')}`
      for (const [person, number] of await numbersFor(trx, { definition, certifiers, entries })) {
        const { mails } = await letters.send({
          to: `user:${person}`,
          template: 'platform.mail.entries-wait',
          values: { register: library.text(definition.title, {}, await languageOf(trx, person)), number },
          page,
          once: `waiting:${register}:${day}`,
        })
        written += mails.length
      }
    }
  }
  return written
}

async function languageOf(trx: Transaction<DB>, account: string) {
  const { language } = await trx
    .selectFrom('account')
    .select('language')
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  return language
}

/** How many of these entries each person may certify. */
async function numbersFor(
  trx: Transaction<DB>,
  of: {
    definition: Parameters<typeof placesOf>[1]
    certifiers: readonly string[]
    entries: readonly WaitingEntry[]
  },
): Promise<ReadonlyMap<string, number>> {
  const places = await placesOf(trx, of.definition, of.entries)
  const numbers = new Map<string, number>()
  for (const [at, { by }] of of.entries.entries()) {
    const principals = await toldOf(trx, of.certifiers, places[at] ?? {})
    for (const principal of await othersHolding(trx, principals, by ?? '')) {
      const person = principal.slice('user:'.length)
      numbers.set(person, (numbers.get(person) ?? 0) + 1)
    }
  }
  return numbers
}
