import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** What waits for an operator. */
export function incidentRepository(db: Kysely<DB> | Transaction<DB>) {
  return {
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

    /** How many incidents are open, including those of no case. */
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

    async listIncidents(caseId: string) {
      return db.selectFrom('incident').selectAll().where('case_id', '=', caseId).orderBy('at').execute()
    },
  }
}
