import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { wordsOf } from '../cases/words.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import type { Library } from '../flows/library.ts'
import { formats } from '../forms/formats.ts'
import { readable } from '../readable.ts'
import { holdersOf } from './recipients.ts'

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
}

/** The name of the job that sends one mail; its payload is `{ id }`. */
export const SEND_MAIL = 'send-mail'
/** With graphile-worker's delays (e to the power of the attempt, in seconds) the last attempt is a day after the first. */
const ATTEMPTS = 12

/**
 * Writes mails in the caller's transaction: the row is the mail, a job sends it after the commit. A mail is sent at
 * least once, always under the same Message-ID.
 */
export function mail(trx: Transaction<DB>, { library, publicUrl }: MailDependencies) {
  return {
    /** One mail to each person meant; gives the ids of the mails. None when nobody holds the principals. */
    async send({ to, template, values = {}, caseId }: NewMail): Promise<string[]> {
      for (const part of ['subject', 'body'])
        if (library.texts.en[`${template}-${part}`] === undefined)
          throw new Error(`there is no text ${template}-${part}`)
      const known = { ...(caseId ? await valuesOfCase(caseId) : { link: publicUrl }), ...values }
      const ids: string[] = []
      for (const recipient of await recipients(to)) {
        const all = readable({ ...known, name: recipient.name })
        const id = uuid()
        await trx
          .insertInto('mail')
          .values({
            id,
            case_id: caseId ?? null,
            recipient: recipient.email,
            recipient_id: recipient.id,
            template,
            subject: library.text(`${template}-subject`, all).replaceAll(/\s+/g, ' ').trim(),
            body: library.text(`${template}-body`, all),
            message_id: `<${id}@${new URL(publicUrl).hostname}>`,
          })
          .execute()
        // In a queue of their own, one by one: a mail server that hangs must not keep commands from being sent.
        await sql`select graphile_worker.add_job(${SEND_MAIL}, ${JSON.stringify({ id })}::json,
          queue_name => ${SEND_MAIL}, max_attempts => ${ATTEMPTS}, job_key => ${`mail:${id}`})`.execute(trx)
        ids.push(id)
      }
      return ids
    },
  }

  /** Each person once, however many of the principals they hold. */
  async function recipients(to: NewMail['to']): Promise<Recipient[]> {
    const found = new Map<string, Recipient>()
    for (const one of [to].flat()) {
      const address = formats['email']!.test(one)
      const people = address
        ? [{ id: null, email: one, name: one }]
        : await holdersOf(trx, formats['uuid']!.test(one) ? `user:${one}` : one)
      for (const person of people) found.set(person.email.toLowerCase(), person)
    }
    return [...found.values()]
  }

  async function valuesOfCase(id: string): Promise<Record<string, unknown>> {
    const found = await trx
      .selectFrom('flow_case')
      .innerJoin('account', 'account.id', 'flow_case.requester_id')
      .select(['reference', 'flow', 'status', 'subject', 'account.name as requester'])
      .where('flow_case.id', '=', id)
      .executeTakeFirstOrThrow()
    const manifest = library.flows.get(found.flow)?.manifest
    const words = wordsOf(library)
    return {
      ...(found.subject as JsonObject),
      reference: found.reference,
      requester: found.requester,
      title: manifest ? words.flowTitle(manifest) : found.flow,
      status: manifest ? words.status(manifest, 'status', found.status).text : found.status,
      link: publicUrl + casePath(library, id),
    }
  }
}

interface Recipient {
  id: string | null
  email: string
  name: string
}

/** The page that shows a case of any flow. */
function casePath(library: Library, id: string): string {
  const screen = library.screens.find(({ page, parameters }) => page === 'case' && !parameters)
  return screen?.route.replace('{id}', id) ?? ''
}
