import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { admits, admitsToStart } from '../../people/persons/person.ts'
import { type Begun, beginCase, startFormOf } from './begin.ts'
import type { CasesContext } from './context.ts'

/** One case of a batch. */
export interface BatchMember {
  flow: string
  /** The register entry that it is about. */
  item: string
  requesterId: string
  /** The account that opens the batch, and the right it acts by. */
  by: { id: string; actedAs: string }
  batch: string
}

/**
 * Opens one case of a batch for a person; its job sends the command. The requester fills in the rest of the form at a
 * desk.
 */
export async function beginInBatch(
  context: CasesContext,
  trx: Transaction<DB>,
  { flow, item, requesterId, by, batch }: BatchMember,
): Promise<Begun> {
  const { db, definitions } = context
  const definition = await definitions.latest(flow)
  const form = await startFormOf(context, definition)
  const { item: field } = known(definition.manifest.batch, 'what opens the flow in batches')
  const data = { [field.slice(1)]: item }
  const requester = await findPerson(db, requesterId)
  if (!requester || !admitsToStart(requester, definition.manifest)) throw new BusinessError('platform.not-allowed')
  return beginCase(context, trx, { definition, form, data, requesterId, sentBy: by, batch })
}

/** One case of a batch for a chosen entry; who opens the batch is its requester. */
export interface BatchEntry extends Pick<BatchMember, 'flow' | 'by' | 'batch'> {
  entry: string
}

/** Opens one case of a batch for a chosen entry; its job sends the command. */
export async function beginForEntry(
  context: CasesContext,
  trx: Transaction<DB>,
  { flow, entry, by, batch }: BatchEntry,
): Promise<Begun> {
  const definition = await context.definitions.latest(flow)
  const form = await startFormOf(context, definition)
  const { item: field, by: roles } = known(definition.manifest.entries, 'what opens the flow for chosen entries')
  const person = await findPerson(context.db, by.id)
  if (!person || admits(person, roles) === undefined) throw new BusinessError('platform.not-allowed')
  const data = { [field.slice(1)]: entry }
  return beginCase(context, trx, { definition, form, data, requesterId: by.id, sentBy: by, batch })
}
