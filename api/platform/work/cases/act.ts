import { announce } from '../../kernel/db/changed.ts'
import { once } from '../../kernel/db/idempotency.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type CasesContext, findCase } from './context.ts'
import { readCase } from './read.ts'
import type { CaseView } from './view.ts'
import { checkAct, performAct } from './acts.ts'

/** Performs an act that the diagram waits for: of the requester, or of others who may by the flow. */
export async function actOnCase(
  context: CasesContext,
  person: Person,
  id: string,
  name: string,
  { data, key }: { data: unknown; key?: string },
  language?: Language,
): Promise<CaseView> {
  const { db, sender } = context
  const seen = await findCase(context, person, id)
  const asked = await checkAct(context, seen, person, { name, data })
  const { result: commandId } = await db.transaction().execute(async (trx) => {
    const perform = () => performAct(context, trx, id, asked)
    if (key === undefined) return { result: await perform() }
    return once(trx, { accountId: person.id, key, request: { case: id, act: name, data } }, perform)
  })
  if ((await sender.deliver({ id: commandId })) === 'refused') throw new BusinessError('platform.act-not-possible')
  await announce(db, { principals: [`user:${person.id}`, `user:${seen.requester_id}`], cases: [id], tasks: [] })
  return readCase(context, person, id, language)
}
