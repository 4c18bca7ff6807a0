import { isObject, textsIn } from '../../kernel/objects.ts'
import type { Language } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import type { Person } from '../../people/persons/person.ts'
import { gatherEvidence, noteReading } from './case-evidence.ts'
import type { CaseThen, SentThen } from './case-then.ts'
import { compareCase } from './comparison.ts'
import type { CaseDifference } from './difference.ts'
import { idsIn } from './fields.ts'
import { type MomentsContext, findAnyCase, nullIfEngineDown } from './moments-context.ts'
import { decisionsThen, formTitle, statusesThen, subjectThen, submissionsThen } from './sent-then.ts'
import { elementsThen, pathThen, taskThen } from './tasks-then.ts'
import { type Then, nameOf, thenOf } from './then.ts'
import { authorityOf, endOf, plainField } from './words.ts'

/** The case as it was at a moment; without one, as it is. */
export async function readCaseThen(
  context: MomentsContext,
  person: Person,
  id: string,
  wanted?: string,
  language?: Language,
): Promise<CaseThen> {
  const row = await findAnyCase(context, id)
  const at = wanted === undefined ? new Date() : new Date(wanted)
  const evidence = await gatherEvidence(context, row, at)
  await noteReading(context, person, evidence)
  const then = await thenOf(context, evidence, language)
  const { words, definition, doerOf, made } = then
  const { submissions, lastBy } = await submissionsThen(context, then)
  const unlike = await unlikeThen(context, then)
  const ended = row.ended_at !== null && row.ended_at <= at ? row.ended_at.toISOString() : null
  return {
    id,
    reference: row.reference,
    flow: { key: row.flow, text: words.text(definition.manifest.title) },
    title: words.caseTitle(definition.manifest, await subjectThen(context, then)),
    requester: doerOf(row.requester_id, at),
    at: at.toISOString(),
    createdAt: row.created_at.toISOString(),
    endedAt: ended,
    end: ended === null ? null : endOf(then.telling, row, definition),
    state: ended === null ? 'running' : 'ended',
    statuses: await statusesThen(context, then),
    data: lastBy.get(definition.manifest.start) ?? [],
    tasks: await Promise.all(then.tasks.map((task) => taskThen(context, then, task))),
    path: pathThen(then),
    elements: elementsThen(then),
    submissions,
    decisions: made === null ? null : await nullIfEngineDown(() => decisionsThen(context, then, made)),
    versions: await versionsThen(context, then),
    mails: mailsThen(then),
    documents: documentsThen(then),
    readers: readersThen(then, submissions),
    unlike: unlike.map((one) => ({ ...one, text: unlikeInWords(then, submissions, one) })),
  }
}

/** The diagram and forms that were in force. */
async function versionsThen({ definitions }: MomentsContext, then: Then): Promise<CaseThen['versions']> {
  const { id: definitionId, version, deployedAt, bpmnHash, forms } = then.definition
  return {
    model: { definitionId, version, deployedAt, hash: bpmnHash },
    forms: await Promise.all(
      Object.entries(forms).map(async ([key, hash]) => ({
        key,
        hash,
        title: formTitle(then, (await definitions.form(hash)).schema, key),
      })),
    ),
  }
}

function mailsThen({ mails, at }: Then): CaseThen['mails'] {
  return mails.map((one) => ({
    at: one.created_at.toISOString(),
    recipient: String(one.recipient),
    subject: one.subject,
    sentAt: one.sent_at !== null && one.sent_at <= at ? one.sent_at.toISOString() : null,
  }))
}

function documentsThen({ documents, at, words }: Then): CaseThen['documents'] {
  return documents.map((one) => ({
    number: one.number,
    kind: words.text(one.kind.replace('/', '.')),
    issuedAt: one.issuedAt.toISOString(),
    ended: one.endedAt !== null && one.endedAt <= at,
  }))
}

/** Who had read its sensitive fields. */
function readersThen(
  { entries, telling, principals, doerOf }: Then,
  submissions: readonly SentThen[],
): CaseThen['readers'] {
  const labels = new Map(submissions.flatMap(({ fields }) => fields.map((one) => [one.field, one.label] as const)))
  return entries
    .filter(({ action }) => action === 'sensitive.read')
    .map((one) => ({
      at: one.at.toISOString(),
      by: doerOf(one.actor, one.at),
      authority: authorityOf(telling, one.acted_as, principals),
      fields: textsIn(isObject(one.payload) ? one.payload['fields'] : undefined).map(
        (field) => labels.get(field) ?? plainField(field),
      ),
    }))
}

/** Where the present case differs from what was sealed. */
async function unlikeThen({ db }: MomentsContext, { row, all, made, definition }: Then): Promise<CaseDifference[]> {
  const { sent, tasks, activities, entries, documents, mails } = all
  return compareCase(db, {
    ...{ row, tasks, activities, documents, mails },
    decided: made === null || made.length > 0,
    people: [
      row.requester_id,
      ...sent.map((one) => one.submitted_by),
      ...tasks.flatMap((one) => one.decided_by ?? []),
      ...idsIn(entries.map((one) => one.actor)),
    ],
    artifacts: [definition.bpmnHash, ...Object.values(definition.forms), ...sent.map((one) => one.form_hash)],
  })
}

/** The difference as a sentence that makes sense without the rest of the page. */
function unlikeInWords(
  then: Then,
  submissions: readonly SentThen[],
  { part, id: of, how, sealed }: CaseDifference,
): string {
  const { row, at, all, words, language, doerOf } = then
  const submission = submissions.find((each) => each.id === of)
  const task = all.tasks.find((each) => each.id === of)
  const desk = task && words.element(row.flow, task.desk, task.name)
  const named: Partial<Record<CaseDifference['part'], string | undefined>> = {
    sent: submission && `${submission.title}, ${submission.by.name}`,
    ...(task && { tasks: desk, titles: desk, dues: desk }),
    times: of === null ? undefined : nameOf(then, of),
    names: of === null ? undefined : doerOf(of, at).name,
    documents: all.documents.find((each) => each.id === of)?.number,
    steps: of ?? undefined,
    versions: of?.slice(0, 16),
    case: of === null ? undefined : words.text(`platform.audit-unlike.case.${of}`),
  }
  const which = named[part]
  const what = words.text(`platform.audit-unlike.${part}`) + (which === undefined ? '' : `: ${which}`)
  const text = words.text(`platform.audit-unlike.${how}`, { what })
  const value = readable({ sealed }, language)['sealed']
  return sealed === null ? text : `${text}. ${words.text('platform.audit-unlike.sealed', { value })}`
}
