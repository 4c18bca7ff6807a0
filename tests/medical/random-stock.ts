import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { textOf } from '../../api/platform/kernel/thrown.ts'
import type { TestDatabase } from '../platform/kit/database.ts'

/** The things of the model, each with three batches. */
export const THINGS = 200

interface Shelves {
  owner: TestDatabase['owner']
  /** Two who are in charge of stock. */
  one: string
  another: string
}

/** What the model holds of a batch; those of a thing are in the order in which they expire. */
interface Modelled {
  id: string
  isExpired: boolean
  units: number
}

const upTo = (most: number) => 1 + Math.floor(Math.random() * most)

/**
 * A round of movements, at most one of each thing: receipts, what is counted or corrected up or down, and issues of what expires
 * first, as the model says they are right. It is one transaction.
 */
function aRound(shelves: Modelled[][]): { batch: string; kind: string; units: number }[][] {
  return shelves.flatMap((batches) => {
    const [some, which] = [upTo(25), Math.random()]
    if (which < 0.4) {
      let open = some
      const usable = batches.filter(({ isExpired }) => !isExpired)
      if (usable.reduce((sum, { units }) => sum + units, 0) < some) return []
      const lines = usable.map((batch) => {
        const taken = Math.min(open, batch.units)
        batch.units -= taken
        open -= taken
        return { batch: batch.id, kind: 'issued', units: -taken }
      })
      return [lines.filter(({ units }) => units < 0)]
    }
    const batch = batches[Math.floor(Math.random() * batches.length)]!
    const kind = which < 0.7 ? 'received' : which < 0.85 ? 'counted' : 'corrected'
    const units = kind === 'received' || Math.random() < 0.5 ? some : -Math.min(some, batch.units)
    batch.units += units
    return units === 0 ? [] : [[{ batch: batch.id, kind, units }]]
  })
}

/**
 * Moves units at random, at least so many times, and tries what the model says is wrong. Returns how much of that was refused
 * and accepted, and how many batches hold something else than the model says, or less than nothing.
 */
export async function movesAtRandom(on: Shelves, least: number) {
  const { owner } = on
  const things = await sql<{ of: string; batches: string[] }>`
    with things as (insert into app.register_item (id, register, status, title, data)
        select gen_random_uuid(), 'medical/item', 'Active', 'Thing ' || n, '{}' from generate_series(1, ${THINGS}) n returning id),
      batches as (insert into app.register_item (id, register, status, title, data)
        select gen_random_uuid(), 'medical/batch', 'Active', 'Batch ' || n, jsonb_build_object('item', id, 'n', n)
        from things cross join generate_series(1, 3) n returning id, data),
      elsewhere as (insert into app.ledger_account (id, kind, overdraft)
        select 'stock:' || id || ':elsewhere', 'liability', true from batches),
      hand as (insert into app.ledger_account (id, kind, overdraft, batch_id, stock_of, expires_on)
        select 'stock:' || id || ':on-hand', 'asset', false, id, (data ->> 'item')::uuid,
          current_date + case data ->> 'n' when '1' then -5 when '2' then 30 else 60 end from batches)
    select data ->> 'item' as of, array_agg(id order by data ->> 'n') as batches from batches group by 1`.execute(
    owner.db,
  )
  const shelves = things.rows.map(({ batches }) =>
    batches.map((id, at): Modelled => ({ id, isExpired: at === 0, units: 0 })),
  )
  let [operations, refused, accepted] = [0, 0, 0]
  while (operations < least) {
    const round = aRound(shelves)
    operations += round.length
    await posted(round, on)
    // What the model says is wrong is refused whole: more than there is, what has expired, and what does not expire first.
    const [old, soon, late] = shelves[Math.floor(Math.random() * THINGS)]!
    const wrong = [
      { batch: soon!.id, kind: 'issued', units: -soon!.units - 1 },
      { batch: old!.id, kind: 'issued', units: -1 },
      ...(soon!.units > 0 ? [{ batch: late!.id, kind: 'issued', units: -1 }] : []),
    ]
    for (const move of wrong) {
      try {
        await posted([[move]], on)
        accepted += 1
      } catch (error) {
        if (textOf(error, 'code') !== '23514') throw error
        refused += 1
      }
    }
  }
  const { rows } = await sql<{ id: string; balance: string; sum: string }>`
    select a.batch_id as id, a.balance, coalesce(sum(l.amount), 0) as sum
    from app.ledger_account a left join app.ledger_line l on l.account_id = a.id
    where a.batch_id = any(${shelves.flat().map(({ id }) => id)}::uuid[]) group by a.id`.execute(owner.db)
  const held = new Map(rows.map(({ id, ...row }) => [id, row]))
  const differing = shelves.flat().filter(({ id, units }) => {
    const { balance, sum } = held.get(id)!
    return Number(balance) < 0 || Number(balance) !== units || Number(sum) !== units
  })
  return { operations, refused, accepted, differing: differing.length, batches: rows.length }
}

/** Posts movements in one transaction, in three statements; what goes down by hand is confirmed by a second person. */
async function posted(
  moves: { batch: string; kind: string; units: number }[][],
  { owner, one, another }: Shelves,
): Promise<void> {
  const entries = moves.map((lines) => {
    const [{ kind, units }] = [lines[0]!]
    const reduction = kind !== 'issued' && units < 0 ? randomUUID() : null
    const key = reduction === null ? randomUUID() : `stock-reduction:${reduction}`
    return { id: randomUUID(), key, kind, reduction, lines }
  })
  const all = JSON.stringify(entries)
  await owner.db.transaction().execute(async (trx) => {
    const reduced = entries.filter(({ reduction }) => reduction !== null)
    if (reduced.length > 0) {
      await sql`insert into app.stock_reduction (id, batch_id, kind, units, reason, proposed_by, confirmed, decided_by, decided_at)
        select reduction, (lines -> 0 ->> 'batch')::uuid, kind, -(lines -> 0 ->> 'units')::int, 'random', ${one}, true, ${another}, now()
        from jsonb_to_recordset(${JSON.stringify(reduced)}::jsonb) as e(reduction uuid, kind text, lines jsonb)`.execute(
        trx,
      )
    }
    await sql`insert into app.ledger_entry (id, key, kind, memo, lines, posted_by)
      select id, key, 'stock-' || kind, 'random', 2 * jsonb_array_length(lines), ${another}
      from jsonb_to_recordset(${all}::jsonb) as e(id uuid, key text, kind text, lines jsonb)`.execute(trx)
    await sql`insert into app.ledger_line (entry_id, position, account_id, amount)
      select e.id, 2 * (m.at - 1) + side, 'stock:' || (m.line ->> 'batch') || case side when 0 then ':on-hand' else ':elsewhere' end,
        (m.line ->> 'units')::int * (1 - 2 * side)
      from jsonb_to_recordset(${all}::jsonb) as e(id uuid, lines jsonb)
        cross join jsonb_array_elements(e.lines) with ordinality as m(line, at) cross join generate_series(0, 1) side`.execute(
      trx,
    )
  })
}
