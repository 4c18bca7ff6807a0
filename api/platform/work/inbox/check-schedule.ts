import { type Kysely, type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import { checkInbox, sweepInbox } from './check.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'

/** The topic of the schedule that compares the inbox with the engine. */
const CHECK_INBOX = 'platform.check-inbox'

/**
 * The feed waits while a step reads its cases from the engine, so steps are short. The next run continues where one
 * ends.
 */
const CASES_PER_STEP = 10
const CASES_PER_RUN = 500

export interface InboxCheckDependencies extends MailDependencies {
  db: Kysely<DB>
  engine: Engine
  log: Logger
}

/** Results of a run so far. */
export interface InboxCheck {
  checked: number
  drifted: number
  /** The last case checked; absent when all have been. */
  after?: string
}

/** One step: checks the next cases, rewrites those that have drifted, and logs the differences. */
export async function checkNextCases(
  dependencies: InboxCheckDependencies,
  { checked, drifted, after }: Omit<InboxCheck, 'after'> & { after: string | undefined },
): Promise<InboxCheck & { more: boolean }> {
  const { db, library, log } = dependencies
  const found = await checkInbox(
    { ...dependencies, definitions: definitionStore(db), roles: library.roles },
    { cases: CASES_PER_STEP, after, mend: true },
  )
  for (const one of found.drifted)
    log.warn({ case: one.caseId, differences: one.differences }, 'a case differed from the engine')
  const over = found.last === null ? await sweepInbox(db, true) : []
  if (over.length > 0) log.warn({ tasks: over }, 'completed tasks were still listed')
  const total = checked + found.checked
  return {
    checked: total,
    drifted: drifted + found.drifted.length + over.length,
    more: found.last !== null && total < CASES_PER_RUN,
    ...(found.last !== null && { after: found.last }),
  }
}

/** The result of the last run, and when it ended; undefined before the first. */
export async function lastInboxCheck(
  db: Kysely<DB> | Transaction<DB>,
): Promise<(InboxCheck & { at: Date }) | undefined> {
  const row = await db
    .selectFrom('schedule_run')
    .select(['at', sql<InboxCheck>`result`.as('result')])
    .where('topic', '=', CHECK_INBOX)
    .where(sql<boolean>`result -> 'more' = 'false'`)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row.result, at: row.at }
}
