import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { rupees } from '../../kernel/rupees.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { ledger } from '../ledger/ledger.ts'
import { type RegisterDefinition, at, inUse } from '../../model/definitions/register.ts'

/** An entry before and after a change, for its ledger accounts; `before` is absent for a new one. */
interface Kept {
  id: string
  version: number
  before?: { status: string; data: JsonObject }
  after: { status: string; data: JsonObject }
}

/** The ledger account of an entry: `vote:<id>:available` for an entry of `vouchers/vote`. */
export function accountOfItem(register: string, id: string, account: string): string {
  return `${register.split('/')[1]}:${id}:${account}`
}

/**
 * Keeps the ledger accounts of an entry consistent with its data: opens them when it is created, posts changes of its
 * amount, and rejects what the balances do not permit. Returns errors by field; the transaction must then be rolled
 * back.
 */
export async function keepBooks(
  trx: Transaction<DB>,
  register: string,
  definition: RegisterDefinition,
  { id, version, before, after }: Kept,
): Promise<FieldError[]> {
  const { books } = definition
  if (!books) return []
  const own = ledger(trx)
  const account = (name: string) => accountOfItem(register, id, name)
  if (!before) for (const [name, kind] of Object.entries(books.accounts)) await own.open(account(name), kind)

  const amountOf = (data: JsonObject | undefined) => Number(at(data, books.amount) ?? 0)
  const more = amountOf(after.data) - amountOf(before?.data)
  if (more !== 0) {
    if (after.status !== inUse(definition)) return [{ field: books.amount, code: 'platform.amount-of-item-out-of-use' }]
    const free = await own.balance(account(books.to))
    if (free + more < 0) {
      const least = rupees(amountOf(before?.data) - free)
      return [{ field: books.amount, code: 'platform.amount-in-use', values: { least } }]
    }
    await own.post({
      key: `${account(books.to)}:${version}`,
      kind: 'amount-of-item',
      lines: [
        { account: account(books.to), amount: more },
        { account: account(books.from), amount: -more },
      ],
    })
  }
  if (definition.final?.includes(after.status))
    for (const name of books.clear)
      if ((await own.balance(account(name))) !== 0) return [{ field: '/status', code: 'platform.books-not-clear' }]
  return []
}
