import type { Kysely } from 'kysely'
import type { DB } from '../../../kernel/db/database.generated.ts'
import type { Variables } from '../../../kernel/engine/port.ts'
import type { PromiseKind } from '../../../model/bpmn/promises.ts'

/** One recorded case. */
export interface RecordedCase {
  id: string
  reference: string
  /** An operator moved a token of it, or it moved to another version, so its path fits no model. */
  moved: boolean
  startedAt: Date
  end: string | null
  commands: { kind: string; payload: { taskId?: string; message?: string; variables?: Variables }; at: Date }[]
  path: {
    element: string
    type: string
    task: string | null
    startedAt: Date
    endedAt: Date | null
    canceled: boolean
  }[]
  /** The promises that its desks kept. */
  promises: { desk: string; kind: PromiseKind; at: Date }[]
  /** The versions that it ran on. */
  definitions: string[]
  runs: { topic: string; error: string | null; output: Variables; at: Date }[]
}

/** The newest ended cases of a flow with their events. */
export async function listRecordedCases(db: Kysely<DB>, flow: string, last: number): Promise<RecordedCase[]> {
  const cases = await db
    .selectFrom('flow_case')
    .select(['id', 'reference', 'end_reason'])
    .where('flow', '=', flow)
    .where('state', '=', 'ended')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(last)
    .execute()
  return Promise.all(
    cases.map(async ({ id, reference, end_reason: end }) => ({ id, reference, end, ...(await recordOf(db, id)) })),
  )
}

/** One ended case of a flow by its number; undefined if there is none. */
export async function findRecordedCase(
  db: Kysely<DB>,
  flow: string,
  reference: string,
): Promise<RecordedCase | undefined> {
  const found = await db
    .selectFrom('flow_case')
    .select(['id', 'end_reason'])
    .where('flow', '=', flow)
    .where('reference', '=', reference)
    .where('state', '=', 'ended')
    .executeTakeFirst()
  return found && { id: found.id, reference, end: found.end_reason, ...(await recordOf(db, found.id)) }
}

async function recordOf(db: Kysely<DB>, id: string): Promise<Omit<RecordedCase, 'id' | 'reference' | 'end'>> {
  const commands = await db
    .selectFrom('command')
    .select((eb) => eb.ref('payload').$castTo<RecordedCase['commands'][number]['payload']>().as('payload'))
    .select(['kind', 'created_at', 'done_at'])
    .where('case_id', '=', id)
    .where('state', '=', 'done')
    .orderBy('sequence')
    .execute()
  const path = await db
    .selectFrom('activity')
    .select(['element', 'type', 'task_id as task', 'started_at as startedAt', 'ended_at as endedAt', 'canceled'])
    .select('process_definition_id as definition')
    .where('case_id', '=', id)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  const promises = await db
    .selectFrom('desk_promise as p')
    .innerJoin('task as t', 't.id', 'p.task_id')
    .select(['t.desk', 'p.kind', 'p.done_at as at'])
    .where('t.case_id', '=', id)
    .where('p.done_at', 'is not', null)
    .orderBy('p.done_at')
    .$narrowType<{ kind: PromiseKind; at: Date }>()
    .execute()
  const runs = await db
    .selectFrom('worker_run')
    .select((eb) => eb.ref('output').$castTo<Variables>().as('output'))
    .select(['topic', 'error_code as error', 'at'])
    .where('case_id', '=', id)
    .orderBy('at')
    .execute()
  const told = commands.map(({ kind, payload, created_at, done_at }) => ({
    kind,
    payload,
    at: done_at ?? created_at,
  }))
  return {
    commands: told,
    moved: told.some(({ kind }) => kind === 'modify' || kind === 'migrate'),
    path: path.map(({ definition: _version, ...step }) => step),
    promises,
    definitions: [...new Set(path.map(({ definition }) => definition))],
    runs,
    startedAt: told[0]?.at ?? path[0]?.startedAt ?? new Date(),
  }
}
