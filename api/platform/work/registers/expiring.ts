import { type RawBuilder, type Transaction, sql } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { type ExpiryOfEntry, type RegisterDefinition, inUse, pathOf, textAt } from '../../model/definitions/register.ts'
import type { Library } from '../../model/library/library.ts'
import type { Place } from '../../people/persons/person.ts'
import type { mail } from '../../records/mail/mail.ts'
import { type Item, itemOf } from '../../records/registers/item.ts'
import { placesOf } from './places.ts'

/** Entries per step. */
const ENTRIES_PER_STEP = 50

interface Reminding {
  library: Pick<Library, 'registers'>
  mail: ReturnType<typeof mail>
  publicUrl: string
  now: Date
}

/** The last day on which a mail about an entry is due. */
const lastDay = (now: Date, days: number) => dayInColombo(now.getTime() + days * DAY_MS)

/** Whether an entry ends within these days from now, or has ended, without a next period or a later entry that goes on at once. */
export function endsBy({ from, until, next, replacedBy }: ExpiryOfEntry, now: Date, days: number): RawBuilder<boolean> {
  const over = sql<boolean>`register_item.data #>> ${pathOf(until)}::text[] <= ${lastDay(now, days)}`
  const following = (of: RawBuilder<unknown>) =>
    sql<boolean>`coalesce((${of})::date <= (register_item.data #>> ${pathOf(until)}::text[])::date + 1, false)`
  const ends =
    next === undefined
      ? over
      : sql<boolean>`(${over} and not ${following(sql`register_item.data #>> ${pathOf(next)}::text[]`)})`
  if (!replacedBy) return ends
  const alike = replacedBy.map((field) => {
    const path = sql`${pathOf(field)}::text[]`
    return sql`later.data #> ${path} = register_item.data #> ${path}`
  })
  const begins = from === undefined ? sql`true` : following(sql`later.data #>> ${pathOf(from)}::text[]`)
  return sql<boolean>`${ends} and not exists (select from register_item later
    where later.register = register_item.register and later.status = register_item.status
      and later.data #>> ${pathOf(until)}::text[] > register_item.data #>> ${pathOf(until)}::text[]
      and ${begins} and ${sql.join(alike, sql` and `)})`
}

/** The entries in use among these that end soon, or have ended, and that no later one replaces. */
export async function endingAmong(
  trx: Transaction<DB>,
  definition: RegisterDefinition,
  items: readonly Item[],
  now: Date,
) {
  const { expires } = definition
  if (!expires || items.length === 0) return new Set<string>()
  const ids = items.map(({ id }) => id)
  const rows = await trx
    .selectFrom('register_item')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', inUse(definition))
    .where(endsBy(expires, now, soonest(expires)))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The most days before its end on which an entry is shown as ending soon. */
export const soonest = ({ remind }: ExpiryOfEntry): number => Math.max(...remind)

/**
 * One step through the entries in use that end soon, in the order of registers and ids; `after` is where the next step
 * goes on. Each mail is sent once, however often the run begins, and again once the last day is another.
 */
export async function remindOfExpiring(
  trx: Transaction<DB>,
  { library, mail: letters, publicUrl, now }: Reminding,
  after = '',
): Promise<{ written: number; after: string | undefined }> {
  const [begun = '', id = ''] = after.split(' ')
  const registers = [...library.registers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  let written = 0
  for (const [register, definition] of registers) {
    const { expires } = definition
    if (!expires || register < begun) continue
    const items = await ending(trx, register, definition, expires, { now, after: register === begun ? id : '' })
    const places = await placesOf(trx, definition, items)
    for (const [index, item] of items.entries()) {
      const until = known(textAt(item.data, expires.until), 'the last day of an entry')
      const { mails } = await letters.send({
        to: await toldOf(trx, expires.tell, known(places[index], 'the units of an entry')),
        template: expires.mail,
        values: { title: item.title, until, link: `${publicUrl}/registers/${register}/${item.id}` },
        once: `expiry:${item.id}:${until}:${dueBefore(expires, until, now)}`,
      })
      written += mails.length
    }
    const last = items.at(-1)
    if (last && items.length === ENTRIES_PER_STEP) return { written, after: `${register} ${last.id}` }
  }
  return { written, after: undefined }
}

/** The next entries whose keepers are to be told. */
async function ending(
  trx: Transaction<DB>,
  register: string,
  definition: RegisterDefinition,
  expires: ExpiryOfEntry,
  { now, after }: { now: Date; after: string },
): Promise<Item[]> {
  const rows = await trx
    .selectFrom('register_item')
    .selectAll()
    .where('register', '=', register)
    .where('status', '=', inUse(definition))
    .where(endsBy(expires, now, soonest(expires)))
    .where(sql<boolean>`register_item.data #>> ${pathOf(expires.until)}::text[] >= ${lastDay(now, 0)}`)
    .$if(after !== '', (some) => some.where('id', '>', after))
    .orderBy('id')
    .limit(ENTRIES_PER_STEP)
    .execute()
  return rows.map(itemOf)
}

/** The reminder that is due: the nearest to the end of those whose day has come. */
function dueBefore({ remind }: ExpiryOfEntry, until: string, now: Date): number {
  return Math.min(...remind.filter((days) => until <= lastDay(now, days)))
}

/** The principals of these roles: of `Role@kind` those at the unit of an entry, or at all if it has no unit. */
export async function toldOf(trx: Transaction<DB>, tell: readonly string[], place: Place): Promise<string[]> {
  const units = Object.entries(place)
  const told = tell.map(async (entry) => {
    const [role = '', kind] = entry.split('@')
    if (kind === undefined) return [entry]
    if (units.length === 0) return (await listUnitsWith(trx, role, kind)).map((id) => `${role}@${kind}:${id}`)
    return units.flatMap(([named, id]) => (named === kind ? [`${role}@${kind}:${id}`] : []))
  })
  return (await Promise.all(told)).flat()
}

/** The units of a kind in which somebody holds a role. */
async function listUnitsWith(trx: Transaction<DB>, role: string, kind: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('role_grant')
    .select('scope_id')
    .distinct()
    .where('role', '=', role)
    .where('scope_kind', '=', kind)
    .where('scope_id', 'is not', null)
    .execute()
  return rows.flatMap(({ scope_id: id }) => id ?? [])
}
