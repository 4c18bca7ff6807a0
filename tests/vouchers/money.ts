import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import { pino } from 'pino'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { accountOf } from '../../api/vouchers/votes/accounts.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount } from '../platform/kit/rows.ts'

const root = join(import.meta.dirname, '../..')
const lock = { held: () => true, confirm: () => Promise.resolve(true) }

/** The date of everything here. */
export const TODAY = '2027-03-01'
const NOW = new Date(`${TODAY}T10:00:00+05:30`)

export type MoneyWorld = Awaited<ReturnType<typeof moneyWorld>>

/** A separate database with payees, an account and votes, and the workers that move their money. */
export async function moneyWorld() {
  const library = loadLibrary(root)
  const database = await freshDatabase()
  const { db } = database
  const run = runOnce({ db, library, publicUrl: 'http://localhost', clock: () => NOW })
  const topics = await discoverWorkers()
  const person = await anAccount(db)
  let counted = 0

  const inTransaction = <T>(act: (trx: Transaction<DB>) => Promise<T>): Promise<T> => db.transaction().execute(act)
  const own = <T>(act: (items: ReturnType<typeof registers>, trx: Transaction<DB>) => Promise<T>): Promise<T> =>
    inTransaction((trx) => act(registers(trx, library), trx))
  const make = async (register: string, data: JsonObject) =>
    (await own((items) => items.create(`vouchers/${register}`, data, person))).id

  const bank = await make('bank', { code: '9001', name: 'Bank' })
  const branch = await make('branch', { bank, code: '9001-007', name: 'Branch' })
  /** A desk's submission in a case. */
  async function answered(caseId: string, formKey: string, data: object): Promise<void> {
    const { flow_hash: hash } = await db
      .selectFrom('flow_case')
      .select('flow_hash')
      .where('id', '=', caseId)
      .executeTakeFirstOrThrow()
    const row = { id: randomUUID(), case_id: caseId, form_key: formKey, form_hash: hash }
    await db
      .insertInto('submission')
      .values({ ...row, data: JSON.stringify(data), submitted_by: person, effect: 'done' })
      .execute()
  }
  const at = (number: string): JsonObject => ({ bank, branch, account_number: number })

  return {
    database,
    library,
    person,
    inTransaction,
    own,
    branch,
    payee: await make('payee', { code: 'S-1', name: 'Paper Traders', kind: 'supplier', ...at('0012 3345 7781') }),
    aPayee: (code: string) => make('payee', { code, name: `Payee ${code}`, kind: 'supplier', ...at('0012 3345 7781') }),

    async change(register: string, id: string, patch: JsonObject) {
      await own(async (items) => items.change(await items.lock(`vouchers/${register}`, id), patch, person))
    },

    account: async (first: number) =>
      make('bank-account', { name: `Account ${first}`, ...at(`0001 0000 ${first}`), first_cheque: first }),

    /** A vote with this many cents, with a number of its own by default. */
    vote: async (budget: number, { year = 2027, number = `V-${++counted}` } = {}) =>
      make('vote', { number, title: 'Vote', year, budget }),

    async budget(vote: string, cents: number) {
      await own(async (items) => items.change(await items.lock('vouchers/vote', vote), { budget: cents }, person))
    },

    async send(batch: string) {
      await own(async (items) => items.setStatus(await items.lock('vouchers/payment-batch', batch), 'Sent', person))
    },

    /** The balances of a vote: available, committed, spent. */
    on: async (vote: string) =>
      inTransaction(async (trx) => {
        const books = ledger(trx)
        const [available, committed, spent] = [
          await books.balance(accountOf(vote, 'available')),
          await books.balance(accountOf(vote, 'committed')),
          await books.balance(accountOf(vote, 'spent')),
        ]
        return { available, committed, spent }
      }),

    /** A certified voucher over these cents of these votes. */
    async voucher(payee: string, lines: Record<string, number>): Promise<string> {
      const id = await aCase(db, person, { flow: 'vouchers/payment-voucher' })
      await db
        .updateTable('flow_case')
        .set({
          data: JSON.stringify({
            payee,
            lines: Object.entries(lines).map(([vote, amount]) => ({ vote, description: 'Paper', amount })),
          }),
        })
        .where('id', '=', id)
        .execute()
      await answered(id, 'vouchers/certify', { outcome: 'certify' })
      return id
    },

    answered,

    /** Runs one worker for one case, by default under a new external task; without an area, one of vouchers. */
    work: (
      named: string,
      caseId: string,
      { id = randomUUID() as string, ...variables }: Record<string, unknown> = {},
      confirm: () => Promise<boolean> = lock.confirm,
    ) => {
      const topic = named.includes('.') ? named : `vouchers.${named}`
      return run({
        worker: topics.get(topic)!,
        task: { id: String(id), topic, element: 'serviceTask_x', caseId, variables },
        lock: { ...lock, confirm },
        log: pino({ enabled: false }),
      })
    },

    payments: (caseId: string) =>
      db
        .selectFrom('voucher_payment')
        .select(['id', 'number', 'state', 'cheque_number', 'batch_id', 'method', 'paid_to'])
        .where('case_id', '=', caseId)
        .orderBy('number')
        .execute(),
  }
}

/** The answer of the desk that pays by cheque. */
export const cheque = (account: string, more: object = {}) => ({
  outcome: 'pay',
  method: 'cheque',
  bank_account: account,
  ...more,
})
