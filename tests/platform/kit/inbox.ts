import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Kysely } from 'kysely'
import type { DB } from '../../../api/platform/kernel/db/database.generated.ts'
import type { Engine } from '../../../api/platform/kernel/engine/port.ts'
import { definitionStore } from '../../../api/platform/model/deployed/definitions.ts'
import { deployRepositoryModels } from '../../../api/platform/model/deployed/deployment.ts'
import { loadLibrary } from '../../../api/platform/model/library/library.ts'
import { taskRepository } from '../../../api/platform/work/rows/tasks.ts'
import { anAccount } from './rows.ts'

/** The flow whose tasks these tests insert into the inbox. */
export const FLOW = 'resource-reservation/resource-booking'
export const library = loadLibrary(join(import.meta.dirname, '../../..'))

/** A task to insert into the inbox; everything unspecified has a default. */
export interface GivenTask {
  /** The principals it is offered to. */
  principals: string[]
  /** Account of the requester. */
  requester?: string
  reference?: string
  desk?: string
  status?: string
  event?: string
  /** Fields of the start form to filter by. */
  filters?: Record<string, string>
  data?: object
  faculty?: string
  amount?: number | null
  priority?: number
  created?: Date
  due?: Date | null
  followUp?: Date | null
  /** Account of the assignee, and of the person they substitute for. */
  holder?: string
  heldFor?: string
  decided?: { by: string; for?: string; at: Date; outcome?: string }
  /** Whether the case has ended. */
  ended?: boolean
}

/**
 * Stores the flow as deployed, without an engine, and returns functions that insert its tasks as the feed and people
 * do.
 */
export async function inboxRows(db: Kysely<DB>) {
  const engine = {
    ready: async () => true,
    deploy: async ({ name }: { name: string }) => [
      { id: `${name}:1`, key: name.split('/')[1], version: 1, deploymentId: 'd', resource: `${name}.bpmn` },
    ],
  } as unknown as Engine
  const flow = library.flows.get(FLOW)!
  const only = { ...library, flows: new Map([[FLOW, flow]]) }
  const log = pino({ level: 'silent' })
  await deployRepositoryModels({ db, engine, library: only, log, gate: async () => undefined })
  const definitions = definitionStore(db)
  const { flowHash } = await definitions.get(`${FLOW}:1`)
  const somebody = await anAccount(db)
  const form = library.forms.get('resource-reservation/booking-approval')!

  return {
    definitions,

    async aTask(given: GivenTask): Promise<{ id: string; caseId: string; reference: string }> {
      const [id, caseId] = [randomUUID(), randomUUID()]
      const { status = 'tentative_booking', desk = 'userTask_approveByHead', event = 'Recital' } = given
      const reference = given.reference ?? `RB-${caseId}`
      const created = given.created ?? new Date()
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('flow_case')
          .values({
            id: caseId,
            reference,
            flow: FLOW,
            flow_hash: flowHash,
            process_definition_id: `${FLOW}:1`,
            requester_id: given.requester ?? somebody,
            state: given.ended ? 'ended' : 'running',
            status,
            statuses: JSON.stringify({ status }),
            scope: JSON.stringify(given.faculty ? { faculty: given.faculty } : {}),
            subject: JSON.stringify({ event }),
            filters: JSON.stringify(given.filters ?? {}),
            data: JSON.stringify({ event, ...given.data }),
            amount: given.amount ?? null,
          })
          .execute()
        const tasks = taskRepository(trx)
        await tasks.create({
          id,
          caseId,
          desk,
          name: 'Approve',
          definitionId: `${FLOW}:1`,
          formKey: form.key,
          formHash: form.hash,
          dueAt: given.due?.toISOString() ?? null,
          followUpAt: given.followUp?.toISOString() ?? null,
          priority: given.priority ?? 50,
          createdAt: created.toISOString(),
        })
        for (const principal of given.principals) await tasks.addCandidate(id, principal)
        const { holder, heldFor, decided } = given
        if (holder ?? decided)
          await trx
            .updateTable('task')
            .set({
              ...(holder && { state: 'held', assignee_id: holder, claimed_at: created, held_for: heldFor ?? null }),
              ...(decided && {
                state: 'done',
                decided_by: decided.by,
                decided_for: decided.for ?? null,
                decided_at: decided.at,
                outcome: decided.outcome ?? 'approve',
              }),
            })
            .where('id', '=', id)
            .execute()
        await tasks.refreshInbox([id])
      })
      return { id, caseId, reference }
    },
  }
}
