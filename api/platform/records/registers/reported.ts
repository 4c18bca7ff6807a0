import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import { type RegisterDefinition, inUse, textAt } from '../../model/definitions/register.ts'
import { lookUp } from '../../model/definitions/named.ts'
import type { Library } from '../../model/library/library.ts'
import { lastInUse } from './last-in-use.ts'

interface Entry {
  data: JsonObject
  created_at: Date
}

/**
 * When the person of an entry reported its paper as lost or stolen (`paper.reported`); undefined if they did not, or have
 * withdrawn such a request since: it was found.
 */
export async function reportedAt(
  db: Kysely<DB>,
  registers: Library['registers'],
  { own, paper }: RegisterDefinition,
  entry: Entry,
): Promise<Date | undefined> {
  const person = own && textAt(entry.data, own.by)
  if (!paper?.reported || person === undefined) return undefined
  const { flow, at } = paper.reported
  const cases = await db
    .selectFrom('flow_case as c')
    .innerJoin('account as a', 'a.id', 'c.requester_id')
    .select(['c.data', 'c.created_at', 'c.withdrawn_at'])
    .where('a.record_id', '=', person)
    .where('c.flow', '=', flow)
    .where('c.created_at', '>', entry.created_at)
    .where('c.state', '<>', 'failed')
    .orderBy('c.created_at')
    .execute()
  let reported: Date | undefined
  for (const { data, created_at, withdrawn_at } of cases)
    if ((await lookUp(at, data, (id) => lastInUse(db, registers, id))) === true)
      reported = withdrawn_at ? undefined : (reported ?? created_at)
  return reported
}

/** Throws `platform.card-reported` if one of these numbers is that of a card in use that was reported lost or stolen. */
export async function refuseReported(
  db: Kysely<DB>,
  { registers }: Pick<Library, 'registers'>,
  register: string,
  numbers: readonly string[],
): Promise<void> {
  const definition = known(registers.get(register), `the register ${register}`)
  const code = known(definition.codeField, `the code of ${register}`).slice(1)
  const cards = await db
    .selectFrom('register_item')
    .select(['data', 'created_at'])
    .where('register', '=', register)
    .where('status', '=', inUse(definition))
    .where(sql<string>`upper(data ->> ${code})`, 'in', [...numbers])
    .execute()
  for (const card of cards)
    if (await reportedAt(db, registers, definition, card)) throw new BusinessError('platform.card-reported')
}
