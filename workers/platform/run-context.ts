import { type Transaction, sql } from 'kysely'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { beginLinked } from '../../api/platform/work/cases/begin-linked.ts'
import { endLinked } from '../../api/platform/work/cases/end-linked.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import type { WorkerCase, WorkerContext, WorkerSubmission } from './worker.ts'
import type { Run, RunDependencies } from './run.ts'

export async function contextOf(
  dependencies: RunDependencies,
  trx: Transaction<DB>,
  run: Run,
  { found, data }: Locked,
): Promise<WorkerContext<unknown>> {
  const { library, publicUrl, clock = () => new Date() } = dependencies
  return {
    variables: run.task.variables,
    case: found,
    submission: data,
    submissions: await submissionsOf(trx, found.id),
    trx,
    registers: registers(trx, library),
    allocations: allocations(trx),
    numbers: numbers(trx),
    audit: audit(trx),
    mail: mail(trx, { library, publicUrl }),
    begin: (name, by) => beginLinked({ ...dependencies, clock }, trx, { origin: found.id, name, by }),
    endLinked: (how) => endLinked(dependencies, trx, found.id, how),
    async facts(patch) {
      await trx
        .updateTable('flow_case')
        .set({
          facts: sql`facts || ${JSON.stringify(patch)}::jsonb`,
          version: sql`version + 1`,
          changed_at: sql`clock_timestamp()`,
        })
        .where('id', '=', found.id)
        .execute()
    },
    text: (key, values = {}) => library.text(key, values),
    library,
    publicUrl,
    now: clock(),
    log: run.log,
  }
}

/** A case locked by its worker, with its content. */
export interface Locked {
  found: WorkerCase
  data: JsonObject
}

async function submissionsOf(trx: Transaction<DB>, caseId: string): Promise<WorkerSubmission[]> {
  const rows = await trx
    .selectFrom('submission')
    .leftJoin('task', 'task.id', 'submission.task_id')
    .select(['submission.form_key', 'submission.data', 'submission.submitted_by', 'submission.acted_as'])
    .select(['submission.at', 'task.desk'])
    .where('submission.case_id', '=', caseId)
    .where('submission.effect', '<>', 'void')
    .orderBy('submission.at')
    .$narrowType<{ data: JsonObject }>()
    .execute()
  return rows.map((row) => ({
    formKey: row.form_key,
    desk: row.desk,
    data: row.data,
    by: row.submitted_by,
    actedAs: row.acted_as,
    at: row.at,
  }))
}
