import type { Transaction } from 'kysely'
import { endOfDay } from '../../kernel/colombo.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { formats } from '../../kernel/formats.ts'
import type { MailedQuestion } from '../../model/definitions/mailed-question.ts'
import type { Language } from '../../model/library/library.ts'
import type { Outsider } from '../../records/mail/mail.ts'
import { type FindItem, lookUp } from '../../model/definitions/named.ts'
import { findAnyItem } from '../rows/items.ts'
import { addQuestionLink, askQuestion } from '../rows/mailed-questions.ts'

/** Languages by the titles of their register entries. */
const languages: Readonly<Record<string, Language>> = { English: 'en', Sinhala: 'si', Tamil: 'ta' }

/** Path of the page that a link leads to. */
const answerPath = (token: string): string => `/answer/${token}`

/** The person that a question is for, as the registers name them now. */
export async function outsiderOf(
  { to }: Pick<MailedQuestion, 'to'>,
  data: JsonObject,
  find: FindItem,
): Promise<Outsider | undefined> {
  const valueOf = async (pointer: string | undefined) =>
    pointer === undefined ? undefined : lookUp(pointer, data, find)
  const [name, email, language] = await Promise.all([valueOf(to.name), valueOf(to.email), valueOf(to.language)])
  if (typeof email !== 'string' || !formats.email.test(email)) return undefined
  return { name: typeof name === 'string' ? name : email, email, language: languages[String(language)] ?? 'en' }
}

/** The moment after which nobody can answer; undefined without a last day. */
export async function closingOfQuestion(
  { until }: Pick<MailedQuestion, 'until'>,
  data: JsonObject,
  find: FindItem,
): Promise<Date | undefined> {
  const day = await lookUp(until, data, find)
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  // The last day ends with its last second.
  return new Date(Date.parse(endOfDay(day)) + 1000)
}

/**
 * The recipient of a mail about a question and, until it is answered, a link of their own. The first mail asks the
 * question. Undefined if there is no address.
 */
export async function askByMail(
  trx: Transaction<DB>,
  question: MailedQuestion,
  { caseId, name, data }: { caseId: string; name: string; data: JsonObject },
): Promise<{ to: Outsider; path: string | undefined } | undefined> {
  const find: FindItem = (id) => findAnyItem(trx, id)
  const to = await outsiderOf(question, data, find)
  if (!to) return undefined
  const closesAt = await closingOfQuestion(question, data, find)
  if (!closesAt) throw new Error(`${question.until} is not a date`)
  const { id, answered_at } = await askQuestion(trx, { caseId, name, closesAt })
  const path = answered_at === null ? answerPath(await addQuestionLink(trx, id, to.email)) : undefined
  return { to, path }
}
