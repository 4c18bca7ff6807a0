import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { mail } from '../../records/mail/mail.ts'
import type { Person } from '../../people/persons/person.ts'
import { isWithdrawable, withdrawsAs } from './acts.ts'
import { type CasesContext, findCase } from './context.ts'
import { readCase } from './read.ts'
import type { CaseView } from './view.ts'
import { lockCase, setCaseWithdrawn } from '../rows/cases.ts'
import { addCommand } from '../rows/commands.ts'

/**
 * Ends a case for its requester, while the diagram waits for a withdrawal. Where the flow lets others do that, the
 * requester gets a mail with who it was and why.
 */
export async function withdrawCase(
  context: CasesContext,
  person: Person,
  id: string,
  reason: string,
  language?: Language,
): Promise<CaseView> {
  const { db, sender } = context
  const { manifest: present, own, actedAs } = await mayWithdraw(context, person, id)
  const commandId = await db.transaction().execute(async (trx) => {
    const row = await lockCase(trx, id)
    if (!(await isWithdrawable(context, trx, row))) throw new BusinessError('platform.not-withdrawable')
    await setCaseWithdrawn(trx, id, true, reason)
    await audit(trx).record({
      actor: person.id,
      actedAs,
      action: 'case.withdrawn',
      caseId: id,
      object: `case:${id}`,
      payload: { reason, ...(!own && { for: row.requester_id }) },
    })
    return addCommand(trx, {
      kind: 'correlate',
      caseId: id,
      actingUser: person.id,
      payload: { message: known(present.withdraw, 'the message of a withdrawal'), variables: {} },
    })
  })
  if ((await sender.deliver({ id: commandId })) === 'refused') throw new BusinessError('platform.not-withdrawable')
  if (!own) await tellRequester(context, person, { id, reason })
  await announce(db, { principals: [`user:${person.id}`], cases: [id], tasks: [] })
  return readCase(context, person, id, language)
}

/** By what right somebody may withdraw a case; throws if they have none. */
async function mayWithdraw(context: CasesContext, person: Person, id: string) {
  const row = await findCase(context, person, id)
  const { manifest } = await context.definitions.get(row.process_definition_id)
  if (row.requester_id === person.id) return { manifest, own: true, actedAs: person.through ?? null }
  const actedAs = withdrawsAs(manifest, person)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  return { manifest, own: false, actedAs }
}

/** Tells the requester who has withdrawn their case, and why; only once that has taken effect. */
async function tellRequester(
  context: CasesContext,
  person: Person,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { requester_id: to } = await findCase(context, person, id)
  const values = { reason, by: person.name }
  await context.db
    .transaction()
    .execute((trx) => mail(trx, context).send({ to, template: 'platform.mail.withdrawn', caseId: id, values }))
  await announce(context.db, { principals: [`user:${to}`], cases: [id], tasks: [] })
}
