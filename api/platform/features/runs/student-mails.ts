import type { TaskList } from 'graphile-worker'
import { type Kysely, type Transaction, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { areaOf } from '../../model/definitions/manifest.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import { type MailDependencies, mail } from '../../records/mail/mail.ts'
import { presentManifest } from '../../work/cases/context.ts'
import { findCaseRow } from '../../work/rows/cases.ts'
import { itemRepository } from '../../work/rows/items.ts'
import { type RunRow, findRun } from '../../work/rows/runs.ts'
import { agreementsTo } from '../../work/runs/agreements.ts'
import { MAIL_SIGNATURES } from '../../work/runs/signature-mails.ts'

/** Mails of one transaction, so that a long run holds no lock for long. */
const AT_ONCE = 50
const SIGN = 'platform.mail.signature-awaited'
const RETURNED = {
  transfer: 'platform.mail.instalment-returned-transfer',
  cheque: 'platform.mail.instalment-returned-cheque',
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [MAIL_SIGNATURES]: { case: string }
    }
  }
}

/**
 * The queue task that asks students to sign for their instalment, each once per run, when a desk has agreed to it:
 * before that the run may still be wrong. Each further desk that agrees reaches those who were added meanwhile.
 */
export function studentMailTasks({
  db,
  definitions,
  ...deps
}: MailDependencies & { db: Kysely<DB>; definitions: Definitions }): TaskList {
  return {
    async [MAIL_SIGNATURES]({ case: caseId }) {
      const of = await findCaseRow(db, caseId)
      const run = await findRun(db, caseId)
      if (!of || run?.state !== 'open' || !run.signing) return
      const manifest = await presentManifest({ library: deps.library, definitions }, of)
      // The decision may have been taken back.
      if ((await agreementsTo(db, manifest, caseId)).length === 0) return
      const waiting = await listUnasked(db, caseId)
      for (let at = 0; at < waiting.length; at += AT_ONCE)
        await db.transaction().execute(async (trx) => {
          const scheme = await schemeOf(trx, run)
          const asked = waiting.slice(at, at + AT_ONCE)
          await noteAsked(
            trx,
            asked.map(({ line }) => line),
          )
          for (const { account, total } of asked)
            await mail(trx, deps).send({
              to: account,
              template: SIGN,
              caseId,
              page: ownLinesPath(deps.library, of.flow),
              values: { amount: total, scheme, month: run.month },
              once: `sign:${caseId}`,
            })
        })
    },
  }
}

/** Tells the student of a line that the bank returned the payment, why, and what to do. */
export async function mailReturned(
  trx: Transaction<DB>,
  deps: MailDependencies,
  {
    flow,
    run,
    student,
    amount,
    reason,
  }: { flow: string; run: RunRow; student: string; amount: number; reason: string },
): Promise<void> {
  const account = await trx
    .selectFrom('account')
    .select('id')
    .where('record_id', '=', student)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!account) return
  await mail(trx, deps).send({
    to: account.id,
    template: RETURNED[run.method],
    caseId: run.case_id,
    page: ownLinesPath(deps.library, flow),
    values: { amount, reason, scheme: await schemeOf(trx, run), month: run.month },
  })
}

/** Accounts of students who have something to sign and were not asked. */
async function listUnasked(
  db: Kysely<DB>,
  caseId: string,
): Promise<{ line: string; account: string; total: number }[]> {
  const { rows } = await sql<{ line: string; account: string; total: number }>`
    select l.id as line, a.id as account, l.total::float8 as total
    from run_line l join account a on a.record_id = l.student_id and a.active
    where l.case_id = ${caseId}::uuid and l.state = 'included' and l.signature = 'pending' and l.asked_to_sign_at is null
    order by l.name, l.id`.execute(db)
  return rows
}

/** Notes who is asked, with the mails: those who decline mails are asked once, too. */
async function noteAsked(trx: Transaction<DB>, lines: readonly string[]): Promise<void> {
  await trx
    .updateTable('run_line')
    .set({ asked_to_sign_at: new Date() })
    .where('id', 'in', [...lines])
    .execute()
}

async function schemeOf(db: Kysely<DB>, { scheme_id: id }: RunRow): Promise<string> {
  return known((await itemRepository(db).itemTitles([id])).get(id), 'the scheme')
}

/** The page on which students find their instalments: that of the flow's area, or any. */
function ownLinesPath({ screens }: Library, flow: string): string {
  const pages = screens.filter(({ page, built }) => page === 'own-run-lines' && built)
  const area = `${areaOf(flow)}.`
  return (pages.find(({ title }) => title.startsWith(area)) ?? pages[0])?.route ?? ''
}
