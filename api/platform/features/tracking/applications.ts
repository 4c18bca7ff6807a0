import type { Kysely, Transaction } from 'kysely'
import type { Begun } from '../../work/cases/begin.ts'
import { closedNow, openFieldOf, openTimes } from '../../work/cases/requester.ts'
import type { Cases } from '../../work/cases/service.ts'
import { claimBegun } from '../../work/rows/begun-forms.ts'
import { countPlaces } from '../../work/rows/places.ts'
import { registersService } from '../../work/registers/service.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { NO_ACCOUNT, once } from '../../kernel/db/idempotency.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { cleanName } from '../../kernel/formats.ts'
import { known } from '../../kernel/known.ts'
import { eachItem } from '../../kernel/paging.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import type { Item } from '../../records/registers/item.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { NewAccount } from '../../model/definitions/manifest.ts'
import { onlyFields, textAt } from '../../model/definitions/register.ts'
import { checkForm } from '../../model/forms/check.ts'
import { checkedAs } from '../../model/forms/checked-as.ts'
import { type Language, registerNamed } from '../../model/library/library.ts'
import { grantRole } from '../../people/identity/accounts.ts'
import { makeOwnAccount } from '../../people/identity/new-account.ts'
import { type LinkDependencies, passwordLinks } from '../../people/identity/password-links.ts'
import { expectGoodPassword, hashPassword } from '../../people/identity/password.ts'

/** Entries that are read at a time of a flow that opens for each. */
const PAGE = 100
/** Closed entries shown of such a flow, the newest; those that are open or will be are all shown. */
const MAX_CLOSED = 50

/**
 * Flows whose guests become account holders (`account` of the manifest). Account, role, case and the mail that confirms
 * the address are one transaction. The case waits until the address is confirmed.
 */
export interface ApplicationDependencies extends LinkDependencies {
  db: Kysely<DB>
  definitions: Definitions
  cases: Pick<Cases, 'beginForGuest' | 'deliver'>
}

/** A request by somebody who has no account yet. */
export interface Application {
  flow: string
  data: unknown
  /** Data of the manifest's account form. */
  account: unknown
  /** Chosen by the sender: the same key with the same request begins only one case. */
  key?: string
  /** The form that they had begun, if they said so when they opened it. */
  begun?: string | undefined
}

/** An account and the case that began with it. */
export interface Applied {
  username: string
  caseId: string
  reference: string
}

/** When a flow is open for an entry, such as a test that one can register for. */
export interface OpenEntry {
  id: string
  title: string
  /** The public fields. */
  data: JsonObject
  opens: string
  closes: string
  state: 'coming' | 'open' | 'closed'
  /** Where the flow has places: how many there are, and how many somebody can have now. */
  places: { there: number; free: number } | null
}

/** Begins a case for a person whose account is created with it. Errors of the account are below `/account`. */
export async function applyWithAccount(
  context: ApplicationDependencies,
  { flow, data, account, key, begun: opened }: Application,
  language: Language,
): Promise<Applied> {
  const { db, library, cases } = context
  const manifest = library.flows.get(flow)?.manifest
  const made = manifest?.account
  if (!made) throw new BusinessError('platform.not-found')
  const { email, passwordHash } = await credentialsOf(context, made, account).catch(belowAccount)
  const act = async (trx: Transaction<DB>): Promise<Begun> => {
    const name = cleanName(textAt(data, made.name) ?? '') || email
    const own = { username: email, email, name, passwordHash, language }
    const requesterId = await makeOwnAccount(trx, own).catch(belowAccount)
    await grantRole(trx, requesterId, { role: made.role })
    const item = textAt(data, openFieldOf(manifest) ?? '')
    if (opened !== undefined && item !== undefined) await claimBegun(trx, { id: opened, flow, item }, requesterId)
    const begun = await cases.beginForGuest(trx, { flow, data, requesterId, guest: requesterId })
    await passwordLinks(trx, context).sendConfirmation(requesterId)
    return begun
  }
  const { result, repeated } = await db.transaction().execute(async (trx) => {
    if (key === undefined) return { result: await act(trx), repeated: false }
    return once(trx, { accountId: NO_ACCOUNT, key: `application ${key}`, request: { flow, data, email } }, () =>
      act(trx),
    )
  })
  await cases.deliver(result, { announced: repeated })
  return { username: email, caseId: result.caseId, reference: result.reference }
}

/** The email and the hash of the password of the account form; throws its errors by field. */
async function credentialsOf(
  { library }: ApplicationDependencies,
  { form }: NewAccount,
  given: unknown,
): Promise<{ email: string; passwordHash: string }> {
  const { schema } = known(library.forms.get(form), `the form ${form}`)
  const typed = Object.entries(checkedAs<Record<string, unknown>>(given)).map(([name, value]) => [
    name,
    typeof value === 'string' && !/password/.test(name) ? value.trim() : value,
  ])
  const answers = effectiveAnswers(schema, Object.fromEntries(typed))
  const fields = checkForm(schema, answers)
  if (fields.length > 0) throw new BusinessError('platform.form-invalid', {}, fields)
  const { email, password } = checkedAs<{ email: string; password: string }>(answers)
  expectGoodPassword(password, [email])
  return { email, passwordHash: await hashPassword(password) }
}

/** Throws an error of the account with its fields at their place in the request. */
function belowAccount(error: unknown): never {
  if (!(error instanceof BusinessError)) throw error
  const { code, values, fields } = error
  const placed = fields.map((one) => ({ ...one, field: `/account${one.field}` }))
  throw new BusinessError(code, values, placed)
}

/** What people without an account may apply for, and with which forms. */
export interface PublicFlow {
  title: string
  description: string | null
  /** The start form, and its field that names an entry. */
  form: string
  field: string
  account: { form: string; after: string | null }
  /** The public fields of an entry, as a form's schema. */
  schema: JsonObject
  /** The one that opened last comes first. */
  items: OpenEntry[]
}

/** A flow with `open` and `account`, and the published entries that it is about. */
export async function publicFlow(
  { db, library }: Pick<ApplicationDependencies, 'db' | 'library'>,
  flow: string,
  now = new Date(),
): Promise<PublicFlow> {
  const manifest = library.flows.get(flow)?.manifest
  if (!manifest?.account || !manifest.open) throw new BusinessError('platform.not-found')
  const [field = ''] = manifest.open.from.split('#')
  const register = known(registerNamed(library, manifest.start, field), 'the register of a flow that opens')
  const { item, public: shown } = known(library.registers.get(register), `the register ${register}`)
  const service = registersService({ db, library })
  const items: Item[] = []
  for await (const one of eachItem((from) => service.publicItems(register, { limit: PAGE, ...from }))) items.push(one)
  const places =
    manifest.places &&
    (await countPlaces(
      db,
      items.map(({ id }) => id),
      manifest.places.number.slice(1),
    ))
  const entries = items.map(({ id, title, data, status, version }) => {
    const named = new Map([[field, { id, title, data, status, version }]])
    const times = known(openTimes(manifest, {}, named), 'when a flow opens')
    const closed = closedNow(manifest, {}, named, now)
    const state = !closed ? 'open' : closed.code === 'platform.closed' ? 'closed' : 'coming'
    const counted = places?.get(id)
    // Who waits has the next place.
    const free = counted && Math.max(counted.there - counted.taken - counted.waiting, 0)
    return {
      id,
      title,
      data,
      opens: times.from,
      closes: times.until,
      state,
      places: counted && free !== undefined ? { there: counted.there, free } : null,
    } as const
  })
  const byOpening = entries.toSorted((a, b) => (a.opens < b.opens ? 1 : -1))
  const older = new Set(byOpening.filter(({ state }) => state === 'closed').slice(MAX_CLOSED))
  const names = (shown?.fields ?? []).map((one) => one.slice(1))
  return {
    title: manifest.title,
    description: manifest.description ?? null,
    form: manifest.start,
    field: field.slice(1),
    account: { form: manifest.account.form, after: manifest.account.after ?? null },
    schema: onlyFields(item, names),
    items: byOpening.filter((one) => !older.has(one)),
  }
}
