import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import { findAccountOfEntry } from '../platform/people/identity/accounts.ts'
import type { mail } from '../platform/records/mail/mail.ts'
import type { Assigned, Entry } from './trips.ts'

interface About {
  caseId: string
  trip: { id: string; data: JsonObject }
  vehicle: string
}

/** The driver and the helper of a trip. */
export function crewOf({ driver, helper }: Assigned): Entry[] {
  return helper ? [driver, helper] : [driver]
}

/** Tells drivers and helpers who have an account of a trip that they make, make otherwise, or make no more. */
export async function tellCrew(
  { trx, mail: mails }: { trx: Transaction<DB>; mail: ReturnType<typeof mail> },
  template: `vehicles.mail.crew-${'assigned' | 'released' | 'trip-changed' | 'trip-cancelled'}`,
  crew: readonly Entry[],
  { caseId, trip, vehicle }: About,
): Promise<void> {
  const { route, from, until } = trip.data
  const page = `/registers/vehicles/trip/${trip.id}`
  for (const to of await accountsOf(trx, crew))
    await mails.send({ to, template, caseId, page, values: { route, from, until, vehicle } })
}

/**
 * The account of the driver of a trip, who is offered its chart by name: `none` without one, or if the driver has
 * asked for the trip, because nobody keeps the chart of their own request.
 */
export async function driverIdOf(trx: Transaction<DB>, driver: Entry, requester: string): Promise<string> {
  const [account] = await accountsOf(trx, [driver])
  return account === undefined || account === requester ? 'none' : account
}

/** The accounts of those drivers and helpers who have one. */
export async function accountsOf(trx: Transaction<DB>, crew: readonly Entry[]): Promise<string[]> {
  const found: string[] = []
  for (const { data } of crew) {
    const employee = textAt(data, '/employee')
    const account = employee === undefined ? undefined : await findAccountOfEntry(trx, employee)
    if (account !== undefined) found.push(account)
  }
  return found
}
