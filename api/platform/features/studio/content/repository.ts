import { type Kysely, sql } from 'kysely'
import { known } from '../../../kernel/known.ts'
import type { DB } from '../../../kernel/db/database.generated.ts'
import { FLOW_SCOPE, PROCESS_OWNER } from '../../../people/access/process-owners.ts'
import type { Content, Table } from './flow.ts'

/** A deployment with its reason, the version it is based on, and the earlier version it restores, if any. */
export interface Release {
  process: string
  base: string
  restores: string | null
  note: string
  results: string | null
  /** The rows of its tables after which nobody decides, in words. */
  undecided: string[]
}

/** Names of the owners of each process. */
export async function listOwners(
  db: Kysely<DB>,
  processes: readonly string[],
): Promise<{ process: string; name: string }[]> {
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
}

/** Every version of some flows, newest first: who deployed it, why, and its number of cases. */
export async function listVersions(db: Kysely<DB>, flows: readonly string[]) {
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
}

/** A version's diagram and tables. */
export async function findContent(
  db: Kysely<DB>,
  definitionId: string,
): Promise<(Content & { flow: string; version: number }) | undefined> {
  const row = await db
    .selectFrom('process_definition as d')
    .innerJoin('artifact as b', 'b.hash', 'd.bpmn_hash')
    .select((eb) => eb.ref('d.dmn').$castTo<Record<string, string>>().as('dmn'))
    .select(['d.flow', 'd.version', 'b.content as bpmn'])
    .where('d.id', '=', definitionId)
    .where('d.tenant_id', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const tables = await db
    .selectFrom('artifact')
    .select(['hash', 'content'])
    .where('hash', '=', sql<string>`any(${Object.values(row.dmn)}::text[])`)
    .execute()
  const content = new Map(tables.map((one) => [one.hash, one.content]))
  const dmn = Object.entries(row.dmn).map(([key, hash]) => ({
    key,
    content: known(content.get(hash), 'a table of the version'),
  }))
  return { flow: row.flow, version: row.version, bpmn: row.bpmn, dmn }
}

/** Proposals of some flows that wait for another owner. */
export async function listWaitingProposals(db: Kysely<DB>, processes: readonly string[]) {
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
}

export async function insertProposal(
  db: Kysely<DB>,
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
}

/** A proposal, with the version it is based on and the one it restores. */
export async function findProposal(db: Kysely<DB>, process: string, id: string) {
  return db
    .selectFrom('studio_proposal as p')
    .innerJoin('account as a', 'a.id', 'p.proposed_by')
    .innerJoin('process_definition as d', 'd.id', 'p.base_id')
    .leftJoin('process_definition as r', 'r.id', 'p.restores_id')
    .select(['p.id', 'p.state', 'p.note', 'p.bpmn', 'p.results', 'p.proposed_by', 'p.proposed_at'])
    .select(['a.name as by', 'p.base_id', 'd.version as base_version', 'p.restores_id', 'r.version as restores'])
    .select((eb) => eb.ref('p.dmn').$castTo<Table[]>().as('dmn'))
    .where('p.id', '=', id)
    .where('p.process', '=', process)
    .$narrowType<{ state: 'waiting' | 'accepted' | 'refused' | 'withdrawn' }>()
    .executeTakeFirst()
}

/** Locks a proposal until the end of the transaction; returns its state. */
export async function lockProposal(db: Kysely<DB>, id: string): Promise<string> {
  const { state } = await db
    .selectFrom('studio_proposal')
    .select('state')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return state
}

export async function saveProposalDecision(
  db: Kysely<DB>,
  id: string,
  state: 'accepted' | 'refused' | 'withdrawn',
  by: string,
  note: string,
): Promise<void> {
  await db
    .updateTable('studio_proposal')
    .set({ state, decided_by: by, decided_at: sql`clock_timestamp()`, decision_note: note })
    .where('id', '=', id)
    .execute()
}

/** Stores who deployed a version, and why. */
export async function saveRelease(
  db: Kysely<DB>,
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
}
