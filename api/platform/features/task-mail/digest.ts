import { type Transaction, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { calendarDay, daysBetween, readCalendar } from '../../records/calendar/working-days.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Definitions, definitionStore } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { inboxService } from '../../work/inbox/service.ts'
import type { TaskSummary } from '../../work/tasks/task-rows.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { readable } from '../../model/library/readable.ts'
import { taskAddresses } from './addresses.ts'
import { taskLinks } from './links.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** Maximum tasks listed in one mail; the first `MAX_LINKS` of them have a decision link. */
const MAX_LISTED = 10
const MAX_LINKS = 3
/** Longest break between working days, in milliseconds. */
const MAX_BREAK_MS = 30 * DAY_MS

/** One step through the people who want a digest. */
export interface Step {
  /** How many mails it wrote. */
  written: number
  /** The last account it checked; undefined when nobody is left. */
  last: string | undefined
}

type DigestContext = MailDependencies & { now: Date }

/** Shared by all mails of one step, which reads each definition once. */
type Round = DigestContext & { definitions: Definitions }

interface Reader {
  id: string
  email: string
  language: Language
}

/*
 * The morning mail: waiting tasks, what is late or due soon, and mentions. It is not sent if nothing waits, and nobody
 * gets two on a day, however often the run begins.
 */

/** The same time on the last working day before today; undefined if today is not a working day. */
async function sinceLastTime(trx: Transaction<DB>, { now }: DigestContext): Promise<Date | undefined> {
  const today = dayInColombo(now)
  const first = dayInColombo(now.getTime() - MAX_BREAK_MS)
  const calendar = await readCalendar(trx, first)
  if (!calendarDay(calendar, today).hours) return undefined
  const before = daysBetween(calendar, first, today).filter(({ date, hours }) => hours && date < today)
  const last = before.at(-1)?.date ?? first
  return new Date(now.getTime() - (Date.parse(today) - Date.parse(last)))
}

/** The next people who want a digest and may have something in it. */
async function nextReaders(
  trx: Transaction<DB>,
  { now }: DigestContext,
  after: string | undefined,
  since: Date,
  limit: number,
): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
      select a.id, a.email, a.language from account a
      where a.active and a.mail_digest and (${after ?? null}::uuid is null or a.id > ${after ?? null}::uuid) and (
        exists (select from inbox i where i.principal = 'user:' || a.id)
        or exists (select from role_grant g
          where g.account_id = a.id and g.starts_at <= ${now} and (g.ends_at is null or g.ends_at > ${now})
            and (exists (select from inbox i where i.principal = g.role)
              or exists (select from inbox i where i.principal = g.role || '@' || g.scope_kind || ':' || g.scope_id)))
        or exists (select from substitution s
          where s.substitute_id = a.id and s.state = 'accepted' and s.starts_at <= ${now} and s.ends_at > ${now})
        or exists (select from case_comment_mention m join case_comment c on c.id = m.comment_id
          where m.account_id = a.id and c.at > ${since} and c.deleted_at is null))
      order by a.id limit ${limit}`.execute(trx)
  return rows
}

async function mentionsOf(trx: Transaction<DB>, { id }: Reader, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from case_comment_mention m join case_comment c on c.id = m.comment_id
      where m.account_id = ${id} and c.at > ${since} and c.deleted_at is null`.execute(trx)
  return known(rows[0], 'the number of mentions').count
}

/** Mails one person. False if there is nothing to say, or today's mail was sent already. */
async function writeTo(trx: Transaction<DB>, letters: Round, reader: Reader, since: Date): Promise<boolean> {
  const { now, library, publicUrl, definitions } = letters
  const inbox = inboxService({ db: trx, library, definitions, clock: () => now })
  const addresses = taskAddresses(trx, publicUrl)
  const today = dayInColombo(now)
  const found = await findPerson(trx, reader.id)
  if (!found) return false
  // Tasks that a person sees only through a role that sees everything do not wait for them.
  const person = { ...found, seesAll: false }
  const { language } = reader
  const list = (queue: 'open' | 'mine' | 'overdue' | 'due-soon', limit: number) =>
    inbox.list(person, { queue, sort: 'due', limit }, language)
  const [open, mine, overdue, soon, mentions] = [
    await list('open', MAX_LISTED),
    await list('mine', MAX_LISTED),
    await list('overdue', 1),
    await list('due-soon', 1),
    await mentionsOf(trx, reader, since),
  ]
  const waiting = sum(open.count, mine.count)
  if (waiting.value === 0 && mentions === 0) return false
  const words = (key: string, values: Record<string, unknown>) => library.text(key, values, language)
  const counts = [
    ['platform.mail.digest-waiting', waiting],
    ['platform.mail.digest-overdue', overdue.count],
    ['platform.mail.digest-due-soon', soon.count],
    ['platform.mail.digest-mentions', { value: mentions, more: false }],
  ] as const
  const named = [...open.items, ...mine.items].toSorted(byDue).slice(0, MAX_LISTED)
  const lines: string[] = []
  for (const [index, task] of named.entries()) {
    const link = index < MAX_LINKS ? await addresses.deciding(task.id, reader) : addresses.page(task.id)
    lines.push(words('platform.mail.digest-task', await valuesOf(letters, task, { number: index + 1, link }, language)))
  }
  const { mails } = await mail(trx, letters).send({
    to: `user:${reader.id}`,
    template: 'platform.mail.digest',
    values: {
      day: today,
      counts: counts
        .filter(([, { value }]) => value > 0)
        .map(([key, { value, more }]) => words(key, { count: more ? `${value}+` : value }))
        .join('\n'),
      tasks: lines.join('\n\n'),
      link: `${publicUrl}/inbox`,
    },
    once: `digest:${today}`,
    chosen: true,
  })
  return mails.length > 0
}

/** The text values of one task. */
async function valuesOf(
  { library }: DigestContext,
  task: TaskSummary,
  more: Record<string, unknown>,
  language: Language,
): Promise<Record<string, unknown>> {
  const words = wordsOf(library, language)
  const manifest = library.flows.get(task.flow)?.manifest
  const about = { requester: task.requester.name, subject: task.subject }
  const { due } = readable({ due: task.dueAt }, language)
  const late = task.overdue !== null
  return {
    ...more,
    question: (manifest && words.question(manifest, task.desk, about)) ?? `${task.name}: ${task.title}`,
    reference: task.reference,
    requester: task.requester.name,
    due:
      task.dueAt === null
        ? words.text('platform.mail.no-due-date')
        : words.text(late ? 'platform.mail.overdue-since' : 'platform.mail.due', { due }),
  }
}

/** Handles the next people, in the order of their ids; nobody on a day that is not a working day. */
export async function sendDigests(
  trx: Transaction<DB>,
  letters: DigestContext,
  after: string | undefined,
  limit: number,
): Promise<Step> {
  const since = await sinceLastTime(trx, letters)
  if (since === undefined) {
    await taskLinks(trx).tidy()
    return { written: 0, last: undefined }
  }
  const readers = await nextReaders(trx, letters, after, since, limit)
  const round = { ...letters, definitions: definitionStore(trx) }
  let written = 0
  for (const reader of readers) if (await writeTo(trx, round, reader, since)) written += 1
  const last = readers.length === limit ? readers.at(-1)?.id : undefined
  if (last === undefined) await taskLinks(trx).tidy()
  return { written, last }
}

interface Count {
  value: number
  more: boolean
}

function sum(a: Count, b: Count): Count {
  return { value: a.value + b.value, more: a.more || b.more }
}

/** Earliest due date first; tasks without one last. */
function byDue(a: TaskSummary, b: TaskSummary): number {
  if (a.dueAt === b.dueAt) return a.createdAt.localeCompare(b.createdAt)
  if (a.dueAt === null) return 1
  if (b.dueAt === null) return -1
  return a.dueAt.localeCompare(b.dueAt)
}
