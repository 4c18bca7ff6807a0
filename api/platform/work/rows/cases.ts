import { randomBytes } from 'node:crypto'
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { sentHash } from '../../kernel/audit/format.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { utc } from '../../kernel/db/utc.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import type { Person } from '../../people/persons/person.ts'
import { containing } from '../../kernel/like.ts'
import { isTheirs, reaches } from './tasks.ts'

export interface NewCase {
  id: string
  reference: string
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
  /** By what the requester has one case of the flow at most; one that ended in a status of `again` does not count. */
  once: string | null
  again: readonly string[]
}

export interface NewSubmission {
  caseId: string
  taskId?: string
  formKey: string
  formHash: string
  data: unknown
  by: string
  actedAs?: string | null
}

/** Which cases somebody may list: all of a flow, or those of some units, by the names that the flow has for them. */
export interface Visibility {
  flow: string
  /** Undefined: every case of the flow. */
  units?: { name: string; ids: string[] }[]
}

export interface CaseQuery {
  requesterId?: string
  /** Undefined: whatever there is. */
  visible?: readonly Visibility[]
  flow?: string
  /** Those in any of these states. */
  status?: readonly string[]
  /** Of the flow's other status lists: list → state, and where people are told of it at certain desks only, these. */
  statuses?: Readonly<Record<string, { state: string; desks?: readonly string[] }>>
  /** Those that name this register item. */
  item?: string
  search?: string
  after?: { created: string; id: string }
  limit: number
}

/** Whether a case keeps its requester from no other: it failed, was withdrawn, or ended in one of these statuses. */
const endedUnsuccessfully = (again: readonly string[]) =>
  sql<boolean>`(state = 'failed' or (state = 'ended' and (withdrawn_at is not null or status = any(${[...again]}))))`

/** Whether a case `c` is one of those that somebody may list. */
function among(visible: readonly Visibility[]) {
  const each = visible.map(({ flow, units }) => {
    const of = units?.map(({ name, ids }) => sql<boolean>`c.scope ->> ${name} = any(${ids}::text[])`)
    return of ? sql<boolean>`(c.flow = ${flow} and (${sql.join(of, sql` or `)}))` : sql<boolean>`c.flow = ${flow}`
  })
  return each.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(each, sql` or `)})`
}

/**
 * The newest case of a flow of the person that an entry is about, of those that somebody may list (undefined: all). One
 * that was withdrawn or never began is none.
 */
export function newestOfEntry(entry: RawBuilder<unknown>, flow: string, visible: readonly Visibility[] | undefined) {
  return sql`select c.id, c.reference, c.status, c.state, c.ended_at, c.end_reason from flow_case c
    join account a on a.id = c.requester_id where a.record_id = ${entry} and c.flow = ${flow} and c.state <> 'failed'
      and c.withdrawn_at is null and ${visible ? among(visible) : sql`true`}
    order by c.created_at desc, c.id desc limit 1`
}

/** A text as it is compared by whoever has typed it elsewhere: without its spaces, signs and capitals; null where that is nothing. */
const told = (text: RawBuilder<string | null>) =>
  sql`nullif(lower(regexp_replace(${text}, '[\\s[:punct:]]+', '', 'g')), '')`

/** What stands in a field, as SQL has it as text. */
const textOf = (value: unknown) =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** What the entry of what somebody sent says of it. */
export interface SealedSubmission extends JsonObject {
  submissionId: string
  formHash: string
  /** `sentHash` of it. */
  sealed: string
  /** The sender's name at that time. */
  submitter: string | null
}

export type CaseRow = Awaited<ReturnType<ReturnType<typeof caseRepository>['get']>>

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Cases with what was sent, what happened to them and what belongs to them. */
export function caseRepository(db: Kysely<DB> | Transaction<DB>) {
  const cases = () =>
    db
      .selectFrom('flow_case as c')
      .innerJoin('account as r', 'r.id', 'c.requester_id')
      .leftJoin('account as s', 's.id', 'c.sent_by')
      .selectAll('c')
      .select(['r.name as requester_name', 'r.registered as requester_registered'])
      .select(['s.name as sender_name', sql<string>`c.created_at::text`.as('created')])

  /** Says which items a new case refers to. */
  async function addItems(
    caseId: string,
    items: readonly { path: string; id: string; version: number }[],
  ): Promise<void> {
    if (items.length === 0) return
    await db
      .insertInto('case_item')
      .values(items.map(({ path, id, version }) => ({ case_id: caseId, path, item_id: id, item_version: version })))
      .execute()
  }

  /** A case that came to nothing keeps nobody from another. */
  async function freeOnce({ flow, requesterId, again }: NewCase, once: string): Promise<void> {
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

  function listed(asked: Omit<CaseQuery, 'after' | 'limit'>) {
    const { requesterId, visible, flow, status, statuses = {}, item, search } = asked
    let query = cases()
    if (requesterId) query = query.where('c.requester_id', '=', requesterId)
    if (flow) query = query.where('c.flow', '=', flow)
    if (status) query = query.where('c.status', 'in', [...status])
    if (item)
      query = query.where(sql<boolean>`exists (select from case_item i where i.case_id = c.id and i.item_id = ${item})`)
    for (const [list, { state, desks }] of Object.entries(statuses)) {
      query = query.where(sql<string>`c.statuses ->> ${list}`, '=', state)
      if (desks)
        query = query.where(sql<boolean>`exists (select from task t where t.case_id = c.id
          and t.state in ('open', 'held', 'accepted') and t.desk = any(${[...desks]}::text[]))`)
    }
    if (search) {
      const like = containing(search)
      query = query.where(
        sql<boolean>`(c.reference ilike ${like} or c.subject::text ilike ${like} or c.facts::text ilike ${like})`,
      )
    }
    return visible ? query.where(among(visible)) : query
  }

  return {
    /** Throws where the requester has a case that counts already. */
    async create(given: NewCase): Promise<void> {
      if (given.once !== null) await freeOnce(given, given.once)
      const inserted = db
        .insertInto('flow_case')
        .values({
          id: given.id,
          reference: given.reference,
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
        })
        .execute()
      await inserted.catch((error: Error & { constraint?: string }) => {
        throw error.constraint === 'flow_case_once' ? new BusinessError('platform.once-only') : error
      })
    },

    async find(id: string) {
      return cases().where('c.id', '=', id).executeTakeFirst()
    },

    async get(id: string) {
      return cases().where('c.id', '=', id).executeTakeFirstOrThrow()
    },

    /** Cases newest first. */
    async list({ after, limit, ...query }: CaseQuery) {
      let wanted = listed(query)
      if (after)
        wanted = wanted.where(sql<boolean>`(c.created_at, c.id) < (${after.created}::timestamptz, ${after.id}::uuid)`)
      return wanted.orderBy('c.created_at', 'desc').orderBy('c.id', 'desc').limit(limit).execute()
    },

    /**
     * The cases of a flow that name an item in a field, without those that were withdrawn or never began; first those that
     * are alike in what these pointers find, then the newest. Those that somebody may see, and with `handles` also those
     * that are alike.
     */
    async listEarlier({
      but,
      flow,
      by,
      item,
      like,
      reader,
      visible,
      handles,
      limit,
    }: {
      but: string
      flow: string
      by: string
      item: string
      like: readonly { path: string[]; value: unknown }[]
      reader: Pick<Person, 'id' | 'principals' | 'standsIn'>
      /** What they may list beside their own and their tasks; undefined: whatever there is. */
      visible: readonly Visibility[] | undefined
      handles: boolean
      limit: number
    }) {
      const same = like.map(
        ({ path, value }) =>
          sql<boolean>`${told(sql`c.data #>> ${path}::text[]`)} is not distinct from ${told(sql`${textOf(value)}::text`)}`,
      )
      const alike = same.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(same, sql` and `)})`
      const concerned = sql`select i.case_id from case_item i where i.path = ${by} and i.item_id = ${item}`
      const seen =
        visible === undefined
          ? sql<boolean>`true`
          : sql<boolean>`(c.requester_id = ${reader.id} or c.sent_by is not distinct from ${reader.id} or ${among(visible)}
              or c.id in (select t.case_id from task t join flow_case f on f.id = t.case_id
                left join task_candidate c on c.task_id = t.id and ${reaches(reader)}
              where t.case_id in (${concerned}) and (c.principal is not null or ${isTheirs(reader)})))`
      return cases()
        .select([alike.as('alike'), seen.as('seen')])
        .where('c.flow', '=', flow)
        .where('c.id', '<>', but)
        .where('c.state', '<>', 'failed')
        .where('c.withdrawn_at', 'is', null)
        .where(sql<boolean>`c.id in (${concerned})`)
        .where(handles ? sql<boolean>`(${seen} or ${alike})` : seen)
        .orderBy('alike', 'desc')
        .orderBy('c.created_at', 'desc')
        .limit(limit)
        .execute()
    },

    /** The cases of a requester that count, where a flow wants one of each: of what → case. */
    async listOnce(flow: string, requesterId: string, again: readonly string[]) {
      const rows = await db
        .selectFrom('flow_case')
        .select(['once_key', 'id', 'reference', 'subject'])
        .where('flow', '=', flow)
        .where('requester_id', '=', requesterId)
        .where('once_key', 'is not', null)
        .where((eb) => eb.not(endedUnsuccessfully(again)))
        .execute()
      return new Map(rows.map(({ once_key, ...row }) => [once_key!, row]))
    },

    /** By entry of a register, its newest case of a flow. */
    async listNewestOfEntries(entries: readonly string[], flow: string, visible: readonly Visibility[] | undefined) {
      const { rows } = await sql<
        Pick<CaseRow, 'id' | 'reference' | 'status' | 'state' | 'ended_at' | 'end_reason'> & { entry: string }
      >`select e.id as entry, newest.* from unnest(${[...entries]}::uuid[]) e(id)
        cross join lateral (${newestOfEntry(sql`e.id`, flow, visible)}) newest`.execute(db)
      return rows
    },

    /** How many there are, counted to `limit`. */
    async count(query: Omit<CaseQuery, 'after' | 'limit'>, limit: number): Promise<number> {
      const { count } = await db
        .selectFrom(listed(query).limit(limit).as('some'))
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async listSome(ids: readonly string[]) {
      return ids.length === 0
        ? []
        : cases()
            .where('c.id', 'in', [...ids])
            .execute()
    },

    /** The principal by which a task of the case is or was this person's. */
    async findTaskRight(
      caseId: string,
      person: Pick<Person, 'id' | 'principals' | 'standsIn'>,
    ): Promise<string | undefined> {
      // Of whom it is offered to, only this person and whom they stand in for count: by what right they see it stands in the audit.
      const { rows } = await sql<{ principal: string | null }>`
        select c.principal from task t join flow_case f on f.id = t.case_id
          left join task_candidate c on c.task_id = t.id and ${reaches(person)}
        where t.case_id = ${caseId} and (c.principal is not null or ${isTheirs(person)}) limit 1`.execute(db)
      return rows[0] && (rows[0].principal ?? `user:${person.id}`)
    },

    // ---- what belongs to a case ------------------------------------------------------------------------

    /** Says which items a case refers to, in place of those that it referred to before. */
    async setItems(caseId: string, items: readonly { path: string; id: string; version: number }[]): Promise<void> {
      await db.deleteFrom('case_item').where('case_id', '=', caseId).execute()
      await addItems(caseId, items)
    },

    addItems,

    /** Attaches files that this person has put in; answers the ids that are nobody's or somebody else's. */
    async addFiles(
      caseId: string,
      submissionId: string,
      owner: string,
      files: readonly { path: string; id: string }[],
    ): Promise<string[]> {
      const added: string[] = []
      for (const { path, id } of files) {
        const { rows } = await sql<{ file_id: string }>`
          insert into case_file (case_id, file_id, submission_id, path)
          select ${caseId}, id, ${submissionId}, ${path} from file where id::text = ${id} and owner_id = ${owner}
          on conflict (case_id, file_id) do update set path = excluded.path returning file_id`.execute(db)
        added.push(...rows.map((row) => row.file_id))
      }
      return files.filter(({ id }) => !added.includes(id)).map(({ path }) => path)
    },

    async listFiles(caseId: string) {
      return db
        .selectFrom('case_file as cf')
        .innerJoin('file as f', 'f.id', 'cf.file_id')
        .select(['f.id', 'f.name', 'f.content_type', 'f.size', 'cf.path', 'cf.submission_id'])
        .where('cf.case_id', '=', caseId)
        .orderBy('f.created_at')
        .execute()
    },

    /** Adds what somebody sent; the entry of it says all of `sealed`, which vouches for it from then on. */
    async addSubmission(given: NewSubmission): Promise<{ id: string; sealed: SealedSubmission }> {
      const id = uuid()
      const salt = randomBytes(16)
      const data = JSON.stringify(given.data)
      const { caseId, taskId = null, formKey, formHash, by, actedAs = null } = given
      const { at, name } = await db
        .insertInto('submission')
        .values({
          ...{ id, salt, data, case_id: caseId, task_id: taskId, form_key: formKey, form_hash: formHash },
          ...{ submitted_by: by, acted_as: actedAs },
        })
        .returning((eb) => [
          utc(sql.ref('at')).as('at'),
          eb.selectFrom('account').select('name').where('id', '=', by).$asScalar().as('name'),
        ])
        .executeTakeFirstOrThrow()
      const sent = { id, caseId, taskId, formKey, formHash, data: JSON.parse(data) as unknown, by, actedAs, at }
      return { id, sealed: { submissionId: id, formHash, sealed: sentHash(salt, sent), submitter: name } }
    },

    async listSubmissions(caseId: string) {
      return db
        .selectFrom('submission as s')
        .innerJoin('account as a', 'a.id', 's.submitted_by')
        .leftJoin('task as t', 't.id', 's.task_id')
        .leftJoin('account as f', (join) =>
          join
            .onRef('f.id', '=', 't.decided_for')
            .onRef('t.decided_by', '=', 's.submitted_by')
            .on('s.effect', '<>', 'void'),
        )
        .selectAll('s')
        .select(['a.name as submitter_name', 't.desk', 'f.id as stood_in_for', 'f.name as stood_in_for_name'])
        .where('s.case_id', '=', caseId)
        .orderBy('s.at')
        .execute()
    },

    /** When it became known that something that was sent has no effect, by submission. */
    async listVoided(caseId: string): Promise<Map<string, Date>> {
      const rows = await db
        .selectFrom('command')
        .select(['submission_id', 'done_at'])
        .where('case_id', '=', caseId)
        .where('submission_id', 'is not', null)
        .where('state', 'in', ['refused', 'cancelled'])
        .where('done_at', 'is not', null)
        .execute()
      return new Map(rows.map((row) => [row.submission_id!, row.done_at!]))
    },

    /** From which version to which a case has moved and when, the first move first. */
    async listMoves(caseId: string): Promise<{ from: string; to: string; at: Date }[]> {
      const rows = await db
        .selectFrom('command')
        .select([
          sql<string>`payload ->> 'from'`.as('from'),
          sql<string>`payload ->> 'to'`.as('to'),
          sql<Date>`done_at`.as('at'),
        ])
        .where('case_id', '=', caseId)
        .where('kind', '=', 'migrate')
        .where('state', '=', 'done')
        .where('done_at', 'is not', null)
        .orderBy('done_at')
        .execute()
      return rows
    },

    async endSubmission(id: string, effect: 'done' | 'void', reason: string | null = null): Promise<void> {
      await db
        .updateTable('submission')
        .set({ effect, void_reason: reason })
        .where('id', '=', id)
        .where('effect', '=', 'pending')
        .execute()
    },

    /** Voids what was sent from a task and has not taken effect yet. */
    async voidSubmissionOf(taskId: string, reason: string): Promise<void> {
      await db
        .updateTable('submission')
        .set({ effect: 'void', void_reason: reason })
        .where('task_id', '=', taskId)
        .where('effect', '=', 'pending')
        .execute()
    },

    // ---- what happens to a case ------------------------------------------------------------------------

    async fail(id: string, reason: string): Promise<void> {
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
    },

    /** Workers that are at work on the case finish first; those that come later see what was done to it. */
    async lock(id: string) {
      return db.selectFrom('flow_case').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    },

    /** Nobody else changes the case meanwhile; what only refers to it, such as an answer at a desk, does not wait. */
    async hold(id: string) {
      return db.selectFrom('flow_case').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
    },

    /** Writes what a case says now. */
    async say(
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
    },

    /** Whether anything is taken for the case: as its own, or to move to. */
    async hasSlots(caseId: string, purpose: 'booking' | 'move'): Promise<boolean> {
      const row = await db
        .selectFrom('allocation')
        .select('id')
        .where('case_id', '=', caseId)
        .where('purpose', '=', purpose)
        .where('state', '<>', 'released')
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** What a message means to the case: its withdrawal, an act of its requester, or one that takes slots to move to. */
    async meaningOf(id: string, message: string): Promise<'withdrawal' | 'act' | 'move'> {
      const row = await db
        .selectFrom('flow_case as c')
        .innerJoin('artifact as f', 'f.hash', 'c.flow_hash')
        .select(sql<Pick<Manifest, 'withdraw' | 'acts'>>`f.content::jsonb`.as('manifest'))
        .where('c.id', '=', id)
        .executeTakeFirstOrThrow()
      const { withdraw, acts = [] } = row.manifest
      if (message === withdraw) return 'withdrawal'
      return acts.some((act) => act.message === message && act.allocations?.length) ? 'move' : 'act'
    },

    /** Whether a message to the case is on its way to the engine. */
    async isCorrelating(caseId: string): Promise<boolean> {
      const row = await db
        .selectFrom('command')
        .select('id')
        .where('case_id', '=', caseId)
        .where('kind', '=', 'correlate')
        .where('state', '=', 'pending')
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Sets or takes back the mark by which workers know that a case is withdrawn. */
    async setWithdrawn(id: string, withdrawn: boolean): Promise<void> {
      await db
        .updateTable('flow_case')
        .set((eb) => ({
          withdrawn_at: withdrawn ? sql<Date>`clock_timestamp()` : null,
          changed_at: sql`clock_timestamp()`,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    },

    async listActivities(caseId: string) {
      return db
        .selectFrom('activity')
        .selectAll()
        .where('case_id', '=', caseId)
        .orderBy('started_at')
        .orderBy('position')
        .execute()
    },

    async listOpenElements(caseId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('activity')
        .select('element')
        .where('case_id', '=', caseId)
        .where('ended_at', 'is', null)
        .execute()
      return rows.map((row) => row.element)
    },

    async openIncident(incident: {
      id: string
      caseId: string
      kind: string
      element?: string | null
      message: string
    }): Promise<void> {
      const { id, caseId, kind, element, message } = incident
      await db
        .insertInto('incident')
        .values({ id, case_id: caseId, kind, element: element ?? null, message })
        .onConflict((oc) => oc.column('id').doUpdateSet({ message, resolved_at: null }))
        .execute()
    },

    /** How many things wait for an operator, those that belong to no case among them. */
    async countIncidents(): Promise<number> {
      const { count } = await db
        .selectFrom('incident')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('resolved_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async resolveIncident(...ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      await sql`update incident set resolved_at = clock_timestamp() where id = any(${[...ids]}) and resolved_at is null`.execute(
        db,
      )
    },

    /** A register item as a submission refers to it. */
    async findItem(register: string, id: string) {
      const row = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('register', '=', register)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...row, data: row.data as JsonObject }
    },

    /** The items of a register in a status, by title. */
    async listItems(register: string, status: string) {
      const rows = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('register', '=', register)
        .where('status', '=', status)
        .orderBy('title')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...row, data: row.data as JsonObject }))
    },

    /** A register item by its id alone. */
    async findAnyItem(id: string) {
      if (!uuidPattern.test(id)) return undefined
      const row = await db
        .selectFrom('register_item')
        .select(['id', 'title', 'status', 'version', 'data'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...row, data: row.data as JsonObject }
    },

    /** Titles of register items, by id. */
    async itemTitles(ids: readonly string[]): Promise<Map<string, string>> {
      const uuids = ids.filter((id) => uuidPattern.test(id))
      if (uuids.length === 0) return new Map()
      const rows = await db.selectFrom('register_item').select(['id', 'title']).where('id', 'in', uuids).execute()
      return new Map(rows.map((row) => [row.id, row.title]))
    },

    /** Register items as they were at a moment; those of which no version was kept until then are left out. */
    async itemsThen(ids: readonly string[], moment: Date) {
      const uuids = ids.filter((id) => uuidPattern.test(id))
      if (uuids.length === 0) return []
      const rows = await db
        .selectFrom('register_item_version as v')
        .innerJoin('register_item as i', 'i.id', 'v.item_id')
        .distinctOn('v.item_id')
        .select(['v.item_id as id', 'i.register', 'v.status', 'v.version', 'v.data'])
        .where('v.item_id', 'in', uuids)
        .where('v.at', '<=', moment)
        .orderBy('v.item_id')
        .orderBy('v.version', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, data: row.data as JsonObject }))
    },

    // ---- history -----------------------------------------------------------------------------------------

    /** Audit entries of a case with what is left of their payload. */
    /** What was done in a case; what the engine told of it stands in other rows, too. */
    async listAudit(caseId: string) {
      return db
        .selectFrom('audit_entry as e')
        .leftJoin('audit_payload as p', 'p.entry_id', 'e.id')
        .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id::text = e.actor`))
        .leftJoin('account as f', (join) => join.on(sql<boolean>`f.id::text = p.payload ->> 'for'`))
        .leftJoin('account as t', (join) => join.on(sql<boolean>`t.id::text = p.payload ->> 'to'`))
        .select(['e.id', 'e.at', 'e.actor', 'e.acted_as', 'e.action', 'e.object', 'p.payload', 'a.name as actor_name'])
        .select(['f.name as for_name', 't.name as to_name'])
        .where('e.case_id', '=', caseId)
        .where('e.action', '<>', 'case.progressed')
        .orderBy('e.id')
        .execute()
    },

    /** The sensitive fields of the case whose reading by this person was noted a short while ago. */
    async listSensitiveRead(caseId: string, accountId: string, within: string): Promise<string[]> {
      const { rows } = await sql<{ field: string }>`
        select distinct jsonb_array_elements_text(p.payload -> 'fields') as field
        from audit_entry e join audit_payload p on p.entry_id = e.id
        where e.case_id = ${caseId} and e.actor = ${accountId} and e.action = 'sensitive.read'
          and e.at > now() - ${within}::interval`.execute(db)
      return rows.map(({ field }) => field)
    },

    async listMails(caseId: string) {
      return db
        .selectFrom('mail')
        .select(['id', 'subject', 'recipient', 'recipient_id', 'state', 'created_at', 'sent_at'])
        .where('case_id', '=', caseId)
        .orderBy('created_at')
        .execute()
    },

    async listIncidents(caseId: string) {
      return db.selectFrom('incident').selectAll().where('case_id', '=', caseId).orderBy('at').execute()
    },
  }
}
