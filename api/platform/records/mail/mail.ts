import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { icsOf } from '../calendar/ics.ts'
import { calendarSlots } from '../calendar/slots.ts'
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
  /** Where people reach the product: begins the links and names our side in message ids. */
  publicUrl: string
}

export interface NewMail {
  /** Principals (`user:<id>`, `<role>`, `<role>@<kind>:<id>`), ids of accounts, or bare addresses. */
  to: string | readonly string[]
  /** Prefix of two text keys: `<template>-subject` and `<template>-body`. */
  template: string
  /** For the placeholders; about a case, its reference, title, status, link and subject are there anyway. */
  values?: Record<string, unknown>
  caseId?: string
  /** Path of the page in the portal that it leads to, in place of the case's. */
  page?: string
  /** Brings the slots of the case along as a calendar: to be noted, or when none is left, to be crossed out. */
  calendar?: boolean
  /** Files that it brings along. */
  attachments?: readonly Attachment[]
  /** What nobody is written to about a second time, however often it is sent: `digest:2026-05-14`. */
  once?: string
  /** Those meant have chosen this very mail: it goes whatever mails they decline, and is not told in the portal too. */
  chosen?: true
}

/** A file that a mail brings along. */
export interface Attachment {
  name: string
  /** Media type with its parameters. */
  type: string
  content: string
}

/** What became of it. */
export interface Sent {
  /** Ids of the mails that were written. */
  mails: string[]
  /** How many people were told, by mail or by a notification alone where they want no mail. */
  told: number
}

/** The name of the job that sends one mail; its payload is `{ id }`. */
export const SEND_MAIL = 'send-mail'
/** The name of the job that tells somebody's browsers of a notification; its payload is `{ account }`. */
export const TELL = 'tell-person'
/** With graphile-worker's delays (e to the power of the attempt, in seconds) the last attempt is a day after the first. */
const ATTEMPTS = 12

/**
 * Writes mails in the caller's transaction: the row is the mail, a job sends it after the commit. A mail is sent at
 * least once, always under the same Message-ID. Who has an account is written to in their language, as far as the text
 * exists in it, and finds it among their notifications too; mails about cases they may have declined.
 */
export function mail(trx: Transaction<DB>, { library, publicUrl }: MailDependencies) {
  return {
    /** One mail to each person meant who wants it. Nobody is told when nobody holds the principals. */
    async send({
      to,
      template,
      values = {},
      caseId,
      page,
      calendar = false,
      attachments = [],
      ...more
    }: NewMail): Promise<Sent> {
      for (const part of ['subject', 'body'])
        if (library.texts.en[`${template}-${part}`] === undefined)
          throw new Error(`there is no text ${template}-${part}`)
      const about = caseId ? await findCase(caseId) : undefined
      const sent: Sent = { mails: [], told: 0 }
      for (const recipient of await recipients(to)) {
        const { language } = recipient
        const spoken = ['subject', 'body'].every((part) => library.texts[language][`${template}-${part}`] !== undefined)
        const spokenIn = spoken ? language : 'en'
        const known = about ? valuesOfCase(about, spokenIn, page) : { link: publicUrl + (page ?? '') }
        const all = readable({ ...known, ...values, name: recipient.name }, spokenIn)
        const subject = library.text(`${template}-subject`, all, spokenIn).replaceAll(/\s+/g, ' ').trim()
        if (recipient.id && !more.chosen) await notify(recipient.id, { about, page }, subject, spokenIn)
        if (
          more.chosen ||
          !about ||
          (about.requester_id === recipient.id ? recipient.mail_cases : recipient.mail_tasks)
        ) {
          const body = library.text(`${template}-body`, all, spokenIn)
          const slots = caseId && calendar ? await slotsOf(caseId, recipient, spokenIn) : []
          const written = await write(recipient, {
            ...{ template, subject, body, caseId, once: more.once },
            attachments: [...attachments, ...slots],
          })
          if (written === undefined) continue
          sent.mails.push(written)
        }
        sent.told += 1
      }
      return sent
    },
  }

  async function write(
    recipient: Recipient,
    {
      caseId,
      attachments,
      once,
      ...words
    }: {
      template: string
      subject: string
      body: string
      caseId: string | undefined
      attachments: Attachment[]
      once: string | undefined
    },
  ): Promise<string | undefined> {
    const id = uuid()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('mail')
      .values({
        id,
        case_id: caseId ?? null,
        recipient: recipient.email,
        recipient_id: recipient.id,
        ...words,
        attachments: JSON.stringify(attachments),
        message_id: `<${id}@${new URL(publicUrl).hostname}>`,
        ...(once !== undefined && { once }),
      })
      .$if(once !== undefined, (query) => query.onConflict((conflict) => conflict.doNothing()))
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return undefined
    // In a queue of their own, one by one: a mail server that hangs must not keep commands from being sent.
    await sql`select graphile_worker.add_job(${SEND_MAIL}, ${JSON.stringify({ id })}::json,
      queue_name => ${SEND_MAIL}, max_attempts => ${ATTEMPTS}, job_key => ${`mail:${id}`})`.execute(trx)
    return id
  }

  /** The slots of a case as the recipient's calendar program takes them; none when the case never had any. */
  async function slotsOf(caseId: string, { email, name }: Recipient, language: Language): Promise<Attachment[]> {
    const entries = await calendarSlots(trx, { library, publicUrl }).ofCase(caseId, language)
    if (entries.length === 0) return []
    const standing = entries.filter(({ state }) => state !== 'cancelled')
    const method = standing.length > 0 ? 'PUBLISH' : 'CANCEL'
    const house = library.text('platform.name', {}, language)
    const content = icsOf({
      name: house,
      entries: standing.length > 0 ? standing : entries,
      confidential: true,
      sent: { method, by: { name: house, email: `no-reply@${new URL(publicUrl).hostname}` }, to: { name, email } },
    })
    return [{ name: 'calendar.ics', type: `text/calendar; charset=utf-8; method=${method}`, content }]
  }

  /** Tells the same in the portal itself, without the body: there may be a link in it that is for the mail alone. */
  async function notify(
    accountId: string,
    { about, page }: { about: Case | undefined; page: string | undefined },
    title: string,
    language: Language,
  ): Promise<void> {
    await notifications(trx).add(accountId, {
      path: page ?? (about ? casePath(library, about.id) : null),
      icon: about ? { name: 'mail', color: 'primary' } : { name: 'account', color: 'primary' },
      heading: about ? titleOf(about, language) : library.text('platform.notification.account', {}, language),
      title,
      subtitle: about?.reference ?? '',
    })
    // Their browsers look when it is there, which is after the commit.
    await sql`select graphile_worker.add_job(${TELL}, ${JSON.stringify({ account: accountId })}::json,
      max_attempts => 3)`.execute(trx)
  }

  /** Each person once, however many of the principals they hold. */
  async function recipients(to: NewMail['to']): Promise<Recipient[]> {
    const found = new Map<string, Recipient>()
    for (const one of [to].flat()) {
      const people = formats['email']!.test(one)
        ? [{ id: null, email: one, name: one, ...STRANGER }]
        : await holdersOf(trx, formats['uuid']!.test(one) ? `user:${one}` : one)
      for (const person of people) found.set(person.email.toLowerCase(), person)
    }
    return [...found.values()]
  }

  async function findCase(id: string) {
    return trx
      .selectFrom('flow_case')
      .innerJoin('account', 'account.id', 'flow_case.requester_id')
      .select(['flow_case.id', 'requester_id', 'reference', 'flow', 'status', 'subject', 'account.name as requester'])
      .where('flow_case.id', '=', id)
      .executeTakeFirstOrThrow()
  }

  function titleOf({ flow }: Case, language: Language): string {
    const manifest = library.flows.get(flow)?.manifest
    return manifest ? wordsOf(library, language).flowTitle(manifest) : flow
  }

  function valuesOfCase(found: Case, language: Language, page?: string): Record<string, unknown> {
    const manifest = library.flows.get(found.flow)?.manifest
    return {
      ...(found.subject as JsonObject),
      reference: found.reference,
      requester: found.requester,
      title: titleOf(found, language),
      status: manifest ? wordsOf(library, language).status(manifest, 'status', found.status).text : found.status,
      link: publicUrl + (page ?? casePath(library, found.id)),
    }
  }
}

interface Case {
  id: string
  requester_id: string
  reference: string
  flow: string
  status: string
  subject: unknown
  requester: string
}

type Recipient = Omit<Holder, 'id'> & { id: string | null }

/** What is assumed of an address that is nobody's account. */
const STRANGER = { language: 'en', mail_tasks: true, mail_cases: true } as const
