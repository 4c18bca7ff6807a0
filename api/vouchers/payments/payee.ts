import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { DB, JsonObject } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import type { DeskInput } from '../../platform/model/deployed/rules.ts'
import { checkedAs } from '../../platform/model/forms/checked-as.ts'

/** The fields of a payee that decide who gets the money. */
const PAID_TO = ['name', 'bank', 'branch', 'account_number'] as const
/** The forms in which a bursar certifies a payee, each with the outcome `certify`. */
const CERTIFICATES = ['vouchers/certify', 'vouchers/certify-payee']

/**
 * The payee of a voucher as last certified, locked, with its account. Throws `vouchers.payee-changed` if its name,
 * account, or the code of its bank or branch has changed since.
 */
export async function certifiedPayee(
  db: Kysely<DB>,
  caseId: string,
  payee: string,
): Promise<{ version: number; name: string; account: JsonObject }> {
  const now = await present(db, payee)
  const { version, data } = await certified(db, caseId, payee)
  const name = String(data['name'])
  const account = await bankDetails(data, async (id) => (await certified(db, caseId, id)).data)
  const isSame = PAID_TO.every((field) => now[field] === data[field])
  if (!isSame || !isDeepStrictEqual(await bankDetails(now, (id) => present(db, id)), account))
    throw new BusinessError('vouchers.payee-changed', { payee: name })
  return { version, name, account }
}

/** An account as banks write it: codes without our prefix, the number without spaces. */
export async function bankDetails(
  { bank, branch, account_number: account }: JsonObject,
  read: (id: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  const codeOf = async (id: JsonObject[string]): Promise<string | undefined> =>
    typeof id === 'string' ? String((await read(id))['code']) : undefined
  const [bankCode, branchCode] = [await codeOf(bank), await codeOf(branch)]
  return {
    ...(bankCode !== undefined && { bank: bankCode }),
    ...(branchCode !== undefined && { branch: branchCode.slice(-3) }),
    ...(typeof account === 'string' && { account: account.replaceAll(/[ -]/g, '') }),
  }
}

/** The present version of a register entry, locked until the transaction ends. */
export async function present(db: Kysely<DB>, id: string): Promise<JsonObject> {
  const row = await db
    .selectFrom('register_item')
    .select('data')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
  return checkedAs<JsonObject>(row.data)
}

/** A register entry as it was when the voucher was last certified. */
async function certified(db: Kysely<DB>, caseId: string, id: string): Promise<{ version: number; data: JsonObject }> {
  const row = await db
    .selectFrom('register_item_version')
    .select(['version', 'data'])
    .where('item_id', '=', id)
    .where('at', '<=', (eb) =>
      eb
        .selectFrom('submission')
        .select((of) => of.fn.max('at').as('at'))
        .where('case_id', '=', caseId)
        .where('effect', '<>', 'void')
        .where('form_key', 'in', CERTIFICATES)
        .where(sql`data ->> 'outcome'`, '=', 'certify'),
    )
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new Error(`nobody has certified the voucher with ${id}`)
  return { version: row.version, data: checkedAs<JsonObject>(row.data) }
}

/**
 * Throws `vouchers.payee-changed-by-you` if the certifying person has changed the payee's name or account since the
 * voucher began, however often it was sent again. Somebody else has to certify it then.
 */
export async function anotherHasChanged({ current, trx, caseId, by }: DeskInput): Promise<void> {
  const facets = sql.raw(PAID_TO.map((field) => `v.data -> '${field}'`).join(', '))
  const before = sql.raw(PAID_TO.map((field) => `earlier.data -> '${field}'`).join(', '))
  const { rows } = await sql`
    select from flow_case c
    join register_item_version v on v.item_id = ${String(current['payee'])}::uuid and v.at > c.created_at
    join register_item_version earlier on earlier.item_id = v.item_id and earlier.version = v.version - 1
    where c.id = ${caseId}::uuid and v.changed_by = ${by}::uuid and (${facets}) is distinct from (${before}) limit 1`.execute(
    trx,
  )
  if (rows.length > 0) throw new BusinessError('vouchers.payee-changed-by-you')
}
