import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { wordsOf } from '../../model/library/words.ts'
import { listFollowing } from '../rows/case-links.ts'
import { getCaseRow } from '../rows/cases.ts'
import { type BeginningContext, beginCase, startFormOf } from './begin.ts'
import { givenBy, isTaken, linkedBy } from './linked.ts'
import { checkedAnswers } from './sent.ts'

/** The case that a step begins: the name of its link, and who has brought it about, by what right. */
interface ByStep {
  origin: string
  name: string
  by: { id: string; actedAs: string }
}

/**
 * Begins the case that a link of another case names, for the requester of that one, in the transaction of a step; the
 * sweep sends its command. Does nothing if only one may follow, and there is one.
 */
export async function beginLinked(
  {
    definitions,
    rules,
    ...context
  }: Omit<BeginningContext, 'rules'> & {
    definitions?: Definitions | undefined
    rules?: BeginningContext['rules'] | undefined
  },
  trx: Transaction<DB>,
  { origin, name, by }: ByStep,
): Promise<void> {
  const row = await getCaseRow(trx, origin)
  const { linked = [] } = known(context.library.flows.get(row.flow), `the flow ${row.flow}`).manifest
  const link = known(
    linked.find((one) => one.name === name),
    `the link ${name} of ${row.flow}`,
  )
  if (isTaken(link, await listFollowing(trx, origin))) return
  const deployed = known(definitions, 'the deployed flows')
  const definition = await deployed.latest(link.flow)
  const form = await startFormOf({ definitions: deployed }, definition)
  const data = checkedAnswers(form.schema, givenBy(link, row, wordsOf(context.library)))
  const follows = { ...linkedBy(origin, link), step: true as const }
  await beginCase({ ...context, rules: known(rules, 'the rules of flows') }, trx, {
    definition,
    form,
    data,
    requesterId: row.requester_id,
    sentBy: by,
    follows,
  })
}
