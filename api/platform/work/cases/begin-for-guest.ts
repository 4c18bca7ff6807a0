import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { type Begun, beginCase, startFormOf } from './begin.ts'
import type { CasesContext } from './context.ts'
import { withOwnRecords } from '../rows/own-records.ts'
import { checkedAnswers } from './sent.ts'

/** Begins a case for a person whose account is created in this transaction. Call `deliverBegun` after the commit. */
export async function beginForGuest(
  context: CasesContext,
  trx: Transaction<DB>,
  { flow, data, requesterId, guest }: { flow: string; data: unknown; requesterId: string; guest: string },
): Promise<Begun> {
  const definition = await context.definitions.latest(flow)
  const { manifest } = definition
  if (!manifest.public && !manifest.account) throw new BusinessError('platform.not-allowed')
  const form = await startFormOf(context, definition)
  const filled = checkedAnswers(form.schema, await withOwnRecords(trx, requesterId, form.schema, data))
  return beginCase(context, trx, { definition, form, data: filled, requesterId, sentBy: null, guest })
}
