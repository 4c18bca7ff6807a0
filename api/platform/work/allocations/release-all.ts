import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { releasePlace } from '../rows/places.ts'
import { releaseSlots } from './case-slots.ts'

/** Gives back the slots and the place of a case. */
export async function releaseAll(trx: Transaction<DB>, caseId: string): Promise<void> {
  await releaseSlots(trx, caseId)
  await releasePlace(trx, caseId)
}
