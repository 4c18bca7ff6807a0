import { sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import { type FollowRule, type RegisterDefinition, inUse, textAt } from '../../model/definitions/register.ts'
import { moveItem } from './change.ts'
import type { RegistersContext } from './context.ts'
import { type Follower, firstDemand } from './demands.ts'
import { type Item, isFinal } from './item.ts'

/**
 * Gives entries of other registers the status that these written entries demand of them (`follows` of a register), with
 * the reason. A rule about a status is followed only when that status is new. Entries that people have put out of use
 * stay so, and those with a final status stay as they are. Entries that change here are not followed by others.
 */
export async function followWritten(context: RegistersContext, written: readonly Item[]): Promise<void> {
  const source = written[0]?.register
  let moved: Promise<string[]> | undefined
  for (const [register, definition] of context.library.registers) {
    const { rules = [] } = definition.follows ?? {}
    for (const rule of rules.filter((one) => one.register === source)) {
      const named =
        'same' in rule
          ? written.flatMap(({ data }) => textAt(data, rule.same) ?? [])
          : await (moved ??= withNewStatus(context, written))
      for (const entry of await followersOf(context, register, definition, { rule, named }))
        await follow(context, definition, entry, rule)
    }
  }
}

/** Those of these entries that are new, or have another status than before. */
async function withNewStatus({ trx }: RegistersContext, written: readonly Item[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.id from register_item i
    left join register_item_version v on v.item_id = i.id and v.version = i.version - 1
    where i.id = any(${written.map(({ id }) => id)}::uuid[]) and v.status is distinct from i.status`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The entries that name one of these by the field of the rule, locked in the order of their ids. */
async function followersOf(
  { trx }: RegistersContext,
  register: string,
  { final = [] }: RegisterDefinition,
  { rule, named }: { rule: FollowRule; named: readonly string[] },
): Promise<Follower[]> {
  if (named.length === 0) return []
  const { rows } = await sql<Follower>`
    select i.id, i.register, i.version, i.status, i.data from register_item i
    where i.register = ${register} and i.status <> all(${final}::text[]) and exists (select from register_reference r
      where r.item_id = i.id and r.path = ${rule.at} and r.target_id = any(${[...named]}::uuid[]))
    order by i.id for no key update of i`.execute(trx)
  return rows
}

async function follow(
  context: RegistersContext,
  definition: RegisterDefinition,
  entry: Follower,
  written: FollowRule,
): Promise<void> {
  const { rules, reason } = known(definition.follows, 'the registers that are followed')
  const isUsed = entry.status === inUse(definition)
  const isByRule = rules.some((rule) => rule.reason === textAt(entry.data, reason))
  // People may use an entry despite another rule; only what was written now puts it out of use again.
  const demand = await firstDemand(context, isUsed ? [written] : rules, entry)
  if (demand === undefined) {
    if (!isUsed && isByRule) await moveItem(context, entry, { status: inUse(definition), reason: null }, null)
  } else if (isUsed || isByRule || isFinal(definition, demand)) {
    const isSame = demand.status === entry.status && demand.reason === textAt(entry.data, reason)
    if (!isSame) await moveItem(context, entry, demand, null)
  }
}
