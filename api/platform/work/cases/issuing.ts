import type { Transaction } from 'kysely'
import { dayInColombo } from '../../kernel/colombo.ts'
import { type Agrees, type Sent, agreeingSubmissions } from './agreement.ts'
import { getCaseContent } from '../rows/cases.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Library } from '../../model/library/library.ts'
import type { numbers } from '../../records/numbers/numbers.ts'
import { at } from '../../model/definitions/register.ts'
import { documents } from '../../records/documents/documents.ts'
import type { DocumentDefinition } from '../../model/definitions/document.ts'
import { makeVerifiable } from '../../records/documents/verification.ts'
import { writeLetter } from './letters.ts'

/** A submission and its author. */
interface Decision extends Sent {
  by: string
  at: Date
}

/** The content that a document of a case is made from. */
export interface CaseContent {
  /** `<area>/<name>` of the definition. */
  kind: string
  found: { id: string; reference: string; flow: string; subject: JsonObject; requesterId: string }
  data: JsonObject
  /** Its submissions, oldest first. */
  submissions: readonly Decision[]
  now: Date
}

/** A line of a signature block: its title, who signed and when. */
type Signature = { title: string; name: string | null; on: string | null }

/**
 * Issues a document as its definition says, from the content of the case. Its pointers can use `/reference`,
 * `/subject`, `/data`, `/facts` (those of the definition), `/issuedOn`, `/signatures` and `/titles`, the titles of the
 * entries that the case names; a letter (`template`) has `/fields`, `/number` and `/validUntil` as well. Returns the
 * number. Throws if the definition names no number series.
 */
export async function issueByCase(
  dependencies: { trx: Transaction<DB>; library: Library; publicUrl: string; numbers: ReturnType<typeof numbers> },
  { kind, found, data, submissions, now }: CaseContent,
): Promise<string> {
  const { trx, library } = dependencies
  const definition = library.documents.get(kind)
  if (!definition?.number) throw new Error(`${kind} is no document that a diagram can issue: it needs a number`)
  const number = await dependencies.numbers.written(kind, definition.number, now)
  const flow = library.flows.get(found.flow)
  const agrees = flow ? agreeingSubmissions(flow.manifest, submissions, data) : () => false
  const issuedOn = dayInColombo(now)
  const letter =
    definition.template &&
    (await writeLetter(trx, library, definition.template, {
      found,
      data,
      number,
      today: issuedOn,
      needs: fieldsOf(definition),
    }))
  const signatures = await signed(trx, definition, { submissions, agrees, entry: letter?.entry ?? {} })
  const printed: JsonObject = {
    reference: found.reference,
    subject: found.subject,
    data,
    facts: await factsOf(trx, found.id, definition.facts),
    titles: await titlesOf(trx, found.id),
    issuedOn,
    ...letter?.printed,
    signatures: signatures.map((one) => ({ ...one })),
  }
  const document = await documents(trx).issue({ caseId: found.id, kind, number, data: printed, by: null })
  if (!definition.holder) return number
  const holder = String(at(printed, definition.holder))
  const signedBy = signatures.filter(({ on }) => on !== null).map(({ title }) => title)
  await makeVerifiable(
    trx,
    document,
    { holder: String(at(printed, `/titles/${holder}`) ?? holder), signedBy },
    dependencies,
  )
  return number
}

/** The fields of a letter that its rows and its holder name. */
function fieldsOf({ rows, holder = '' }: DocumentDefinition): string[] {
  return [holder, ...rows.map(({ value }) => value)].flatMap((pointer) => /^\/fields\/(\w+)$/.exec(pointer)?.[1] ?? [])
}

/**
 * The signature block. A line is signed by the person who decided last at one of its desks, if they agreed to what the
 * case says now. A line that the entry of a letter wants is there without a signature too.
 */
async function signed(
  trx: Transaction<DB>,
  { signatures = [] }: DocumentDefinition,
  { submissions, agrees, entry }: { submissions: readonly Decision[]; agrees: Agrees; entry: JsonObject },
): Promise<Signature[]> {
  const lines: Signature[] = []
  for (const { title, by, if: wanted } of signatures) {
    if (wanted !== undefined && at(entry, wanted) !== true) continue
    if (!by) {
      lines.push({ title, name: null, on: null })
      continue
    }
    const answerAt = ({ desk }: Decision) => (desk === null ? undefined : by[desk])
    const last = submissions.findLast((one) => answerAt(one) !== undefined)
    const answer = last && answerAt(last)
    if (last && answer !== undefined && agrees(last, answer))
      lines.push({ title, name: await nameOf(trx, last.by), on: dayInColombo(last.at) })
    else if (wanted !== undefined) lines.push({ title, name: null, on: null })
  }
  return lines
}

/** The facts of a case that a document may print; it keeps no others. */
async function factsOf(trx: Transaction<DB>, caseId: string, names: readonly string[] = []): Promise<JsonObject> {
  if (names.length === 0) return {}
  const { facts } = await getCaseContent(trx, caseId)
  return Object.fromEntries(names.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]])))
}

/** The titles of the entries that a case names, by id. */
async function titlesOf(trx: Transaction<DB>, caseId: string): Promise<Record<string, string>> {
  const items = await trx
    .selectFrom('case_item')
    .innerJoin('register_item', 'register_item.id', 'case_item.item_id')
    .select(['register_item.id', 'register_item.title'])
    .where('case_item.case_id', '=', caseId)
    .execute()
  return Object.fromEntries(items.map(({ id, title }) => [id, title]))
}

async function nameOf(trx: Transaction<DB>, id: string): Promise<string> {
  const { name } = await trx.selectFrom('account').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  return name
}
