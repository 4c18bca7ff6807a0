import { type Kysely, type Transaction, sql } from 'kysely'
import { listSecondOwners, needsSecondOwner } from '../../people/access/second-owners.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from '../../people/access/process-owners.ts'
import type { Content, Table } from './flow.ts'

/** How long a lock lasts after the last sign of its holder, in seconds. */
const LOCK_SECONDS = 300

export type DraftRow = NonNullable<Awaited<ReturnType<ReturnType<typeof studioRepository>['findDraft']>>>

/** What is deployed for a reason: of which base, and what it restores if it is an earlier version. */
export interface Release {
  process: string
  base: string
  restores: string | null
  note: string
  results: string | null
  /** The rows of its tables after which nobody decides, in words. */
  undecided: string[]
}

/** Drafts, releases, proposals and settings of the studio. */
export function studioRepository(db: Kysely<DB> | Transaction<DB>) {
  const drafts = () =>
    db
      .selectFrom('studio_draft as s')
      .innerJoin('account as a', 'a.id', 's.saved_by')
      .innerJoin('process_definition as d', 'd.id', 's.base_id')
      .leftJoin('account as l', (join) =>
        join.onRef('l.id', '=', 's.lock_holder').on('s.lock_until', '>', sql<Date>`clock_timestamp()`),
      )
      .select(['s.process', 's.revision', 's.base_id', 'd.version as base_version', 's.saved_at', 'a.name as saver'])
      .select((eb) => [
        'l.id as holder',
        'l.name as holder_name',
        eb.case().when('l.id', 'is not', null).then(eb.ref('s.lock_until')).end().as('lock_until'),
      ])

  return {
    /** Names of the owners of each process. */
    async listOwners(processes: readonly string[]): Promise<{ process: string; name: string }[]> {
      return db
        .selectFrom('role_grant as g')
        .innerJoin('account as a', 'a.id', 'g.account_id')
        .select(['g.scope_id as process', 'a.name'])
        .distinct()
        .where('g.role', '=', PROCESS_OWNER)
        .where('g.scope_kind', '=', FLOW_SCOPE)
        .where('g.scope_id', 'in', [...processes])
        .where('a.active', '=', true)
        .where('g.starts_at', '<=', sql<Date>`now()`)
        .where((eb) => eb.or([eb('g.ends_at', 'is', null), eb('g.ends_at', '>', sql<Date>`now()`)]))
        .orderBy('a.name')
        .$narrowType<{ process: string }>()
        .execute()
    },

    /** Every version of some flows, the newest first, with who deployed it and why, and how many cases it has. */
    async listVersions(flows: readonly string[]) {
      const { rows } = await sql<{
        id: string
        flow: string
        version: number
        source: 'repository' | 'owner'
        deployed_at: Date
        by: string | null
        note: string | null
        approved_by: string | null
        run: string | null
        passed: number | null
        total: number | null
        running: number
        ended: number
      }>`
        with counted as (
          select process_definition_id, count(*) filter (where state in ('starting', 'running'))::int as running,
            count(*) filter (where state = 'ended')::int as ended
          from flow_case where flow = any(${[...flows]}::text[]) group by process_definition_id
        )
        select d.id, d.flow, d.version, d.source, d.deployed_at, a.name as by, r.note, p.name as approved_by,
          s.id as run, s.total, jsonb_array_length(jsonb_path_query_array(s.results, '$[*] ? (@.passed == true)')) as passed,
          coalesce(c.running, 0) as running, coalesce(c.ended, 0) as ended
        from process_definition d
          left join studio_release r on r.definition_id = d.id
          left join account a on a.id = r.released_by
          left join account p on p.id = r.approved_by
          left join scenario_run s on s.id = r.results
          left join counted c on c.process_definition_id = d.id
        where d.flow = any(${[...flows]}::text[]) and d.tenant_id is null
        order by d.flow, d.version desc`.execute(db)
      return rows
    },

    /** A version's diagram and tables. */
    async findContent(definitionId: string): Promise<(Content & { flow: string; version: number }) | undefined> {
      const row = await db
        .selectFrom('process_definition as d')
        .innerJoin('artifact as b', 'b.hash', 'd.bpmn_hash')
        .select(['d.flow', 'd.version', 'd.dmn', 'b.content as bpmn'])
        .where('d.id', '=', definitionId)
        .where('d.tenant_id', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      const hashes = row.dmn as Record<string, string>
      const tables = await db
        .selectFrom('artifact')
        .select(['hash', 'content'])
        .where('hash', '=', sql<string>`any(${Object.values(hashes)}::text[])`)
        .execute()
      const content = new Map(tables.map((one) => [one.hash, one.content]))
      const dmn = Object.entries(hashes).map(([key, hash]) => ({ key, content: content.get(hash)! }))
      return { flow: row.flow, version: row.version, bpmn: row.bpmn, dmn }
    },

    // ---- drafts ----------------------------------------------------------------------------

    async findDraft(process: string) {
      return drafts().where('s.process', '=', process).executeTakeFirst()
    },

    async listDrafts(processes: readonly string[]) {
      return drafts()
        .where('s.process', 'in', [...processes])
        .execute()
    },

    /** Nobody else changes the draft, until the end of the transaction. */
    async lockDraft(process: string): Promise<void> {
      await db.selectFrom('studio_draft').select('process').where('process', '=', process).forUpdate().execute()
    },

    async contentOfDraft(process: string): Promise<Content> {
      const row = await db
        .selectFrom('studio_draft')
        .select(['bpmn', 'dmn'])
        .where('process', '=', process)
        .executeTakeFirstOrThrow()
      return { bpmn: row.bpmn, dmn: row.dmn as unknown as Table[] }
    },

    /** False where there is one already. */
    async createDraft(process: string, base: string, { bpmn, dmn }: Content, by: string): Promise<boolean> {
      const made = await db
        .insertInto('studio_draft')
        .values({ process, base_id: base, bpmn, dmn: JSON.stringify(dmn), saved_by: by })
        .onConflict((oc) => oc.doNothing())
        .returning('process')
        .executeTakeFirst()
      return made !== undefined
    },

    async saveDraft(process: string, { bpmn, dmn }: Partial<Content>, by: string) {
      return db
        .updateTable('studio_draft')
        .set((eb) => ({
          ...(bpmn !== undefined && { bpmn }),
          ...(dmn !== undefined && { dmn: JSON.stringify(dmn) }),
          revision: eb('revision', '+', 1),
          saved_at: sql`clock_timestamp()`,
          saved_by: by,
        }))
        .where('process', '=', process)
        .returning(['revision', 'saved_at'])
        .executeTakeFirstOrThrow()
    },

    async deleteDraft(process: string): Promise<void> {
      await db.deleteFrom('studio_draft').where('process', '=', process).execute()
    },

    async takeLock(process: string, holder: string): Promise<Date> {
      const row = await db
        .updateTable('studio_draft')
        .set({
          lock_holder: holder,
          lock_until: sql`clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})`,
        })
        .where('process', '=', process)
        .returning('lock_until')
        .executeTakeFirstOrThrow()
      return row.lock_until!
    },

    async dropLock(process: string, holder: string): Promise<void> {
      await db
        .updateTable('studio_draft')
        .set({ lock_holder: null, lock_until: null })
        .where('process', '=', process)
        .where('lock_holder', '=', holder)
        .execute()
    },

    // ---- settings, proposals, releases -----------------------------------------------------

    needsSecondOwner: (process: string) => needsSecondOwner(db, process),
    listSecondOwners: () => listSecondOwners(db),

    /** The same, and until the end of the transaction nobody else changes it. */
    async lockSecondOwner(process: string): Promise<boolean> {
      await db.selectFrom('studio_setting').select('process').where('process', '=', process).forUpdate().execute()
      return needsSecondOwner(db, process)
    },

    async setSecondOwner(process: string, wanted: boolean): Promise<void> {
      await db
        .insertInto('studio_setting')
        .values({ process, second_owner: wanted })
        .onConflict((oc) => oc.column('process').doUpdateSet({ second_owner: wanted }))
        .execute()
    },

    async askWaiver(id: string, process: string, by: string, reason: string): Promise<void> {
      await db.insertInto('second_owner_waiver').values({ id, process, reason, asked_by: by }).execute()
    },

    /** Who of these processes asks to do without a second owner, and why. */
    async listWaivers(processes: readonly string[]) {
      return db
        .selectFrom('second_owner_waiver as w')
        .innerJoin('account as a', 'a.id', 'w.asked_by')
        .select(['w.id', 'w.process', 'w.reason', 'w.asked_by', 'w.asked_at', 'a.name as by'])
        .where('w.process', 'in', [...processes])
        .where('w.state', '=', 'waiting')
        .execute()
    },

    /** What is asked for, kept for this transaction alone. */
    async lockWaiver(process: string, id: string) {
      return db
        .selectFrom('second_owner_waiver')
        .select(['state', 'asked_by', 'reason'])
        .where('id', '=', id)
        .where('process', '=', process)
        .forUpdate()
        .executeTakeFirst()
    },

    /** The database lets a flow do without only in the transaction that this begins: hence its moment. */
    async decideWaiver(
      id: string,
      state: 'confirmed' | 'refused' | 'withdrawn',
      by: string,
      note: string,
    ): Promise<void> {
      await db
        .updateTable('second_owner_waiver')
        .set({ state, decided_by: by, decided_at: sql`transaction_timestamp()`, decision_note: note })
        .where('id', '=', id)
        .execute()
    },

    async listWaiting(processes: readonly string[]) {
      return db
        .selectFrom('studio_proposal as p')
        .innerJoin('account as a', 'a.id', 'p.proposed_by')
        .leftJoin('scenario_run as s', 's.id', 'p.results')
        .select([
          'p.id',
          'p.process',
          'p.note',
          'a.name as by',
          'p.proposed_by',
          'p.proposed_at',
          'p.undecided',
          's.id as run',
          's.total',
        ])
        .select(
          sql<number | null>`jsonb_array_length(jsonb_path_query_array(s.results, '$[*] ? (@.passed == true)'))`.as(
            'passed',
          ),
        )
        .where('p.process', 'in', [...processes])
        .where('p.state', '=', 'waiting')
        .execute()
    },

    async propose(
      id: string,
      { process, base, restores, note, results, undecided }: Release,
      content: Content,
      by: string,
    ) {
      await db
        .insertInto('studio_proposal')
        .values({
          id,
          process,
          base_id: base,
          restores_id: restores,
          bpmn: content.bpmn,
          dmn: JSON.stringify(content.dmn),
          note,
          results,
          undecided,
          proposed_by: by,
        })
        .execute()
    },

    /** What was proposed, with the versions that it was drawn from and brings back. */
    async findProposal(process: string, id: string) {
      return db
        .selectFrom('studio_proposal as p')
        .innerJoin('account as a', 'a.id', 'p.proposed_by')
        .innerJoin('process_definition as d', 'd.id', 'p.base_id')
        .leftJoin('process_definition as r', 'r.id', 'p.restores_id')
        .select(['p.id', 'p.state', 'p.note', 'p.bpmn', 'p.dmn', 'p.results', 'p.proposed_by', 'p.proposed_at'])
        .select(['a.name as by', 'p.base_id', 'd.version as base_version', 'p.restores_id', 'r.version as restores'])
        .where('p.id', '=', id)
        .where('p.process', '=', process)
        .executeTakeFirst()
    },

    /** The state of a proposal, which nobody else changes until the end of the transaction. */
    async lockProposal(id: string): Promise<string> {
      const { state } = await db
        .selectFrom('studio_proposal')
        .select('state')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      return state
    },

    async decide(id: string, state: 'accepted' | 'refused' | 'withdrawn', by: string, note: string): Promise<void> {
      await db
        .updateTable('studio_proposal')
        .set({ state, decided_by: by, decided_at: sql`clock_timestamp()`, decision_note: note })
        .where('id', '=', id)
        .execute()
    },

    async saveRelease(
      definition: string,
      { process, base, restores, note, results, undecided }: Release,
      { by, proposal = null, approvedBy = null }: { by: string; proposal?: string | null; approvedBy?: string | null },
    ): Promise<void> {
      await db
        .insertInto('studio_release')
        .values({
          definition_id: definition,
          process,
          base_id: base,
          restores_id: restores,
          note,
          results,
          undecided,
          released_by: by,
          proposal_id: proposal,
          approved_by: approvedBy,
        })
        .execute()
    },
  }
}
