import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import type { Definition, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Derived, RuleInput } from '../../model/deployed/rules.ts'
import type { Person } from '../../people/persons/person.ts'
import { beginSeries, nextWritten } from '../../records/numbers/numbers.ts'
import { noAgreement } from './agreement.ts'
import type { CasesContext } from './context.ts'
import {
  beginningVariablesOf,
  claimedBy,
  closingOf,
  itemsAsked,
  onceKeyOf,
  refuseClosed,
  refuseLate,
  soleKeyOf,
  startedElsewhere,
} from './requester.ts'
import type { NamedItems } from '../../model/definitions/named.ts'
import {
  amountOf,
  deadlinesOf,
  derivedVariablesOf,
  filtersOf,
  knownVariablesOf,
  scopeOf,
  serverVariablesOf,
  subjectOf,
  variablesOf,
} from './routing.ts'
import {
  answersAsked,
  attachSent,
  guestRequester,
  refuse,
  refuseItems,
  ruleRequester,
  slotsWanted,
  versionsOf,
} from './sent.ts'
import { findListed } from './listed.ts'
import { runVariables, writeRun } from './run.ts'
import { dropStartDraft } from './start-drafts.ts'
import { type Attempt, type NewCommand, addCommand, addCommandUnderway } from '../rows/commands.ts'
import { addCaseItems, findAnyItem } from '../rows/items.ts'
import { createCase, namingCase } from '../rows/cases.ts'
import { type Origin, linkCase } from '../rows/case-links.ts'
import { claimItems } from '../rows/claims.ts'
import { takeSoleKey } from '../rows/sole.ts'
import { type SealedSubmission, addSubmission } from '../rows/submissions.ts'
import { unseenEntries } from '../registers/seen.ts'
import { claimSlot } from '../allocations/slots.ts'
import { refuseUnanswerable } from './answerable.ts'

/** A case to begin, after every check that needs no transaction. */
interface Beginning {
  definition: Definition
  form: FrozenForm
  data: JsonObject
  requesterId: string
  /** Who sends it for the requester, and by what right. */
  sentBy: { id: string; actedAs: string } | null
  /** Who fills in the form, and so names only entries that they see; without an account only public ones. */
  sender?: Person
  /** The guest session whose hold it is, while the requester has no account. */
  guest?: string
  /** The batch that opens it. The requester sends the rest of the form later, at a desk. */
  batch?: string
  /** The case that it follows from. `step`: a step of that one begins it, with fields that nobody has typed. */
  follows?: Origin & { step?: true }
  /** One of many that begin together: what its sender has begun to fill in is for another one. */
  together?: true
  /** Whether the caller sends the command right after the commit, and so takes its first attempt. */
  sentNow?: true
}

/** What writing the beginning of a case needs; the command is sent by somebody else. */
export type BeginningContext = Pick<CasesContext, 'db' | 'library' | 'rules' | 'clock'>

/** A case that has begun, in a transaction that may not be committed yet. */
export interface Begun {
  caseId: string
  commandId: string
  reference: string
  /** The requester, and who sent it for them. */
  people: string[]
  /** The first attempt of the command, if its caller has taken it. Belongs to that caller alone. */
  attempt?: Attempt
}

/** What the rules return for a new case. */
interface Checked {
  input: RuleInput
  /** What of the form counts. */
  data: JsonObject
  items: NamedItems
  derived: Derived
  scope: Record<string, string>
  listed: Record<string, boolean>
  /** Account that sends it. */
  by: string
}

/**
 * Writes everything of a submission. Slots and the number come last, because everybody who wants the same waits until
 * the commit.
 */
export async function beginCase(context: BeginningContext, trx: Transaction<DB>, beginning: Beginning): Promise<Begun> {
  return (await writeBeginning(context, trx, beginning))()
}

/** As `beginCase`, without the number: that is given by what this returns, once all cases of a transaction are written. */
export async function writeBeginning(
  context: BeginningContext,
  trx: Transaction<DB>,
  beginning: Beginning,
): Promise<() => Promise<Begun>> {
  const { definition, requesterId, sentBy, guest, batch, sentNow, together, follows } = beginning
  const { manifest } = definition
  const caseId = uuid()
  const checked = await checkBeginning(context, trx, { ...beginning, caseId })
  const { input, by } = checked
  const deadlines = await deadlinesOf(trx, input.now)
  const { submissionId, sealed } = await writeCase(trx, { ...beginning, ...checked, caseId })
  await writeRun(trx, context.library, { ...beginning, ...checked, manifest, caseId }, { again: false })
  if (guest === undefined && batch === undefined && !together && !follows?.step)
    await dropStartDraft(trx, by, definition.flow)
  const start: NewCommand = {
    kind: 'start',
    caseId,
    submissionId,
    actingUser: by,
    // Nobody waits for it.
    ...((batch !== undefined || follows?.step) && { lane: 'bulk' as const }),
    payload: {
      definitionId: definition.id,
      variables: {
        ...startVariables({ ...beginning, ...checked, caseId }),
        ...(await runVariables(trx, manifest, caseId)),
        ...deadlines,
      },
    },
  }
  const { id: commandId, ...taken } = sentNow
    ? await addCommandUnderway(trx, start)
    : { id: await addCommand(trx, start) }
  await takeSlots(context, trx, { ...beginning, ...checked, caseId })
  return async () => {
    const reference = await numberAndNote(trx, { ...beginning, ...checked, caseId, sealed })
    return { caseId, commandId, reference, people: [requesterId, ...(sentBy ? [sentBy.id] : [])], ...taken }
  }
}

/** Asks the flow's rules; throws what they and the named entries reject. */
async function checkBeginning(
  { library, rules, clock }: BeginningContext,
  trx: Transaction<DB>,
  {
    definition,
    form,
    data: sent,
    requesterId,
    sentBy,
    sender,
    guest,
    batch,
    follows,
    caseId,
  }: Beginning & { caseId: string },
): Promise<Checked> {
  const { manifest } = definition
  const now = clock()
  const { registers } = library
  const asked = { manifest, schema: form.schema, data: sent, requesterId, registers }
  const items = await itemsAsked(trx, asked)
  const rights = library.flows.get(definition.flow)?.manifest ?? manifest
  if (guest === undefined) refuse(await startedElsewhere(trx, rights, asked, items))
  const data = answersAsked(form.schema, sent, items, { open: batch !== undefined })
  if (batch === undefined) refuseClosed(manifest, data, items, now)
  await refuseUnanswerable(trx, manifest, data, now)
  const own = rules.get(definition.flow)
  const requester = guest === undefined ? await ruleRequester(trx, requesterId) : guestRequester(guest)
  // The sender vouches for the requester.
  if (sentBy) requester.confirmed = true
  const input: RuleInput = { data, items, now, requester, trx, caseId }
  refuse((await own?.check?.(input)) ?? [])
  refuseItems(library, form.schema, data, items)
  if (batch === undefined && !follows?.step)
    refuse(await unseenEntries(trx, library, sender, { schema: form.schema, data }))
  const derived = (await own?.derive?.(input)) ?? { facts: {}, variables: {} }
  const scope = await scopeOf(manifest, data, items, (id) => findAnyItem(trx, id))
  const listed = await findListed(trx, library, { manifest, requesterId, now })
  return { input, data, items, derived, scope, listed, by: sentBy?.id ?? requesterId }
}

/** Claims the slots of the case; throws the allocation's own error if one is taken. */
async function takeSlots(
  { rules }: BeginningContext,
  trx: Transaction<DB>,
  { definition, data, guest, input, by, caseId }: Beginning & Checked & { caseId: string },
): Promise<void> {
  const own = rules.get(definition.flow)
  const wanted = await slotsWanted(definition.manifest.allocations ?? [], data, {
    plan: own?.slots?.bind(own, input),
  })
  for (const slot of wanted)
    await claimSlot(trx, { ...slot, holder: by, caseId, ...(guest !== undefined && { guest }) })
}

/** Writes the case, which has no number yet, and its first submission. */
async function writeCase(trx: Transaction<DB>, beginning: Beginning & Checked & { caseId: string }) {
  const { definition, form, data, requesterId, sentBy, batch, follows } = beginning
  const { items, derived, scope, listed, by, caseId } = beginning
  const { manifest } = definition
  const creating = createCase(trx, {
    id: caseId,
    flow: definition.flow,
    flowHash: definition.flowHash,
    definitionId: definition.id,
    requesterId,
    // The person who opens a batch does not count as sender: they may have a desk in its cases.
    sentBy: batch === undefined ? (sentBy?.id ?? null) : null,
    data,
    statuses: manifest.firstStatus,
    scope,
    subject: subjectOf(manifest, data, items),
    facts: { ...derived.facts, ...listed },
    filters: filtersOf(form.schema, data),
    amount: amountOf(manifest, data, derived.variables),
    once: onceKeyOf(manifest, data),
    again: manifest.once?.again ?? [],
    // The person who opens a batch decides when.
    closing: batch === undefined ? closingOf(manifest, data, items) : undefined,
    leads: manifest.leads === undefined ? undefined : known(items.get(manifest.leads), 'the entry that the case leads'),
  })
  await creating.catch((error: unknown) => refuseLate(error, manifest, data, items))
  if (follows) await linkCase(trx, caseId, follows)
  const sole = soleKeyOf(manifest, data, items)
  if (sole !== null) await takeSoleKey(trx, { caseId, flow: definition.flow, manifest, key: sole })
  refuse(await claimItems(trx, { caseId, flow: definition.flow }, claimedBy(manifest, items)))
  await addCaseItems(trx, caseId, versionsOf(items))
  const { id: submissionId, sealed } = await addSubmission(trx, {
    caseId,
    formKey: manifest.start,
    formHash: form.hash,
    data,
    by,
    actedAs: sentBy?.actedAs ?? null,
  })
  await attachSent(trx, { caseId, submissionId, by }, { schema: form.schema, data })
  return { submissionId, sealed }
}

/** Gives the case its number and writes the audit entry of the submission: one statement, see `nextWritten`. */
async function numberAndNote(
  trx: Transaction<DB>,
  beginning: Beginning & Checked & { caseId: string; sealed: SealedSubmission },
): Promise<string> {
  const { definition, requesterId, sentBy, guest, batch, follows, by, caseId, sealed, input } = beginning
  const { flow, flowHash, manifest } = definition
  const entry = {
    actor: by,
    actedAs: sentBy?.actedAs ?? null,
    action: 'case.submitted',
    caseId,
    object: `case:${caseId}`,
    payload: (reference: string) => ({
      reference,
      flow,
      flowHash,
      ...sealed,
      ...(sentBy && { for: requesterId }),
      ...(guest !== undefined && { guest: true }),
      ...(batch !== undefined && { batch }),
      ...(follows && { follows: follows.caseId }),
    }),
  }
  const series = { series: flow, pattern: manifest.reference, now: input.now }
  const numbered = () => audit(trx).recordFound(entry, namingCase(caseId, nextWritten(series)))
  const reference = await numbered()
  if (reference !== undefined) return reference
  await beginSeries(trx, series)
  return known(await numbered(), 'the number of a series that has begun')
}

/** The process variables with which the engine starts the case, without its deadlines. */
function startVariables(beginning: Beginning & Checked & { caseId: string }): Variables {
  const { definition, form, data, requesterId, batch, items, derived, scope, listed, caseId } = beginning
  const { manifest } = definition
  return {
    ...variablesOf(form.schema, data),
    ...knownVariablesOf(manifest, data, items),
    ...derivedVariablesOf(manifest, derived.variables),
    ...listed,
    ...beginningVariablesOf(manifest, data, items, batch !== undefined),
    ...noAgreement(manifest),
    ...serverVariablesOf(manifest, { caseId, requesterId, scope }),
  }
}

/** The start form of a flow. */
export async function startFormOf(
  { definitions }: Pick<CasesContext, 'definitions'>,
  { manifest, forms }: Pick<Definition, 'manifest' | 'forms'>,
): Promise<FrozenForm> {
  return definitions.form(known(forms[manifest.start], 'the start form'))
}

/** After the commit: sends the start to the engine and notifies the browsers of the requester and sender. */
export async function deliverBegun(
  { db, sender }: Pick<CasesContext, 'db' | 'sender'>,
  { caseId, commandId, people, attempt }: Begun,
  { announced = false } = {},
): Promise<void> {
  await sender.deliver({ id: commandId, ...(attempt && { attempt }) })
  const principals = people.map((id) => `user:${id}`)
  if (!announced) await announce(db, { principals, cases: [caseId], tasks: [] })
}
