import type { Kysely, Transaction } from 'kysely'
import { allocations } from '../allocations/allocations.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { commandRepository } from '../rows/commands.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definition, Definitions, FrozenForm } from '../../model/deployed/definitions.ts'
import type { Act } from '../../model/definitions/manifest.ts'
import type { ActInput, Rules } from '../../model/deployed/rules.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import type { Person } from '../../people/persons/person.ts'
import { taskRepository } from '../rows/tasks.ts'
import { type CaseRow, caseRepository } from '../rows/cases.ts'
import { caseRecordRepository } from '../rows/case-record.ts'
import { submissionRepository } from '../rows/submissions.ts'
import { amountOf, deadlinesOf, filesOf, someDerivedVariablesOf, variablesOf } from './routing.ts'
import { itemsNamed, refuse, ruleRequester, slotsWanted } from './sent.ts'

/** How far a case is, as far as messages to it ask. */
export type Standing = Pick<CaseRow, 'id' | 'state' | 'withdrawn_at' | 'process_definition_id'>

/** An act whose form has passed its schema. */
interface Asked {
  act: Act
  form: FrozenForm
  data: JsonObject
}

/** Whether something in a running case waits for a message. `early`: nothing has been heard of the case yet. */
function waitsFor(
  row: Standing,
  { diagram, processKey }: Pick<Definition, 'diagram' | 'processKey'>,
  message: string,
  open: readonly string[] | 'early',
): boolean {
  if (row.withdrawn_at !== null || (row.state !== 'running' && row.state !== 'starting')) return false
  const catchers = diagram.catchers.get(message)
  if (!catchers) return false
  return open === 'early' || catchers.has(processKey) || open.some((element) => catchers.has(element))
}

/** Whether something in the diagram waits for a withdrawal. */
export async function isWithdrawable(
  { definitions }: { definitions: Definitions },
  on: Kysely<DB>,
  row: Standing,
): Promise<boolean> {
  const definition = await definitions.get(row.process_definition_id)
  const { manifest } = definition
  const open = await caseRecordRepository(on).listOpenElements(row.id)
  // A case that has just begun has no open element yet as far as we have heard: the engine decides.
  return (
    manifest.withdraw !== undefined && waitsFor(row, definition, manifest.withdraw, open.length > 0 ? open : 'early')
  )
}

/**
 * What requesters ask for while their case runs. Of two acts at a time, or an act and a withdrawal, the engine takes the
 * one that finds something waiting for it; the other is without effect, and what it had taken is given back.
 */
export function caseActs({
  definitions,
  rules,
  clock,
}: {
  definitions: Definitions
  rules: ReadonlyMap<string, Rules>
  clock: () => Date
}) {
  /** The acts that something waits for now. */
  async function open(on: Kysely<DB>, row: Standing): Promise<Act[]> {
    const definition = await definitions.get(row.process_definition_id)
    const { acts = [] } = definition.manifest
    if (acts.length === 0) return []
    const cases = caseRepository(on)
    const elements = await caseRecordRepository(on).listOpenElements(row.id)
    const waiting = acts.filter(({ message }) => waitsFor(row, definition, message, elements))
    return waiting.length > 0 && !(await cases.isCorrelating(row.id)) ? waiting : []
  }

  return {
    open,

    /** The act of that name, with its form checked. */
    async check(row: Standing, name: string, data: unknown): Promise<Asked> {
      const { manifest, forms } = await definitions.get(row.process_definition_id)
      const act = manifest.acts?.find((one) => one.name === name)
      if (!act) throw new BusinessError('platform.not-found')
      const form = await definitions.form(forms[act.form]!)
      const answer = effectiveAnswers(form.schema, data as JsonObject)
      refuse(checkForm(form.schema, answer))
      return { act, form, data: answer }
    },

    /** Writes an act, and the command that tells the engine of it; answers the command's id. `through` is the audit's. */
    async perform(
      trx: Transaction<DB>,
      id: string,
      { act, form, data }: Asked,
      through?: Person['through'],
    ): Promise<string> {
      const cases = caseRepository(trx)
      const row = await cases.lock(id)
      if (!(await open(trx, row)).some(({ name }) => name === act.name))
        throw new BusinessError('platform.act-not-possible')
      // One is being decided, though we have not heard yet that the case has moved on.
      if (act.allocations?.length && (await cases.hasSlots(id, 'move')))
        throw new BusinessError('platform.act-not-possible')
      const { manifest } = await definitions.get(row.process_definition_id)
      const now = clock()
      const requesterId = row.requester_id
      const current = row.data as JsonObject
      const input: ActInput = {
        data,
        current,
        facts: row.facts as JsonObject,
        items: await itemsNamed(trx, form.schema, data),
        now,
        requester: await ruleRequester(trx, requesterId),
        trx,
        caseId: id,
      }
      const own = rules.get(row.flow)?.acts?.[act.name]
      refuse((await own?.check?.(input)) ?? [])
      const derived = (await own?.derive?.(input)) ?? { facts: {}, variables: {} }
      const plan = own?.slots && (() => own.slots!(input))
      for (const slot of await slotsWanted(act.allocations ?? [], data, { plan, current }))
        await allocations(trx).claim({ ...slot, holder: requesterId, caseId: id, purpose: 'move' })
      const { id: submissionId, sealed } = await submissionRepository(trx).addSubmission({
        caseId: id,
        formKey: form.key,
        formHash: form.hash,
        data,
        by: requesterId,
      })
      const foreign = await submissionRepository(trx).addFiles(
        id,
        submissionId,
        requesterId,
        filesOf(form.schema, data),
      )
      refuse(foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
      const changed = manifest.amount !== undefined && manifest.amount in derived.variables
      await cases.say(id, {
        facts: { ...input.facts, ...derived.facts },
        ...(changed && { amount: amountOf(manifest, input.current, derived.variables) }),
      })
      if (changed) {
        const waiting = await taskRepository(trx).listOpenOfCase(id)
        await taskRepository(trx).refreshInbox(waiting.map((task) => task.id))
      }
      await audit(trx).record({
        actor: requesterId,
        actedAs: through ?? null,
        action: 'case.acted',
        caseId: id,
        object: `case:${id}`,
        payload: { act: act.name, ...sealed },
      })
      return commandRepository(trx).add({
        kind: 'correlate',
        caseId: id,
        submissionId,
        actingUser: requesterId,
        payload: {
          message: act.message,
          variables: {
            ...variablesOf(form.schema, data),
            ...someDerivedVariablesOf(manifest, derived.variables),
            ...(await deadlinesOf(trx, now)),
          },
        },
      })
    },
  }
}
