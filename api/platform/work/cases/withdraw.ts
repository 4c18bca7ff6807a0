import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { isWithdrawable } from './acts.ts'
import { type CasesContext, findOwnCase } from './context.ts'
import { readCase } from './read.ts'
import type { CaseView } from './view.ts'
import { lockCase, setCaseWithdrawn } from '../rows/cases.ts'
import { addCommand } from '../rows/commands.ts'

/** Ends a case for its requester, while the diagram waits for a withdrawal. */
export async function withdrawCase(
  context: CasesContext,
  person: Person,
  id: string,
  reason: string,
  language?: Language,
): Promise<CaseView> {
  const { db, definitions, sender } = context
  await findOwnCase(context, person, id)
  const commandId = await db.transaction().execute(async (trx) => {
    const row = await lockCase(trx, id)
    if (!(await isWithdrawable(context, trx, row))) throw new BusinessError('platform.not-withdrawable')
    const { manifest } = await definitions.get(row.process_definition_id)
    await setCaseWithdrawn(trx, id, true)
    await audit(trx).record({
      actor: person.id,
      actedAs: person.through ?? null,
      action: 'case.withdrawn',
      caseId: id,
      object: `case:${id}`,
      payload: { reason },
    })
    return addCommand(trx, {
      kind: 'correlate',
      caseId: id,
      actingUser: person.id,
      payload: { message: known(manifest.withdraw, 'the message of a withdrawal'), variables: {} },
    })
  })
  if ((await sender.deliver({ id: commandId })) === 'refused') throw new BusinessError('platform.not-withdrawable')
  await announce(db, { principals: [`user:${person.id}`], cases: [id], tasks: [] })
  return readCase(context, person, id, language)
}
