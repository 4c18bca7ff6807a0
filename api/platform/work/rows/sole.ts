import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { endedUnsuccessfully } from './cases.ts'

/**
 * Gives a case the key of which its flow allows one. Throws if another case that counts has it; cases that ended
 * unsuccessfully give it up.
 */
export async function takeSoleKey(
  db: Kysely<DB>,
  { caseId, flow, manifest: { sole }, key }: { caseId: string; flow: string; manifest: Manifest; key: string },
): Promise<void> {
  const field = sole?.by[0]?.split('#')[0] ?? ''
  const taken = new BusinessError('platform.sole-only', {}, [{ field, code: 'platform.sole-only' }])
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
  const update = db.updateTable('flow_case').set({ sole_key: key }).where('id', '=', caseId).execute()
  await update.catch((error: unknown) => {
    // Another request was faster.
    throw textOf(error, 'constraint') === 'flow_case_sole' ? taken : error
  })
}
