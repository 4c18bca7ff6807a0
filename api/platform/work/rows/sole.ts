import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { endedUnsuccessfully } from './cases.ts'

/**
 * Gives a case the key of which its flow allows one. Throws if another case that counts has it; cases that ended
 * unsuccessfully give it up. While its requester has not confirmed the address, a case only asks for the key, so that
 * nobody can keep others from theirs: it gets it with the confirmation. A flow whose cases do not wait for that takes
 * no case before.
 */
export async function takeSoleKey(
  db: Kysely<DB>,
  { caseId, flow, manifest: { sole, account }, key }: { caseId: string; flow: string; manifest: Manifest; key: string },
): Promise<void> {
  const vouched = await isVouchedFor(db, caseId)
  if (!vouched && !account) throw new BusinessError('platform.email-unconfirmed')
  const field = sole?.by[0]?.split('#')[0] ?? ''
  const code = sole?.code ?? 'platform.sole-only'
  const taken = new BusinessError(code, {}, [{ field, code }])
  // Others who want the same wait here, and then see who has it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${flow} ${key}`}, 0))`.execute(db)
  await sql`
    update flow_case set sole_key = null
    where flow = ${flow} and sole_key = ${key} and ${endedUnsuccessfully(sole?.again ?? [])}`.execute(db)
  const held = await db
    .selectFrom('flow_case')
    .select('id')
    .where('flow', '=', flow)
    .where('sole_key', '=', key)
    .where('id', '<>', caseId)
    .executeTakeFirst()
  if (held) throw taken
  const wanted = vouched ? { sole_key: key, sole_asked: null } : { sole_asked: key }
  const update = db.updateTable('flow_case').set(wanted).where('id', '=', caseId).execute()
  await update.catch((error: unknown) => {
    // Another request was faster.
    throw textOf(error, 'constraint') === 'flow_case_sole' ? taken : error
  })
}

/** Whether the requester has confirmed the address, or somebody sent the case for them. */
async function isVouchedFor(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const { vouched } = await db
    .selectFrom('flow_case as c')
    .innerJoin('account as a', 'a.id', 'c.requester_id')
    .select(sql<boolean>`c.sent_by is not null or a.email_confirmed_at is not null`.as('vouched'))
    .where('c.id', '=', caseId)
    .executeTakeFirstOrThrow()
  return vouched
}
