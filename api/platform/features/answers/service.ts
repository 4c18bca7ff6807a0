import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { known } from '../../kernel/known.ts'
import { readMailedToken } from '../../kernel/mailed-token.ts'
import { textOf } from '../../kernel/thrown.ts'
import { type MailedQuestion, answerVariable } from '../../model/definitions/mailed-question.ts'
import { textAt } from '../../model/definitions/register.ts'
import type { Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language, Library, Manifest } from '../../model/library/library.ts'
import { readable } from '../../model/library/readable.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { Outsider } from '../../records/mail/mail.ts'
import { isWaitingFor } from '../../work/cases/acts.ts'
import { deadlinesOf, variablesOf } from '../../work/cases/routing.ts'
import { checkedAnswers } from '../../work/cases/sent.ts'
import type { Sender } from '../../work/commands/sender.ts'
import { outsiderOf } from '../../work/cases/asking.ts'
import { type CaseRow, getCaseRow, lockCase } from '../../work/rows/cases.ts'
import { addCommand } from '../../work/rows/commands.ts'
import { findAnyItem } from '../../work/rows/items.ts'
import { answerQuestion, findQuestionOfLink } from '../../work/rows/mailed-questions.ts'

export interface AnswerDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  sender: Pick<Sender, 'deliver'>
}

/** What the reader of a link is asked. */
export interface AskedView {
  flowTitle: string
  question: string
  name: string
  /** Their language. */
  language: Language
  /** The moment after which nobody can answer. */
  closesAt: string
  /** Labels and values, in words. */
  shown: { label: string; value: string }[]
  form: FrozenForm
}

/** A question that can be answered now. */
interface Open {
  id: string
  name: string
  closesAt: Date
  question: MailedQuestion
  manifest: Manifest
  form: FrozenForm
  row: CaseRow
  reader: Outsider
}

/* Answers one question of a case by a mailed link, without an account. Opening the link changes nothing. */

type Linked = NonNullable<Awaited<ReturnType<typeof findQuestionOfLink>>>

/** The question of a link with its case; throws, in words for its reader, if it cannot be answered. */
async function opened(context: AnswerDependencies, token: string, language?: Language): Promise<Open> {
  const { db, definitions, library } = context
  const read = readMailedToken(token)
  const link = read && (await findQuestionOfLink(db, read.id))
  if (!read || !link) throw new BusinessError('platform.answer-link-unknown')
  const row = await getCaseRow(db, link.case_id)
  const definition = await definitions.get(row.process_definition_id)
  const { manifest } = definition
  const question = manifest.asks?.[link.name]
  const reader = question && (await outsiderOf(question, dataOf(row), (id) => findAnyItem(db, id)))
  if (!question || !reader || !read.isOf(link.token_hash, reader.email))
    throw new BusinessError('platform.answer-link-unknown')
  const form = await definitions.form(known(definition.forms[question.form], 'the form of a question'))
  refuseAnswered(link, form, library, language)
  if (row.withdrawn_at !== null) throw new BusinessError('platform.answer-withdrawn')
  if (link.closed) throw closed(link.closes_at)
  if (row.state === 'ended' || row.state === 'failed') throw new BusinessError('platform.answer-over')
  return { id: link.id, name: link.name, closesAt: link.closes_at, question, manifest, form, row, reader }
}

function refuseAnswered(
  { answered_at, void_at, outcome }: Linked,
  { schema }: FrozenForm,
  library: Library,
  language?: Language,
): void {
  if (answered_at === null || outcome === null) return
  if (void_at !== null) throw new BusinessError('platform.answer-over')
  const words = wordsOf(library, language).choice(schema, 'outcome', outcome)
  throw new BusinessError('platform.answer-given', { outcome: words, at: answered_at.toISOString() })
}

/** The last day is the one in which the moment before the closing lies. */
function closed(closesAt: Date): BusinessError {
  return new BusinessError('platform.answer-closed', { day: dayInColombo(closesAt.getTime() - 1000) })
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- start forms are JSON objects
const dataOf = (row: Pick<CaseRow, 'data'>) => row.data as JsonObject

export async function lookAtQuestion(
  context: AnswerDependencies,
  token: string,
  language: Language = 'en',
): Promise<AskedView> {
  const { library } = context
  const { question, manifest, form, row, closesAt, reader } = await opened(context, token, language)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server writes subjects of cases, as objects
  const values = readable(row.subject as JsonObject, language)
  const [area] = row.flow.split('/')
  return {
    flowTitle: wordsOf(library, language).flowTitle(manifest),
    question: library.text(question.title, values, language),
    name: reader.name,
    language: reader.language,
    closesAt: closesAt.toISOString(),
    shown: question.shows.flatMap((name) => {
      const value = values[name]
      return value === undefined || value === null || value === ''
        ? []
        : [{ label: library.text(`${area}.subject.${name}`, {}, language), value: String(value) }]
    }),
    form,
  }
}

/** Saves the answer, once, and sends it to the case; an invalid answer does not use up the link. */
export async function answerByLink(
  context: AnswerDependencies,
  token: string,
  data: unknown,
  language?: Language,
): Promise<{ state: 'done' | 'accepted' }> {
  const { db, sender } = context
  const asked = await opened(context, token, language)
  const answers = checkedAnswers(asked.form.schema, data)
  const commandId = await writeAnswer(context, asked, answers)
  const delivered = await sender.deliver({ id: commandId })
  if (delivered === 'refused') throw new BusinessError('platform.answer-over')
  await announce(db, { principals: [`user:${asked.row.requester_id}`], cases: [asked.row.id], tasks: [] })
  return { state: delivered === 'done' ? 'done' : 'accepted' }
}

/** Writes the answer and the command that tells the engine; returns the command's id. */
async function writeAnswer(context: AnswerDependencies, asked: Open, data: JsonObject): Promise<string> {
  const { id, name, question, form, row, closesAt } = asked
  const outcome = known(textAt(data, '/outcome'), 'the answer')
  const writing = context.db.transaction().execute(async (trx) => {
    const present = await lockCase(trx, row.id)
    // The mail can be read before the engine has gone on to wait for the answer.
    if (!(await isWaitingFor(context, trx, present, question.message)))
      throw new BusinessError('platform.answer-not-now')
    if (!(await answerQuestion(trx, id, { outcome, data }))) throw new BusinessError('platform.answer-over')
    await audit(trx).record({
      actor: 'system:mailed-link',
      action: 'case.answered',
      caseId: row.id,
      object: `case:${row.id}`,
      payload: { question: name, outcome },
    })
    return addCommand(trx, {
      kind: 'correlate',
      caseId: row.id,
      actingUser: row.requester_id,
      payload: {
        message: question.message,
        variables: {
          ...variablesOf(form.schema, data),
          [answerVariable(name)]: outcome,
          ...(await deadlinesOf(trx, new Date())),
        },
      },
    })
  })
  return writing.catch((error: unknown) => {
    const constraint = textOf(error, 'constraint')
    if (constraint === 'question_in_time') throw closed(closesAt)
    throw constraint === 'question_of_running_case' ? new BusinessError('platform.answer-over') : error
  })
}
