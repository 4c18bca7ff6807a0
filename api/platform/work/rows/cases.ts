import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'
import { type Manifest, movesSlots } from '../../model/definitions/manifest.ts'
import type { Person } from '../../people/persons/person.ts'
import { isTheirs, reaches } from './candidates.ts'
import { bound } from '../../kernel/bound.ts'

export interface NewCase {
  id: string
  flow: string
  flowHash: string
  definitionId: string
  requesterId: string
  /** Who sent it for the requester. */
  sentBy: string | null
  data: JsonObject
  statuses: Record<string, string>
  scope: Record<string, string>
  subject: JsonObject
  facts: JsonObject
  filters: Record<string, string>
  /** In cents. */
  amount: number | null
  /**
   * Key by which the requester has at most one case of the flow. Cases that ended with a status of `again` do not
   * count.
   */
  once: string | null
  again: readonly string[]
  /** When requests close, if they do, until when who had begun may finish, and the entry that says so. */
  closing?: { at: Date; finishUntil: Date | null; item: string | null } | undefined
  /** The entry whose status is that of the case from now on, with the status that it has. */
  leads?: { id: string; status: string } | undefined
}

/** Whether a case permits its requester another one: it failed, was withdrawn, or ended with one of these statuses. */
export const endedUnsuccessfully = (again: readonly string[]) =>
  sql<boolean>`(state = 'failed' or (state = 'ended' and (withdrawn_at is not null or status = any(${[...again]}))))`

export type CaseRow = Awaited<ReturnType<typeof getCaseRow>>

/** Each column by name: a prepared `*` fails when a migration adds one. */
export const caseColumns = [
  'c.amount',
  'c.changed_at',
  'c.closes_at',
  'c.created_at',
  'c.data',
  'c.drifted',
  'c.end_reason',
  'c.ended_at',
  'c.facts',
  'c.filters',
  'c.finish_until',
  'c.flow',
  'c.flow_hash',
  'c.id',
  'c.leads',
  'c.led_from',
  'c.once_key',
  'c.open_item',
  'c.process_definition_id',
  'c.process_instance_id',
  'c.reference',
  'c.requester_id',
  'c.scope',
  'c.sent_by',
  'c.sole_asked',
  'c.sole_key',
  'c.state',
  'c.status',
  'c.statuses',
  'c.subject',
  'c.version',
  'c.withdrawal_reason',
  'c.withdrawn_at',
] as const

/** Cases with the names of their requesters and senders. */
export function selectCases(db: Kysely<DB> | Transaction<DB>) {
  return db
    .selectFrom('flow_case as c')
    .innerJoin('account as r', 'r.id', 'c.requester_id')
    .leftJoin('account as s', 's.id', 'c.sent_by')
    .select(caseColumns)
    .select(['r.name as requester_name', 'r.registered as requester_registered'])
    .select(['s.name as sender_name', sql<string>`c.created_at::text`.as('created')])
}

/** Frees the key of a case that ended unsuccessfully, so that the requester can begin another. */
async function freeOnce(db: Kysely<DB>, { flow, requesterId, again }: NewCase, once: string): Promise<void> {
  await sql`
    update flow_case set once_key = null
    where flow = ${flow} and requester_id = ${requesterId} and once_key = ${once} and ${endedUnsuccessfully(again)}`.execute(
    db,
  )
  const held = await db
    .selectFrom('flow_case')
    .select('id')
    .where('flow', '=', flow)
    .where('requester_id', '=', requesterId)
    .where('once_key', '=', once)
    .executeTakeFirst()
  if (held) throw new BusinessError('platform.once-only')
}

/** Throws if the requester already has a case that counts. */
export async function createCase(db: Kysely<DB>, given: NewCase): Promise<void> {
  if (given.once !== null) await freeOnce(db, given, given.once)
  const inserted = db
    .insertInto('flow_case')
    .values({
      id: given.id,
      // Until the end of this transaction, see `namingCase`.
      reference: given.id,
      flow: given.flow,
      flow_hash: given.flowHash,
      process_definition_id: given.definitionId,
      requester_id: given.requesterId,
      sent_by: given.sentBy,
      data: JSON.stringify(given.data),
      status: given.statuses['status'] ?? '',
      statuses: JSON.stringify(given.statuses),
      scope: JSON.stringify(given.scope),
      subject: JSON.stringify(given.subject),
      facts: JSON.stringify(given.facts),
      filters: JSON.stringify(given.filters),
      amount: given.amount,
      once_key: given.once,
      closes_at: given.closing?.at ?? null,
      finish_until: given.closing?.finishUntil ?? null,
      open_item: given.closing?.item ?? null,
      leads: given.leads?.id ?? null,
      led_from: given.leads?.status ?? null,
    })
    .execute()
  await inserted.catch((error: unknown) => {
    const constraint = textOf(error, 'constraint')
    if (constraint === 'flow_case_leads_once') throw new BusinessError('platform.item-led')
    if (constraint === 'entry_led_from') throw new BusinessError('platform.changed-meanwhile')
    throw constraint === 'flow_case_once' ? new BusinessError('platform.once-only') : error
  })
}

/** Gives a new case the number of the query `taken`, as the queries that `recordFound` of the audit asks for. */
export const namingCase = (id: string, taken: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${taken}, found as (
    update flow_case set reference = taken.text from taken where id = ${id}::uuid returning taken.text
  )`

export async function findCaseRow(db: Kysely<DB>, id: string) {
  return selectCases(db).where('c.id', '=', id).executeTakeFirst()
}

/** The newest case that leads an entry. */
export async function findLeadingCase(db: Kysely<DB>, item: string) {
  return db
    .selectFrom('flow_case')
    .select(['id', 'reference', 'flow'])
    .where('leads', '=', item)
    .where('state', '<>', 'failed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The running cases that keep an entry for themselves, at most one of each flow. */
export async function listClaimingCases(db: Kysely<DB>, item: string) {
  return db
    .selectFrom('case_claim as k')
    .innerJoin('flow_case as c', 'c.id', 'k.case_id')
    .select(['c.id', 'c.reference', 'c.flow'])
    .where('k.item_id', '=', item)
    .orderBy('c.created_at', 'desc')
    .execute()
}

/** What the requester sent, and what workers found out. */
export async function getCaseContent(db: Kysely<DB>, id: string): Promise<{ data: JsonObject; facts: JsonObject }> {
  return db.selectFrom('flow_case').select(['data', 'facts']).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function getCaseRow(db: Kysely<DB>, id: string) {
  return selectCases(db).where('c.id', '=', id).executeTakeFirstOrThrow()
}

/** The principal through which a task of the case is or was this person's. */
export async function findTaskRight(
  db: Kysely<DB>,
  caseId: string,
  person: Pick<Person, 'id' | 'principals' | 'standsIn'>,
): Promise<string | undefined> {
  // Use only principals of this person and of people they substitute for: the right is logged in the audit trail.
  const { rows } = await sql<{ principal: string | null }>`
    select c.principal from task t join flow_case f on f.id = t.case_id
      left join task_candidate c on c.task_id = t.id and ${reaches(person)}
    where t.case_id = ${caseId} and (c.principal is not null or ${isTheirs(person)}) limit 1`.execute(db)
  return rows[0] && (rows[0].principal ?? `user:${person.id}`)
}

export async function failCase(db: Kysely<DB>, id: string, reason: string): Promise<void> {
  await db
    .updateTable('flow_case')
    .set((eb) => ({
      state: 'failed',
      end_reason: reason,
      ended_at: sql`clock_timestamp()`,
      changed_at: sql`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'starting')
    .execute()
}

/** Waits for workers that are changing the case; later ones see this change. */
export async function lockCase(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('flow_case as c')
    .select(caseColumns)
    .where('c.id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Keeps others from changing the case. Rows that only refer to it, such as an answer at a desk, do not wait. */
export async function holdCase(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('flow_case as c')
    .select(caseColumns)
    .where('c.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Writes the content of a case. */
export async function saveCaseContent(
  db: Kysely<DB>,
  id: string,
  {
    amount,
    ...said
  }: {
    data?: JsonObject
    subject?: JsonObject
    facts?: JsonObject
    filters?: Record<string, string>
    amount?: number | null
  },
): Promise<void> {
  const columns = Object.entries(said).map(([column, value]) => [column, JSON.stringify(value)])
  await db
    .updateTable('flow_case')
    .set((eb) => ({
      ...Object.fromEntries(columns),
      ...(amount !== undefined && { amount }),
      changed_at: sql`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** What a message means to the case: its withdrawal, an act, an act that takes slots to move to, or answers. */
export async function meaningOfMessage(
  db: Kysely<DB>,
  id: string,
  message: string,
): Promise<'withdrawal' | 'act' | 'move' | 'step' | { answers: string[] }> {
  const row = await db
    .selectFrom('flow_case as c')
    .innerJoin('artifact as f', 'f.hash', 'c.flow_hash')
    .select(sql<Pick<Manifest, 'withdraw' | 'acts' | 'asks' | 'assigns'>>`f.content::jsonb`.as('manifest'))
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
  const { withdraw, acts = [], asks = {} } = row.manifest
  if (message === withdraw) return 'withdrawal'
  const answers = Object.keys(asks).filter((name) => asks[name]?.message === message)
  if (answers.length > 0) return { answers }
  const meant = acts.filter((act) => act.message === message)
  if (meant.length === 0) return 'step'
  return meant.some((act) => movesSlots(row.manifest, act)) ? 'move' : 'act'
}

/** Whether a message to the case is on its way to the engine. */
export async function isCaseCorrelating(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const row = await db
    .selectFrom('command')
    .select('id')
    .where('case_id', '=', caseId)
    .where('kind', '=', 'correlate')
    .where('state', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets or clears the mark that tells workers that a case is withdrawn, and why. */
export async function setCaseWithdrawn(
  db: Kysely<DB>,
  id: string,
  withdrawn: boolean,
  reason: string | null = null,
): Promise<void> {
  await db
    .updateTable('flow_case')
    .set((eb) => ({
      withdrawn_at: withdrawn ? sql<Date>`clock_timestamp()` : null,
      withdrawal_reason: withdrawn ? reason : null,
      changed_at: sql`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export function caseRepository(db: Kysely<DB>) {
  return bound(db, {
    create: createCase,
    find: findCaseRow,
    get: getCaseRow,
    findTaskRight,
    fail: failCase,
    lock: lockCase,
    hold: holdCase,
    say: saveCaseContent,
    meaningOf: meaningOfMessage,
    isCorrelating: isCaseCorrelating,
    setWithdrawn: setCaseWithdrawn,
  })
}
