import type { Transaction } from 'kysely'
import { once } from '../../kernel/db/idempotency.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Person } from '../../people/persons/person.ts'
import { type Begun, deliverBegun, writeBeginning, startFormOf } from './begin.ts'
import type { CasesContext } from './context.ts'
import { mayBegin } from './submit.ts'
import { checkedAnswers } from './sent.ts'

/** Requests of a flow that begin together, all by their sender. */
interface ManyCases {
  flow: string
  /** What the sender has asked for, and the key they chose for it: it begins only once. */
  request: unknown
  key: string | undefined
  /** The data of each; asked once, in the transaction. `count` is the number of entries that it names. */
  all(trx: Transaction<DB>): Promise<readonly { data: JsonObject; count: number }[]>
}

type Together = Omit<Begun, 'attempt'> & { count: number }

/** Why none of several requests has begun: what is wrong with each, by field. */
export class CasesRefused extends Error {
  readonly refused: { index: number; errors: FieldError[] }[]
  constructor(refused: CasesRefused['refused']) {
    super(`${refused.length} requests refused`)
    this.refused = refused
  }
}

/** Begins several cases of a flow in one transaction: all of them, or none. */
export async function submitCases(
  context: CasesContext,
  person: Person,
  { flow, request, key, all }: ManyCases,
): Promise<{ id: string; reference: string; count: number }[]> {
  const { db, definitions } = context
  const definition = await definitions.latest(flow)
  await mayBegin(context, person, definition.manifest, undefined)
  const form = await startFormOf(context, definition)
  const attempts = new Map<string, Begun['attempt']>()
  const { result, repeated } = await db.transaction().execute(async (trx) => {
    const first = async () => {
      const written: { number: () => Promise<Begun>; count: number }[] = []
      const refused: CasesRefused['refused'] = []
      for (const [index, { data: sent, count }] of (await all(trx)).entries()) {
        const data = checkedAnswers(form.schema, sent)
        const given = { definition, form, data, requesterId: person.id, sentBy: null, sender: person }
        try {
          const number = await writeBeginning(context, trx, { ...given, together: true, sentNow: true })
          written.push({ number, count })
        } catch (error) {
          if (!(error instanceof BusinessError) || error.fields.length === 0) throw error
          refused.push({ index, errors: error.fields })
        }
      }
      // Takes back those that had begun.
      if (refused.length > 0) throw new CasesRefused(refused)
      // Everybody else who sends one waits for the numbers until the commit, and this would wait for what they hold.
      const begun: Together[] = []
      for (const { number, count } of written) {
        const { attempt, ...one } = await number()
        attempts.set(one.caseId, attempt)
        begun.push({ ...one, count })
      }
      return begun
    }
    if (key === undefined) return { result: await first(), repeated: false }
    return once(trx, { accountId: person.id, key, request }, first)
  })
  for (const one of result) {
    const attempt = attempts.get(one.caseId)
    await deliverBegun(context, { ...one, ...(attempt && { attempt }) }, { announced: repeated })
  }
  return result.map(({ caseId: id, reference, count }) => ({ id, reference, count }))
}
