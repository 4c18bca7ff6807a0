import type { Transaction } from 'kysely'
import { dayInColombo } from '../calendar/colombo.ts'
import { periodOf, referenceOf } from '../cases/routing.ts'
import type { DB, JsonObject } from '../db/database.generated.ts'
import type { Library } from '../flows/library.ts'
import type { numbers } from '../numbers/numbers.ts'
import { at } from '../registers/definition.ts'
import { documents } from './documents.ts'
import type { DocumentDefinition } from './definition.ts'
import { verifications } from './verification.ts'

/** What a document of a case is made of. */
export interface CaseContent {
  /** `<area>/<name>` of the definition. */
  kind: string
  found: { id: string; reference: string; subject: JsonObject }
  /** What the case says. */
  data: JsonObject
  /** What was sent in it, the oldest first. */
  submissions: readonly { desk: string | null; by: string; at: Date }[]
  now: Date
}

/** A line of a signature block: whose it is, and who has signed it and when. */
type Signature = { title: string; name: string | null; on: string | null }

/**
 * Issues a document as its definition says, from what the case says: `/reference`, `/subject`, `/data`, `/issuedOn` and
 * `/signatures` are what its pointers find. Throws where the definition names no number series.
 */
export async function issueByCase(
  dependencies: { trx: Transaction<DB>; library: Library; publicUrl: string; numbers: ReturnType<typeof numbers> },
  { kind, found, data, submissions, now }: CaseContent,
): Promise<void> {
  const { trx, library } = dependencies
  const definition = library.documents.get(kind)
  if (!definition?.number) throw new Error(`${kind} is no document that a diagram can issue: it needs a number`)
  const sequence = await dependencies.numbers.next(kind, periodOf(definition.number, now))
  const signatures = await signed(trx, definition, submissions)
  const printed: JsonObject = {
    reference: found.reference,
    subject: found.subject,
    data,
    issuedOn: dayInColombo(now),
    signatures: signatures.map((one) => ({ ...one })),
  }
  const number = referenceOf(definition.number, now, sequence)
  const document = await documents(trx).issue({ caseId: found.id, kind, number, data: printed, by: null })
  if (!definition.holder) return
  const signedBy = signatures.filter(({ on }) => on !== null).map(({ title }) => title)
  await verifications(trx).make(document, { holder: String(at(printed, definition.holder)), signedBy }, dependencies)
}

/** The signature block: of the desks that it names, who decided there last. */
async function signed(
  trx: Transaction<DB>,
  { signatures = [] }: DocumentDefinition,
  submissions: CaseContent['submissions'],
): Promise<Signature[]> {
  const lines: Signature[] = []
  for (const { title, desk } of signatures) {
    const decision = desk === undefined ? undefined : submissions.findLast((one) => one.desk === desk)
    const person = decision && (await nameOf(trx, decision.by))
    lines.push({ title, name: person ?? null, on: decision ? dayInColombo(decision.at) : null })
  }
  return lines
}

async function nameOf(trx: Transaction<DB>, id: string): Promise<string> {
  const { name } = await trx.selectFrom('account').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  return name
}
