import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'

/** What decides whether an entry `e`, looked up as `l`, with payload `p`, belongs to a report. */
const reports = {
  'self-decisions': sql<boolean>`l.action = 'decision.refused'`,
  substitutes: sql<boolean>`l.action = 'task.completed' and p.payload ? 'for'`,
  administrators: sql<boolean>`e.acted_as in ('ADMIN', 'SA')`,
  grants: sql<boolean>`l.action in ('grant.given', 'grant.ended', 'grants.imported', 'post.appointed', 'post.left')`,
}

/** Entries by what auditors ask again and again. */
export function reportRepository(db: Kysely<DB>) {
  return {
    /** Ids of entries, the newest first. */
    async listEntries(
      name: keyof typeof reports,
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
        reports[name],
        ...(from ? [sql`e.at >= ${from}`] : []),
        ...(until ? [sql`e.at < ${until}`] : []),
        ...(beyond ? [sql`(e.at, e.id) < (${beyond.at}::timestamptz, ${beyond.id}::bigint)`] : []),
      ]
      const { rows } = await sql<{ id: string }>`
        select e.id::text as id from audit_entry e join audit_lookup l on l.entry_id = e.id
          left join audit_payload p on p.entry_id = e.id
        where ${sql.join(bounds, sql` and `)} order by e.at desc, e.id desc limit ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** The process instances of cases, by case. */
    async listInstances(ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('flow_case')
        .select(['id', 'process_instance_id'])
        .where('id', 'in', [...ids])
        .where('process_instance_id', 'is not', null)
        .execute()
      return new Map(rows.map((row) => [row.id, row.process_instance_id!]))
    },
  }
}
