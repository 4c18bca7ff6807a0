import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Person } from '../../people/persons/person.ts'
import { documentsOf } from '../../records/documents/documents.ts'
import { noteSensitiveRead } from '../../work/cases/sensitive-reads.ts'
import { caseRecordRepository } from '../../work/rows/case-record.ts'
import type { CaseRow } from '../../work/rows/cases.ts'
import { submissionRepository } from '../../work/rows/submissions.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import { type MomentsContext, nullIfEngineDown } from './moments-context.ts'
import { auditorAs } from './search.ts'

type Rows = Awaited<ReturnType<typeof readRows>>

/** The records of a case: all of them, and those that existed at a moment. */
export interface Evidence extends Rows {
  row: CaseRow
  at: Date
  all: Pick<Rows, 'sent' | 'tasks' | 'activities' | 'entries' | 'mails' | 'documents'>
}

/** All records of a case, with the results of decision tables; these are null while the engine is down. */
async function readRows({ db, engine }: MomentsContext, { id, process_instance_id: instance }: CaseRow) {
  const record = caseRecordRepository(db)
  const [sent, tasks, activities, entries, mails, documents, files, voided, moves, made] = await Promise.all([
    submissionRepository(db).listSubmissions(id),
    taskRepository(db).listOfCase(id),
    record.listActivities(id),
    record.listAudit(id),
    record.listMails(id),
    documentsOf(db, id),
    submissionRepository(db).listFiles(id),
    submissionRepository(db).listVoided(id),
    record.listMoves(id),
    instance === null ? [] : nullIfEngineDown(() => engine.decisions(instance)),
  ])
  return { sent, tasks, activities, entries, mails, documents, files, voided, moves, made }
}

/** The records of a case up to a moment. */
export async function gatherEvidence(context: MomentsContext, row: CaseRow, at: Date): Promise<Evidence> {
  const all = await readRows(context, row)
  const { voided } = all
  return {
    ...all,
    row,
    at,
    all,
    // A submission that was voided later still counted as pending.
    sent: all.sent
      .filter((one) => one.at <= at)
      .map((one) => {
        const known = one.effect !== 'void' || (voided.get(one.id) ?? one.at) <= at
        return known ? one : { ...one, effect: 'pending', void_reason: null }
      }),
    tasks: all.tasks.filter((one) => one.created_at <= at),
    activities: all.activities.filter((one) => one.started_at <= at),
    entries: all.entries.filter((one) => one.at <= at),
    mails: all.mails.filter((one) => one.created_at <= at),
    documents: all.documents.filter((one) => one.issuedAt <= at),
  }
}

/** An auditor's read of sensitive fields is logged too. */
export async function noteReading(
  { db, definitions }: MomentsContext,
  person: Person,
  { row, sent }: Evidence,
): Promise<void> {
  await noteSensitiveRead(
    { db, definitions },
    {
      reader: person.id,
      caseId: row.id,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is sent has passed a form, so it is an object
      submissions: sent.map((one) => ({ formHash: one.form_hash, data: one.data as JsonObject })),
      actedAs: () => auditorAs(person),
    },
  )
}

/** The version of a case at a moment. The engine names the later version for what was open during a move. */
export function modelAt({ moves }: Pick<Evidence, 'moves'>, moment: Date, otherwise: string): string {
  const later = moves.find((one) => one.at > moment)
  return later?.from ?? moves.findLast((one) => one.at <= moment)?.to ?? otherwise
}
