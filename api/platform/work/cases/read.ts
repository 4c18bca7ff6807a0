import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Language } from '../../model/library/library.ts'
import { wordsOf } from '../../model/library/words.ts'
import { documentsOf } from '../../records/documents/documents.ts'
import type { Person } from '../../people/persons/person.ts'
import { type CaseRow } from '../rows/cases.ts'
import { submissionRepository } from '../rows/submissions.ts'
import { questionRepository } from '../rows/questions.ts'
import { caseActs, isWithdrawable } from './acts.ts'
import { type CasesContext, findCase, presentManifest } from './context.ts'
import { mayHaveDocument } from './look-up.ts'
import { noteSensitiveRead } from './sensitive-reads.ts'
import { type CaseView, type SubmissionView, caseSummary } from './view.ts'
import { rightToSee } from './visibility.ts'
import { waitingTasks } from './waiting.ts'

/** A case with all that belongs to it, as this person may see it. */
export async function readCase(
  context: CasesContext,
  person: Person,
  id: string,
  language?: Language,
): Promise<CaseView> {
  const { db, library, definitions } = context
  const row = await findCase(context, person, id)
  const { manifest } = await definitions.get(row.process_definition_id)
  const own = row.requester_id === person.id
  const words = wordsOf(library, language)
  const [questions, submissions, files, documents, waits, withdrawable, open] = await Promise.all([
    questionRepository(db).listOfCase(id),
    submissionRepository(db).listSubmissions(id),
    submissionRepository(db).listFiles(id),
    documentsOf(db, id),
    waitingTasks(context, [id], language),
    own ? isWithdrawable(context, db, row) : false,
    own ? caseActs(context).open(db, row) : [],
  ])
  const actOf = (formKey: string) => manifest.acts?.find(({ form }) => form === formKey)
  const sent = submissions.map((one): SubmissionView => ({
    id: one.id,
    formKey: one.form_key,
    formHash: one.form_hash,
    data: one.data as JsonObject,
    by: { id: one.submitted_by, name: one.submitter_name },
    for: one.stood_in_for === null ? null : { id: one.stood_in_for, name: one.stood_in_for_name! },
    actedAs: one.acted_as,
    at: one.at.toISOString(),
    effect: one.effect as SubmissionView['effect'],
    voidReason: one.void_reason,
    taskId: one.task_id,
    desk: one.desk,
    outcome: (one.data as { outcome?: string }).outcome ?? null,
    act: one.task_id === null ? (actOf(one.form_key)?.name ?? null) : null,
  }))
  await noteRead(context, person, row, sent)
  return {
    ...caseSummary(row, manifest, waits.get(id) ?? [], words),
    processDefinitionId: row.process_definition_id,
    data: row.data as JsonObject,
    sentBy: row.sent_by === null ? null : { id: row.sent_by, name: row.sender_name! },
    withdrawable,
    acts: await Promise.all(
      open.map(async (one) => ({
        name: one.name,
        title: words.text(one.title),
        confirm: one.confirm === undefined ? null : words.text(one.confirm),
        form: one.form,
        formHash: (await definitions.get(row.process_definition_id)).forms[one.form]!,
      })),
    ),
    questions: questions.map((one) => ({
      id: one.id,
      task: words.element(row.flow, one.desk, one.task),
      question: one.question,
      askedBy: { id: one.asked_by, name: one.asker },
      askedAt: one.asked_at.toISOString(),
      answer: one.answer,
      answeredAt: one.answered_at?.toISOString() ?? null,
      open: one.open === true,
    })),
    submissions: sent,
    files: files.map((file) => ({
      id: file.id,
      name: file.name,
      contentType: file.content_type,
      size: Number(file.size),
      path: file.path,
      submissionId: file.submission_id,
    })),
    documents: documents
      .filter(({ kind }) => mayHaveDocument(library, person, kind))
      .map(({ id: document, kind, number, ...moments }) => ({
        id: document,
        kind,
        number,
        issuedAt: moments.issuedAt.toISOString(),
        endedAt: moments.endedAt?.toISOString() ?? null,
      })),
  }
}

/** Whoever reads somebody else's sensitive fields leaves a trace. */
async function noteRead(
  { db, library, definitions }: CasesContext,
  person: Person,
  row: CaseRow,
  submissions: readonly SubmissionView[],
): Promise<void> {
  const others = submissions.filter(
    // What was sent for somebody is theirs.
    (one) => one.by.id !== person.id && !(one.taskId === null && row.requester_id === person.id),
  )
  const actedAs = async () =>
    (await rightToSee(db, person, row, await presentManifest({ library, definitions }, row))) ?? null
  await noteSensitiveRead({ db, definitions }, { reader: person.id, caseId: row.id, submissions: others, actedAs })
}
