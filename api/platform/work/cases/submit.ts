import { once } from '../../kernel/db/idempotency.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Manifest } from '../../model/library/library.ts'
import { findAccountOfEntry, findPerson } from '../../people/identity/accounts.ts'
import { type Person, admits, admitsToStart } from '../../people/persons/person.ts'
import { type Begun, beginCase, deliverBegun, startFormOf } from './begin.ts'
import type { CasesContext } from './context.ts'
import { originOffered } from './linked.ts'
import { readCase } from './read.ts'
import { findAnyItem } from '../rows/items.ts'
import { entriesSeen } from '../registers/seen.ts'
import { withOwnRecords } from '../rows/own-records.ts'
import { checkedAnswers, refuse } from './sent.ts'
import type { CaseView } from './view.ts'

/** A request to begin a case. */
export interface NewCaseRequest {
  /** `<area>/<flow>`. */
  flow: string
  data: unknown
  /** The requester, if that is not the sender. */
  for?: { accountId?: string; entry?: string } | undefined
  /** The case that it follows from, and its name among those that may (`linked`). */
  follows?: { case: string; name: string } | undefined
  /** Chosen by the sender: the same key with the same request begins only one case. */
  key?: string
}

/**
 * Begins a case for the sender or for somebody else. Throws the form's errors by field, and the allocation's own error
 * if a slot is taken.
 */
export async function submitCase(
  context: CasesContext,
  person: Person,
  { flow, data, for: other, follows, key }: NewCaseRequest,
  language?: Language,
): Promise<{ case: CaseView; repeated: boolean }> {
  const { db, definitions } = context
  const definition = await definitions.latest(flow)
  const { actedAs, requesterId } = await mayBegin(context, person, definition.manifest, other)
  const form = await startFormOf(context, definition)
  const filled = checkedAnswers(form.schema, await withOwnRecords(db, requesterId, form.schema, data))
  const sentBy = requesterId === person.id ? null : { id: person.id, actedAs }
  const given = { definition, form, data: filled, requesterId, sentBy, sender: person, sentNow: true as const }
  let attempt: Begun['attempt']
  const { result, repeated } = await db.transaction().execute(async (trx) => {
    const first = async () => {
      // Asked of the first request only: a repeated one has its case, wherever the other one is by now.
      const origin = follows && (await originOffered(context, trx, person, { ...follows, flow }))
      const beginning = { ...given, ...(origin && { follows: origin }) }
      const { attempt: taken, ...begun } = await beginCase(context, trx, beginning)
      attempt = taken
      return begun
    }
    if (key === undefined) return { result: await first(), repeated: false }
    const request = { flow, data, ...(other && { for: other }), ...(follows && { follows }) }
    return once(trx, { accountId: person.id, key, request }, first)
  })
  // A repetition did not take the attempt of the first request.
  await deliverBegun(context, { ...result, ...(attempt && { attempt }) }, { announced: repeated })
  return { case: await readCase(context, person, result.caseId, language), repeated }
}

/** The right by which a person begins a case, and the requester. */
export async function mayBegin(
  context: CasesContext,
  person: Person,
  manifest: Manifest,
  other: NewCaseRequest['for'],
): Promise<{ actedAs: string; requesterId: string }> {
  if (manifest.batch?.only) throw new BusinessError('platform.not-allowed')
  const requesterId = other === undefined ? person.id : await accountMeant(context, person, manifest, other)
  const forSomebodyElse = requesterId !== person.id
  const actedAs = forSomebodyElse
    ? manifest.onBehalf && admits(person, manifest.onBehalf.by)
    : admitsToStart(person, manifest)
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  if (forSomebodyElse) {
    const requester = await findPerson(context.db, requesterId)
    const field = other?.entry === undefined ? '/for/accountId' : '/for/entry'
    if (!requester) refuse([{ field, code: 'platform.person-unknown' }])
    else if (!admitsToStart(requester, manifest)) refuse([{ field, code: 'platform.not-allowed' }])
  }
  return { actedAs, requesterId }
}

/**
 * The account of somebody else. Where the flow offers the entries of registers, it is that of an entry which the sender
 * sees there.
 */
async function accountMeant(
  { db, library }: CasesContext,
  person: Person,
  { onBehalf }: Manifest,
  other: NonNullable<NewCaseRequest['for']>,
): Promise<string> {
  const { accountId, entry } = other
  const from = onBehalf?.from
  if (accountId !== undefined && !from) return accountId
  if (entry === undefined || !from || admits(person, onBehalf.by) === undefined)
    throw new BusinessError('platform.not-allowed')
  const item = await findAnyItem(db, entry)
  const definition = item && from.includes(item.register) ? library.registers.get(item.register) : undefined
  const [sees] = item && definition ? await entriesSeen(db, person, definition, [item]) : []
  if (!sees) refuse([{ field: '/for/entry', code: 'platform.item-unknown' }])
  const account = await findAccountOfEntry(db, entry)
  if (account === undefined)
    throw new BusinessError('platform.form-invalid', {}, [
      { field: '/for/entry', code: 'platform.person-without-account' },
    ])
  return account
}
