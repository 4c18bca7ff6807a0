import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { icsOf } from '../calendar/ics.ts'
import { slotsOfCase } from '../calendar/slots.ts'
import { casePath } from '../../model/library/paths.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { formats } from '../../kernel/formats.ts'
import { notifications } from '../notifications/notifications.ts'
import { readable } from '../../model/library/readable.ts'
import { type Holder, holdersOf } from './recipients.ts'

export interface MailDependencies {
  library: Library
  /** Public address: prefix of links, and our part of message ids. */
  publicUrl: string
}

export interface NewMail {
  /** Principals (`user:<id>`, `<role>`, `<role>@<kind>:<id>`), ids of accounts, bare addresses, or somebody without an account. */
  to: string | readonly string[] | Outsider
  /** Prefix of two text keys: `<template>-subject` and `<template>-body`. */
  template: string
  /** Values of placeholders. A case adds its number, title, status, link and subject. */
  values?: Record<string, unknown>
  caseId?: string
  /** Path of the linked page in the portal, instead of the case's; null for people who may open neither. */
  page?: string | null
  /** Attaches the slots of the case as a calendar, or a cancellation if none are left. */
  calendar?: boolean
  /** Other attachments. */
  attachments?: readonly Attachment[]
  /** Idempotency key per recipient: `digest:2026-05-14`. */
  once?: string
  /**
   * The recipients asked for this mail: send it whatever mails they decline, and without a notification in the portal.
   */
  chosen?: true
}

/** Somebody without an account. */
export interface Outsider {
  name: string
  email: string
  language: Language
}

/** An attachment. */
export type Attachment = {
  name: string
  /** Media type with its parameters. */
  type: string
  content: string
}

/** The result of sending. */
export interface Sent {
  /** Ids of the mails that were written. */
  mails: string[]
  /** How many people were notified, by mail or only in the portal if they want no mail. */
  told: number
}

/** The name of the job that sends one mail; its payload is `{ id }`. */
export const SEND_MAIL = 'send-mail'
/** The name of the job that notifies somebody's browsers; its payload is `{ account }`. */
export const NOTIFY_PERSON = 'tell-person'
/**
 * With graphile-worker's delays (e to the power of the attempt, in seconds), the last attempt is a day after the first.
 */
const MAX_ATTEMPTS = 12
/** The texts of a mail. */
const PARTS = ['subject', 'body'] as const

/**
 * Writes mails in the caller's transaction: the row is the mail, and a job sends it after the commit. A mail is sent at
 * least once, always with the same Message-ID. Accounts get it in their language, if the text exists in it, and as a
 * notification too. They may have declined mails about cases.
 */
export function mail(trx: Transaction<DB>, dependencies: MailDependencies) {
  return { send: (one: NewMail) => sendMail({ ...dependencies, trx }, one) }
}

interface MailContext extends MailDependencies {
  trx: Transaction<DB>
}

/** One mail to each recipient who wants it; nobody if nobody holds the principals. */
async function sendMail(context: MailContext, one: NewMail): Promise<Sent> {
  const { trx, library } = context
  for (const part of PARTS)
    if (library.texts.en[`${one.template}-${part}`] === undefined)
      throw new Error(`there is no text ${one.template}-${part}`)
  const about = one.caseId ? await findCase(trx, one.caseId) : undefined
  const sent: Sent = { mails: [], told: 0 }
  for (const recipient of await recipientsOf(trx, one.to)) {
    const letter = letterTo(context, one, about, recipient)
    if (recipient.id && !one.chosen) await notify(context, recipient.id, { about, page: one.page }, letter)
    if (wants(recipient, one, about)) {
      const written = await write(context, one, recipient, letter)
      if (written === undefined) continue
      sent.mails.push(written)
    }
    sent.told += 1
  }
  return sent
}

/** A mail in the language of one recipient. */
interface Letter {
  language: Language
  subject: string
  body(): string
}

/** A mail as somebody without an account would get it, without sending it. */
export function previewLetter(
  dependencies: MailDependencies,
  template: string,
  to: Outsider,
  values: Record<string, unknown>,
): { language: Language; subject: string; body: string } {
  const { body, ...letter } = letterTo(dependencies, { to, template, values }, undefined, to)
  return { ...letter, body: body() }
}

function letterTo(
  context: MailDependencies,
  { template, values = {}, page }: NewMail,
  about: Case | undefined,
  recipient: Pick<Recipient, 'name' | 'language'>,
): Letter {
  const { library, publicUrl } = context
  const isTranslated = PARTS.every((part) => library.texts[recipient.language][`${template}-${part}`] !== undefined)
  const language = isTranslated ? recipient.language : 'en'
  const known = about ? valuesOfCase(context, about, language, page) : { link: publicUrl + (page ?? '') }
  const all = readable({ ...known, ...values, name: recipient.name }, language)
  return {
    language,
    subject: library.text(`${template}-subject`, all, language).replaceAll(/\s+/g, ' ').trim(),
    body: () => library.text(`${template}-body`, all, language),
  }
}

/** Whether the recipient has not declined such mails. */
function wants(recipient: Recipient, { chosen }: NewMail, about: Case | undefined): boolean {
  if (chosen || !about) return true
  return about.requester_id === recipient.id ? recipient.mail_cases : recipient.mail_tasks
}

/** Returns the id of the mail; nothing if its `once` key exists. */
async function write(
  context: MailContext,
  { template, caseId, calendar, attachments = [], once }: NewMail,
  recipient: Recipient,
  { language, subject, body }: Letter,
): Promise<string | undefined> {
  const { trx, publicUrl } = context
  const slots = caseId && calendar ? await calendarOf(context, caseId, recipient, language) : []
  const id = uuid()
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('mail')
    .values({
      id,
      case_id: caseId ?? null,
      recipient: recipient.email,
      recipient_id: recipient.id,
      ...{ template, subject, body: body() },
      attachments: JSON.stringify([...attachments, ...slots]),
      message_id: `<${id}@${new URL(publicUrl).hostname}>`,
      ...(once !== undefined && { once }),
    })
    .$if(once !== undefined, (query) => query.onConflict((conflict) => conflict.doNothing()))
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  // In a queue of their own, one by one, so that a slow mail server does not delay commands.
  await sql`select graphile_worker.add_job(${SEND_MAIL}, ${JSON.stringify({ id })}::json,
    queue_name => ${SEND_MAIL}, max_attempts => ${MAX_ATTEMPTS}, job_key => ${`mail:${id}`})`.execute(trx)
  return id
}

/** The slots of a case for the recipient's calendar program; none if the case never had any. */
async function calendarOf(
  context: MailContext,
  caseId: string,
  { email, name }: Recipient,
  language: Language,
): Promise<Attachment[]> {
  const { library, publicUrl } = context
  const entries = await slotsOfCase({ ...context, db: context.trx }, caseId, language)
  if (entries.length === 0) return []
  const remaining = entries.filter(({ state }) => state !== 'cancelled')
  const method = remaining.length > 0 ? 'PUBLISH' : 'CANCEL'
  const house = library.text('platform.name', {}, language)
  const content = icsOf({
    name: house,
    entries: remaining.length > 0 ? remaining : entries,
    confidential: true,
    sent: { method, by: { name: house, email: `no-reply@${new URL(publicUrl).hostname}` }, to: { name, email } },
  })
  return [{ name: 'calendar.ics', type: `text/calendar; charset=utf-8; method=${method}`, content }]
}

/** Also notifies in the portal, without the body, which may contain a secret link. */
async function notify(
  { trx, library }: MailContext,
  accountId: string,
  { about, page }: { about: Case | undefined; page: string | null | undefined },
  { language, subject }: Letter,
): Promise<void> {
  await notifications(trx).add(accountId, {
    path: page === undefined && about ? casePath(library, about.id) : (page ?? null),
    icon: about ? { name: 'mail', color: 'primary' } : { name: 'account', color: 'primary' },
    heading: about ? titleOf(library, about, language) : library.text('platform.notification.account', {}, language),
    title: subject,
    subtitle: about?.reference ?? '',
  })
  // Notify the browsers after the commit, when the row is visible.
  await sql`select graphile_worker.add_job(${NOTIFY_PERSON}, ${JSON.stringify({ account: accountId })}::json,
    max_attempts => 3)`.execute(trx)
}

/** Each person once, however many of the principals they hold. */
async function recipientsOf(trx: Transaction<DB>, to: NewMail['to']): Promise<Recipient[]> {
  const found = new Map<string, Recipient>()
  if (typeof to === 'object' && 'email' in to) return [{ ...STRANGER, id: null, ...to }]
  for (const one of [to].flat()) {
    const people = formats.email.test(one)
      ? [{ id: null, email: one, name: one, ...STRANGER }]
      : await holdersOf(trx, formats.uuid.test(one) ? `user:${one}` : one)
    for (const person of people) found.set(person.email.toLowerCase(), person)
  }
  return [...found.values()]
}

async function findCase(trx: Transaction<DB>, id: string): Promise<Case> {
  return trx
    .selectFrom('flow_case')
    .innerJoin('account', 'account.id', 'flow_case.requester_id')
    .select(['flow_case.id', 'requester_id', 'reference', 'flow', 'status', 'subject', 'account.name as requester'])
    .where('flow_case.id', '=', id)
    .executeTakeFirstOrThrow()
}

function titleOf(library: Library, { flow }: Case, language: Language): string {
  const manifest = library.flows.get(flow)?.manifest
  return manifest ? wordsOf(library, language).flowTitle(manifest) : flow
}

function valuesOfCase(
  { library, publicUrl }: MailDependencies,
  found: Case,
  language: Language,
  page?: string | null,
): Record<string, unknown> {
  const manifest = library.flows.get(found.flow)?.manifest
  return {
    ...found.subject,
    reference: found.reference,
    requester: found.requester,
    title: titleOf(library, found, language),
    status: manifest ? wordsOf(library, language).status(manifest, 'status', found.status).text : found.status,
    link: publicUrl + (page === undefined ? casePath(library, found.id) : (page ?? '')),
  }
}

interface Case {
  id: string
  requester_id: string
  reference: string
  flow: string
  status: string
  subject: JsonObject
  requester: string
}

type Recipient = Omit<Holder, 'id'> & { id: string | null }

/** Preferences of addresses without an account. */
const STRANGER = { language: 'en', mail_tasks: true, mail_cases: true } as const
