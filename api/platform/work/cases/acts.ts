import type { Kysely, Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition, Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import { type Act, type Manifest, movesSlots } from '../../model/definitions/manifest.ts'
import type { ActInput } from '../../model/deployed/rules.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { type CaseRow, isCaseCorrelating, lockCase, saveCaseContent } from '../rows/cases.ts'
import { caseHasSlots } from '../allocations/case-slots.ts'
import { amountOf, deadlinesOf, someDerivedVariablesOf, variablesOf } from './routing.ts'
import { attachSent, checkedAnswers, itemsNamed, refuse, ruleRequester, slotsWanted } from './sent.ts'
import { listOpenElements } from '../rows/case-record.ts'
import { addSubmission } from '../rows/submissions.ts'
import { isBeingDecided, isSettledAt, listOpenTasks } from '../rows/task-reads.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { addCommand } from '../rows/commands.ts'
import type { CasesContext } from './context.ts'
import { changedOfGiven } from './given.ts'
import { claimSlot } from '../allocations/slots.ts'
import { movePicked } from './picked.ts'

/** The part of a case that decides which messages it can receive. */
export type ActingRow = Pick<CaseRow, 'id' | 'state' | 'withdrawn_at' | 'process_definition_id'>

type ActsContext = Pick<CasesContext, 'definitions' | 'rules' | 'clock'>

/** An act whose form passed its schema. */
interface Asked {
  act: Act
  form: FrozenForm
  data: JsonObject
  by: string
  /** The right by which others than the requester perform it; of the requester, `tracking` if they use a tracking link. */
  actedAs: string | null
}

/** Whether a running case waits for a message. `early` is the answer before the first engine event of the case. */
function waitsFor(
  row: ActingRow,
  { diagram, processKey }: Pick<Definition, 'diagram' | 'processKey'>,
  message: string,
  open: readonly string[] | 'early',
): boolean {
  if (row.withdrawn_at !== null || (row.state !== 'running' && row.state !== 'starting')) return false
  const catchers = diagram.catchers.get(message)
  if (!catchers) return false
  return open === 'early' || catchers.has(processKey) || open.some((element) => catchers.has(element))
}

/** Whether a running case waits for a message now. */
export async function isWaitingFor(
  { definitions }: { definitions: Definitions },
  on: Kysely<DB>,
  row: ActingRow,
  message: string,
): Promise<boolean> {
  const definition = await definitions.get(row.process_definition_id)
  return waitsFor(row, definition, message, await listOpenElements(on, row.id))
}

/** Whether the diagram waits for a withdrawal, and no decision of a `final` desk is taking effect. */
export async function isWithdrawable(
  { definitions }: { definitions: Definitions },
  on: Kysely<DB>,
  row: ActingRow,
): Promise<boolean> {
  const definition = await definitions.get(row.process_definition_id)
  const { manifest } = definition
  if (manifest.final && (await isSettledAt(on, row.id, manifest.final))) return false
  const open = await listOpenElements(on, row.id)
  // A new case has no open element until the feed reports one, so the engine decides.
  return (
    manifest.withdraw !== undefined && waitsFor(row, definition, manifest.withdraw, open.length > 0 ? open : 'early')
  )
}

/** The right by which somebody else than the requester may withdraw cases of a flow. */
export function withdrawsAs({ withdrawnBy }: Manifest, person: Person): string | undefined {
  return withdrawnBy && admits(person, withdrawnBy)
}

/** The acts that the diagram waits for now; those of a person, if one is named. */
export async function openActs(
  { definitions }: ActsContext,
  on: Kysely<DB>,
  row: ActingRow & Pick<CaseRow, 'requester_id' | 'facts'>,
  person?: Person,
): Promise<Act[]> {
  const definition = await definitions.get(row.process_definition_id)
  const isOver = ({ unless = [] }: Act) => unless.some((fact) => (row.facts[fact] ?? null) !== null)
  const all = (definition.manifest.acts ?? []).filter((act) => !isOver(act))
  const acts = person ? all.filter((act) => actsAs(row, act, person) !== undefined) : all
  if (acts.length === 0) return []
  const elements = await listOpenElements(on, row.id)
  const waiting = acts.filter(({ message }) => waitsFor(row, definition, message, elements))
  return waiting.length > 0 && !(await isCaseCorrelating(on, row.id)) ? waiting : []
}

/** By what right somebody may perform an act; undefined if they may not. */
function actsAs({ requester_id: requester }: Pick<CaseRow, 'requester_id'>, { by, only }: Act, person: Person) {
  if (requester === person.id) return only ? undefined : (person.through ?? null)
  return by && admits(person, by)
}

/** The act of that name, with the person's right to it, after its form is checked. */
export async function checkAct(
  { definitions }: ActsContext,
  row: ActingRow & Pick<CaseRow, 'requester_id'>,
  person: Person,
  { name, data }: { name: string; data: unknown },
): Promise<Asked> {
  const { manifest, forms } = await definitions.get(row.process_definition_id)
  const act = manifest.acts?.find((one) => one.name === name)
  // Who may do nothing here does not learn which acts there are.
  const actedAs = act ? actsAs(row, act, person) : row.requester_id === person.id ? null : undefined
  if (actedAs === undefined) throw new BusinessError('platform.not-allowed')
  if (!act) throw new BusinessError('platform.not-found')
  const form = await definitions.form(known(forms[act.form], 'the form of an act'))
  return { act, form, data: checkedAnswers(form.schema, data), by: person.id, actedAs }
}

/**
 * Writes an act and the command that sends it to the engine; returns the command's id. `actedAs` is the right to it. If
 * two acts, or an act and a withdrawal, compete, the engine accepts the one that finds something waiting. The
 * other has no effect, and what it had allocated is released.
 */
export async function performAct(
  context: ActsContext,
  trx: Transaction<DB>,
  id: string,
  { act, form, data, by, actedAs }: Asked,
): Promise<string> {
  const { row, manifest } = await lockForAct(context, trx, id, act)
  const now = context.clock()
  const { facts, current, derived } = await askRules(context, trx, row, { act, form, data, now })
  await movePicked(trx, manifest, { row, form: form.key, data, now })
  const { id: submissionId, sealed } = await addSubmission(trx, {
    caseId: id,
    formKey: form.key,
    formHash: form.hash,
    data,
    by,
    actedAs: by === row.requester_id ? null : actedAs,
  })
  await attachSent(trx, { caseId: id, submissionId, by }, { schema: form.schema, data })
  const changed = manifest.amount !== undefined && manifest.amount in derived.variables
  await saveCaseContent(trx, id, {
    facts: { ...facts, ...derived.facts },
    ...(changed && { amount: amountOf(manifest, current, derived.variables) }),
  })
  if (changed) {
    const waiting = await listOpenTasks(trx, id)
    await refreshInbox(
      trx,
      waiting.map((task) => task.id),
    )
  }
  await audit(trx).record({
    actor: by,
    actedAs,
    action: 'case.acted',
    caseId: id,
    object: `case:${id}`,
    payload: { act: act.name, ...sealed, ...(by !== row.requester_id && { for: row.requester_id }) },
  })
  return addCommand(trx, {
    kind: 'correlate',
    caseId: id,
    submissionId,
    actingUser: by,
    payload: {
      message: act.message,
      variables: {
        ...variablesOf(form.schema, data),
        ...someDerivedVariablesOf(manifest, derived.variables),
        ...(await deadlinesOf(trx, now)),
      },
    },
  })
}

/** Locks the case; throws if nothing waits for the act. */
async function lockForAct(context: ActsContext, trx: Transaction<DB>, id: string, act: Act) {
  const row = await lockCase(trx, id)
  if (!(await openActs(context, trx, row)).some(({ name }) => name === act.name))
    throw new BusinessError('platform.act-not-possible')
  // Another move, or a decision that may rest on what would be moved, has not taken effect yet.
  const { manifest } = await context.definitions.get(row.process_definition_id)
  if (movesSlots(manifest, act) && ((await caseHasSlots(trx, id, 'move')) || (await isBeingDecided(trx, id))))
    throw new BusinessError('platform.act-not-possible')
  return { row, manifest }
}

/**
 * Throws what the flow's rules reject in an act, and claims the slots it asks for. Returns the variables that follow
 * from it.
 */
async function askRules(
  { rules }: ActsContext,
  trx: Transaction<DB>,
  row: Awaited<ReturnType<typeof lockCase>>,
  { act, form, data, now }: Pick<Asked, 'act' | 'form' | 'data'> & { now: Date },
) {
  const [current, facts] = [row.data, row.facts]
  const items = await itemsNamed(trx, form.schema, data)
  const requester = await ruleRequester(trx, row.requester_id)
  const input: ActInput = { data, current, facts, items, now, requester, trx, caseId: row.id }
  refuse(await changedOfGiven(trx, row.id, form.schema, data))
  const own = rules.get(row.flow)?.acts?.[act.name]
  refuse((await own?.check?.(input)) ?? [])
  const derived = (await own?.derive?.(input)) ?? { facts: {}, variables: {} }
  const plan = own?.slots?.bind(own, input)
  for (const slot of await slotsWanted(act.allocations ?? [], data, { plan, current }))
    await claimSlot(trx, { ...slot, holder: row.requester_id, caseId: row.id, purpose: 'move' })
  return { facts, current, derived }
}
