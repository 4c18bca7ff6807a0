import { type Kysely, type NotNull, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Reports that use only audit entries. */
export type EntryReport = 'self-decisions' | 'substitutes' | 'administrators' | 'grants'

/**
 * The entries of each report. Reports on an action are read along the index of actions, newest first; acts of
 * administrators have their own index.
 */
const reports: Record<EntryReport, readonly { from: RawBuilder<unknown>; where: RawBuilder<boolean> }[]> = {
  'self-decisions': [ofAct('decision.refused')],
  substitutes: [
    ofAct(
      'task.completed',
      sql`exists (select from audit_payload p where p.entry_id = l.entry_id and p.payload ? 'for')`,
    ),
  ],
  administrators: [
    {
      from: sql`(select id as entry_id, at, acted_as from audit_entry) l`,
      where: sql`l.acted_as in ('ADMIN', 'SA') and exists (select from audit_lookup k where k.entry_id = l.entry_id)`,
    },
  ],
  grants: ['grant.given', 'grant.ended', 'grants.imported', 'post.appointed', 'post.left'].map((act) => ofAct(act)),
}

function ofAct(act: string, more: RawBuilder<boolean> = sql`true`) {
  return { from: sql`audit_lookup l`, where: sql<boolean>`l.action = ${act} and ${more}` }
}

/** Ids of entries, newest first. */
export async function listReportedEntries(
  db: Kysely<DB>,
  name: EntryReport,
  {
    from,
    until,
    beyond,
    limit,
  }: {
    from?: Date
    until?: Date
    beyond: { at: string; id: string } | undefined
    limit: number
  },
): Promise<string[]> {
  const bounds = [
    ...(from ? [sql`l.at >= ${from}`] : []),
    ...(until ? [sql`l.at < ${until}`] : []),
    ...(beyond ? [sql`(l.at, l.entry_id) < (${beyond.at}::timestamptz, ${beyond.id}::bigint)`] : []),
  ]
  const newest = sql`order by l.at desc, l.entry_id desc limit ${limit}`
  const parts = reports[name].map(
    (part) =>
      sql`(select l.at, l.entry_id from ${part.from} where ${sql.join([part.where, ...bounds], sql` and `)} ${newest})`,
  )
  const { rows } = await sql<{ id: string }>`
    select l.entry_id::text as id from (${sql.join(parts, sql` union all `)}) l ${newest}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The process instances of cases, by case. */
export async function listInstances(db: Kysely<DB>, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('flow_case')
    .select(['id', 'process_instance_id'])
    .where('id', 'in', [...ids])
    .where('process_instance_id', 'is not', null)
    .$narrowType<{ process_instance_id: NotNull }>()
    .execute()
  return new Map(rows.map((row) => [row.id, row.process_instance_id]))
}
