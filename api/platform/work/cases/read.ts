import { known } from '../../kernel/known.ts'
import type { Act } from '../../model/definitions/manifest.ts'
import type { Language, Manifest } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import { wordsOf } from '../../model/library/words.ts'
import { textAt } from '../../model/definitions/register.ts'
import { documentsOf } from '../../records/documents/documents.ts'
import type { Person } from '../../people/persons/person.ts'
import { whoOf } from '../../people/persons/who.ts'
import type { CaseRow } from '../rows/cases.ts'
import { type QuestionRow, questionRepository } from '../rows/questions.ts'
import { isWithdrawable, openActs, withdrawsAs } from './acts.ts'
import { confidentialDesks, withoutConfidential } from './confidential.ts'
import { type CasesContext, findCase, presentManifest } from './context.ts'
import { linksOf } from './linked.ts'
import { mayHaveDocument } from './look-up.ts'
import { noteSensitiveRead } from './sensitive-reads.ts'
import { unavailableFor } from './picked.ts'
import { shownOf } from './shown.ts'
import { type CaseView, type SubmissionView, caseSummary } from './view.ts'
import { rightToSee } from './visibility.ts'
import { waitingTasks } from './waiting.ts'
import { listQuestions } from '../rows/mailed-questions.ts'
import { listCaseFiles, listSubmissions } from '../rows/submissions.ts'

type Words = ReturnType<typeof wordsOf>

/** A case with its details, as this person may see it. */
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
  const [questions, submissions, files, documents, waits, withdrawable, open, shows, mailed, links] = await Promise.all(
    [
      questionRepository(db).listOfCase(id),
      listSubmissions(db, id),
      listCaseFiles(db, id),
      documentsOf(db, id),
      waitingTasks(context, [id], language),
      own || withdrawsAs(manifest, person) !== undefined ? isWithdrawable(context, db, row) : false,
      openActs(context, db, row, person),
      shownOf(db, library, manifest, row, language),
      mailedViews(context, row, words),
      linksOf(context, person, row, language),
    ],
  )
  const hidden = confidentialDesks({ manifest, row, person })
  const sent = submissions.filter(({ desk }) => !hidden.has(desk ?? '')).map((one) => sentView(one, manifest))
  const kept = new Set(sent.map((one) => one.id))
  await noteRead(context, person, row, sent)
  return {
    ...caseSummary(withoutConfidential(row, { manifest, person }), manifest, waits.get(id) ?? [], words),
    processDefinitionId: row.process_definition_id,
    data: row.data,
    sentBy: whoOf(row.sent_by, row.sender_name),
    withdrawable,
    acts: await actViews(context, row, open, words),
    shows,
    ...links,
    questions: questions.map((one) => questionView(one, row, words)),
    mailed,
    submissions: sent,
    files: files.filter((file) => file.submission_id === null || kept.has(file.submission_id)).map(fileView),
    documents: documents.filter(({ kind }) => mayHaveDocument(library, person, kind)).map(documentView),
  }
}

/** The questions that the case has asked by mail, with their answers. */
async function mailedViews({ db, definitions }: CasesContext, row: CaseRow, words: Words): Promise<CaseView['mailed']> {
  const { manifest, forms } = await definitions.get(row.process_definition_id)
  if (!manifest.asks) return []
  const asked = await listQuestions(db, row.id)
  const views = asked.map(async (one) => {
    const question = known(manifest.asks?.[one.name], 'the question that was asked')
    const form = await definitions.form(known(forms[question.form], 'the form of a question'))
    const { outcome } = one
    return {
      name: one.name,
      question: words.text(question.title, readable(row.subject, words.language)),
      askedAt: one.asked_at.toISOString(),
      closesAt: one.closes_at.toISOString(),
      outcome: outcome === null ? null : { key: outcome, text: words.choice(form.schema, 'outcome', outcome) },
      data: one.data,
      formHash: form.hash,
      answeredAt: one.answered_at?.toISOString() ?? null,
      void: one.void_at !== null,
    }
  })
  return Promise.all(views)
}

function sentView(one: Awaited<ReturnType<typeof listSubmissions>>[number], manifest: Manifest): SubmissionView {
  const act = one.task_id === null ? manifest.acts?.find(({ form }) => form === one.form_key) : undefined
  return {
    id: one.id,
    formKey: one.form_key,
    formHash: one.form_hash,
    data: one.data,
    by: { id: one.submitted_by, name: one.submitter_name },
    for: whoOf(one.stood_in_for, one.stood_in_for_name),
    actedAs: one.acted_as,
    at: one.at.toISOString(),
    effect: one.effect,
    voidReason: one.void_reason,
    taskId: one.task_id,
    desk: one.desk,
    outcome: textAt(one.data, '/outcome') ?? null,
    act: act?.name ?? null,
  }
}

/** The acts that are open now, for the requester. */
async function actViews(
  context: CasesContext,
  row: CaseRow,
  open: readonly Act[],
  words: Words,
): Promise<CaseView['acts']> {
  const { forms } = await context.definitions.get(row.process_definition_id)
  const views = open.map(async (one) => {
    const formHash = known(forms[one.form], 'the form of an act')
    const form = { ...(await context.definitions.form(formHash)), key: one.form }
    return {
      name: one.name,
      title: words.text(one.title),
      confirm: one.confirm === undefined ? null : words.text(one.confirm),
      form: one.form,
      formHash,
      unavailable: await unavailableFor(context, row, form, words),
    }
  })
  return Promise.all(views)
}

function questionView(one: QuestionRow, { flow }: CaseRow, words: Words): CaseView['questions'][number] {
  return {
    id: one.id,
    task: words.element(flow, one.desk, one.task),
    question: one.question,
    askedBy: { id: one.asked_by, name: one.asker },
    askedAt: one.asked_at.toISOString(),
    answer: one.answer,
    answeredAt: one.answered_at?.toISOString() ?? null,
    open: one.open === true,
  }
}

function fileView(file: Awaited<ReturnType<typeof listCaseFiles>>[number]): CaseView['files'][number] {
  return {
    id: file.id,
    name: file.name,
    contentType: file.content_type,
    size: Number(file.size),
    path: file.path,
    submissionId: file.submission_id,
  }
}

function documentView(document: Awaited<ReturnType<typeof documentsOf>>[number]): CaseView['documents'][number] {
  const { id, kind, number, issuedAt, endedAt } = document
  return { id, kind, number, issuedAt: issuedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null }
}

/** Logs in the audit trail that a person read somebody else's sensitive fields. */
async function noteRead(
  { db, library, definitions }: CasesContext,
  person: Person,
  row: CaseRow,
  submissions: readonly SubmissionView[],
): Promise<void> {
  const others = submissions.filter(
    // What was sent for a person belongs to them.
    (one) => one.by.id !== person.id && !(one.taskId === null && row.requester_id === person.id),
  )
  const actedAs = async () =>
    (await rightToSee(db, person, row, await presentManifest({ library, definitions }, row))) ?? null
  await noteSensitiveRead({ db, definitions }, { reader: person.id, caseId: row.id, submissions: others, actedAs })
}
