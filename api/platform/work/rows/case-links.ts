import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/thrown.ts'
import { type CaseRow, selectCases } from './cases.ts'

/** The case that another one follows from, and its name among those that follow. */
export interface Origin {
  caseId: string
  name: string
  /** At most one case of this name follows from it. */
  once: boolean
  /** Unless that one was withdrawn or ended in one of these statuses. */
  again: readonly string[]
}

/** Notes that a new case follows from another; throws if only one may, and there is one. */
export async function linkCase(trx: Transaction<DB>, caseId: string, { caseId: origin, name, once, again }: Origin) {
  const link = { case_id: caseId, origin_id: origin, name, once, again: [...again] }
  const inserting = trx.insertInto('case_link').values(link).execute()
  await inserting.catch((error: unknown) => {
    throw textOf(error, 'constraint') === 'case_link_once' ? new BusinessError('platform.followed-already') : error
  })
}

/** The cases that follow from a case, oldest first, each with its name. */
export async function listFollowing(db: Kysely<DB>, origin: string): Promise<(CaseRow & { link_name: string })[]> {
  return selectCases(db)
    .innerJoin('case_link as l', 'l.case_id', 'c.id')
    .select('l.name as link_name')
    .where('l.origin_id', '=', origin)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
}

/** The case that a case follows from. */
export async function findOrigin(db: Kysely<DB>, caseId: string): Promise<string | undefined> {
  const row = await db.selectFrom('case_link').select('origin_id').where('case_id', '=', caseId).executeTakeFirst()
  return row?.origin_id
}
