import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { Variables } from '../../kernel/engine/port.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { RuleInput } from '../../model/deployed/rules.ts'
import { at, textAt } from '../../model/definitions/register.ts'
import type { Person } from '../../people/persons/person.ts'
import { unseenEntries } from '../registers/seen.ts'
import { startFormOf } from './begin.ts'
import { agreementOf } from './agreement.ts'
import {
  amountOf,
  derivedVariablesOf,
  emptyVariablesOf,
  filtersOf,
  fixedFieldsOf,
  knownVariablesOf,
  subjectOf,
  variablesOf,
} from './routing.ts'
import { claimedBy, itemsAsked, refuseExcepted, refuseNoLonger, soleKeyOf, startedElsewhere } from './requester.ts'
import { writeRun } from './run.ts'
import { answersAsked, refuse, refuseItems, ruleRequester, slotsWanted, versionsOf } from './sent.ts'
import { getCaseContent, lockCase, saveCaseContent } from '../rows/cases.ts'
import { caseHasSlots } from '../allocations/case-slots.ts'
import { setCaseItems } from '../rows/items.ts'
import { claimItems } from '../rows/claims.ts'
import { takeSoleKey } from '../rows/sole.ts'
import { listOpenTasks } from '../rows/task-reads.ts'
import { refreshInbox } from '../rows/inbox.ts'
import type { CasesContext } from './context.ts'
import { reclaimSlot } from '../allocations/slots.ts'

/** An answer at a desk of a case. */
export interface Answer {
  caseId: string
  flow: string
  form: string
  desk: string
  data: JsonObject
  by: string
}

/**
 * Throws what the flow's rules reject in an answer. It also throws if an entry excepts the requester who answers, or if
 * the flow refuses this outcome for somebody who could not ask any more.
 */
export async function checkAnswer(context: CasesContext, trx: Transaction<DB>, answer: Answer): Promise<void> {
  const { library, rules, clock } = context
  const { caseId, flow, form, data, by } = answer
  const { unless, refuses } = library.flows.get(flow)?.manifest.requester ?? {}
  if (unless ?? refuses) await checkRequester(context, trx, answer)
  const own = rules.get(flow)?.answers?.[form]
  if (!own) return
  const { data: current, facts } = await getCaseContent(trx, caseId)
  refuse(await own.check({ data, current, facts, now: clock(), trx, caseId, by }))
}

async function checkRequester(
  { library, definitions }: CasesContext,
  trx: Transaction<DB>,
  { caseId, desk, data, by }: Answer,
): Promise<void> {
  const { requester_id: requesterId, ...row } = await lockCase(trx, caseId)
  const definition = await definitions.get(row.process_definition_id)
  const { manifest } = definition
  const { schema } = await startFormOf({ definitions }, definition)
  const asked = { manifest, schema, data: row.data, registers: library.registers, requesterId }
  const isRefused = manifest.requester?.refuses?.[desk]?.includes(textAt(data, '/outcome') ?? '')
  if (requesterId === by) await refuseExcepted(trx, asked)
  else if (isRefused) await refuseNoLonger(trx, asked)
}

/** Checks a guest's case again once the requester is known. While they were a guest, the rules saw no person. */
export async function checkKnown(
  { library, definitions, rules, clock }: CasesContext,
  trx: Transaction<DB>,
  caseId: string,
): Promise<void> {
  const row = await lockCase(trx, caseId)
  const own = rules.get(row.flow)
  if (!own?.check) return
  const definition = await definitions.get(row.process_definition_id)
  const { manifest } = definition
  const { schema } = await startFormOf({ definitions }, definition)
  const data = row.data
  const { requester_id: requesterId } = row
  const items = await itemsAsked(trx, { manifest, schema, data, requesterId, registers: library.registers })
  const requester = await ruleRequester(trx, requesterId)
  refuse(await own.check({ data, items, now: clock(), requester, trx, caseId, before: data }))
}

/**
 * Makes a resubmitted start form the content of the case, with all that follows from it; returns the resulting
 * variables. Fields that decide which desks see the case keep their values. Slots are replaced in place.
 */
export async function correctCase(
  { library, definitions, rules, clock }: CasesContext,
  trx: Transaction<DB>,
  { caseId, form, data: sent, by }: { caseId: string; form: FrozenForm; data: JsonObject; by: Person },
): Promise<Variables> {
  const row = await lockCase(trx, caseId)
  if (row.state !== 'running' || row.withdrawn_at !== null) throw new BusinessError('platform.task-gone')
  const { manifest } = await definitions.get(row.process_definition_id)
  const before = row.data
  const fixed = fixedFieldsOf(manifest)
  const moved = fixed.filter((field) => !isDeepStrictEqual(at(sent, field), at(before, field)))
  refuse(moved.map((field) => ({ field, code: 'platform.cannot-change' })))
  const { registers } = library
  const asked = { manifest, schema: form.schema, data: sent, requesterId: row.requester_id, registers }
  const items = await itemsAsked(trx, asked, fixed)
  refuse(await startedElsewhere(trx, library.flows.get(row.flow)?.manifest ?? manifest, asked, items))
  const data = answersAsked(form.schema, sent, items)
  const own = rules.get(row.flow)
  const requester = await ruleRequester(trx, row.requester_id)
  const input: RuleInput = { data, items, now: clock(), requester, trx, caseId, before }
  refuse((await own?.check?.(input)) ?? [])
  refuseItems(library, form.schema, data, items, fixed)
  const unseen = await unseenEntries(trx, library, by, { schema: form.schema, data })
  refuse(unseen.filter(({ field }) => at(data, field) !== at(before, field)))
  const derived = (await own?.derive?.(input)) ?? { facts: {}, variables: {} }
  const plan = own?.slots?.bind(own, input)
  const wanted = await slotsWanted(manifest.allocations ?? [], data, { plan })
  // The slots were released, and the feed has not reported yet that the case has moved on.
  if (wanted.length > 0 && !(await caseHasSlots(trx, caseId, 'booking'))) throw new BusinessError('platform.task-gone')
  for (const slot of wanted) await reclaimSlot(trx, { ...slot, holder: row.requester_id, caseId })
  await saveCaseContent(trx, caseId, {
    data,
    subject: subjectOf(manifest, data, items),
    facts: { ...row.facts, ...derived.facts },
    filters: filtersOf(form.schema, data),
    amount: amountOf(manifest, data, derived.variables),
  })
  const sole = soleKeyOf(manifest, data, items)
  if (sole !== null) await takeSoleKey(trx, { caseId, flow: row.flow, manifest, key: sole })
  refuse(await claimItems(trx, { caseId, flow: row.flow }, claimedBy(manifest, items)))
  await setCaseItems(trx, caseId, versionsOf(items))
  await writeRun(trx, library, { manifest, data, items, caseId, by: row.requester_id }, { again: true })
  const open = await listOpenTasks(trx, caseId)
  await refreshInbox(
    trx,
    open.map(({ id }) => id),
  )
  return {
    ...emptyVariablesOf(form.schema),
    ...variablesOf(form.schema, data),
    ...knownVariablesOf(manifest, data, items),
    ...derivedVariablesOf(manifest, derived.variables),
    ...(await agreementOf(trx, manifest, { caseId, data })),
  }
}
