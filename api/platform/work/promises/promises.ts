import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { dayInColombo } from '../../kernel/colombo.ts'
import { type WorkingCalendar, endOfWorkingDay, readCalendar } from '../../records/calendar/working-days.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { ActivityState, TaskState } from '../../kernel/engine/port.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import { type After, mailOfArea } from '../../model/bpmn/promises.ts'
import type { NewTask } from '../rows/tasks.ts'
import { type Promised, promiseRepository } from './repository.ts'

type Begun = Pick<NewTask, 'id' | 'definitionId' | 'desk' | 'createdAt'>

/**
 * The promises of desks as rows. Each has its due time, counted from the start of its task as the task's version says.
 */
export function promises(trx: Transaction<DB>, definitions: Pick<Definitions, 'find'>) {
  const repository = promiseRepository(trx)

  async function promisedBy(tasks: readonly Begun[]): Promise<(Promised & { definitionId: string })[]> {
    const drawn = await Promise.all(
      tasks.map(async (task) => ({ task, promised: promisedAt(await definitions.find(task.definitionId), task.desk) })),
    )
    const all = drawn.flatMap(({ task, promised }) => promised.map((one) => ({ task, ...one })))
    if (all.length === 0) return []
    const counted = all.filter(({ after }) => 'workdays' in after).map(({ task }) => Date.parse(task.createdAt))
    const calendar = counted.length > 0 ? await readCalendar(trx, dayInColombo(Math.min(...counted))) : undefined
    return all.map(({ task: { id, definitionId, createdAt }, kind, after, template }) => {
      return { task: id, definitionId, kind, template, dueAt: momentOf(after, new Date(createdAt), calendar) }
    })
  }

  return {
    /** For tasks that have just begun. */
    async make(tasks: readonly Begun[]): Promise<void> {
      await repository.make(await promisedBy(tasks))
    },

    /**
     * For tasks of a rebuilt case, which may have moved: the promises of its present version, without those already
     * kept, also by a timer of the earlier version. `left` is the desk in that version.
     */
    async follow(
      tasks: readonly (TaskState & { left: string })[],
      activities: readonly ActivityState[],
    ): Promise<void> {
      const promised = await promisedBy(tasks)
      const kept = await Promise.all(
        promised.map(async (one) => {
          const task = known(
            tasks.find(({ id }) => id === one.task),
            'the task of a promise',
          )
          const keptAt = await toldByTimer(task, one.kind, activities)
          return keptAt ? { ...one, keptAt } : one
        }),
      )
      await repository.follow(
        tasks.map(({ id }) => id),
        kept,
      )
    },
  }

  /** When a timer at the desk sent the mail of this task. */
  async function toldByTimer(
    { createdAt, desk, left }: TaskState & { left: string },
    kind: Promised['kind'],
    activities: readonly ActivityState[],
  ): Promise<Date | undefined> {
    const since = Date.parse(createdAt)
    for (const { element, definitionId, startedAt, canceled } of activities) {
      if (canceled || Date.parse(startedAt) < since) continue
      const timers = (await definitions.find(definitionId))?.diagram.tellingTimers ?? []
      const told = timers.find((one) => one.timer === element && one.kind === kind)
      if (told && [desk, left].includes(told.desk)) return new Date(startedAt)
    }
    return undefined
  }
}

/** The promises of a desk in a version, with their mails. */
function promisedAt(definition: Definition | undefined, desk: string) {
  if (!definition) return []
  const [area = definition.flow] = definition.flow.split('/')
  return (definition.diagram.desks.get(desk)?.promises ?? []).map(({ kind, after, template }) => ({
    ...{ kind, after },
    template: template ?? mailOfArea(area, kind),
  }))
}

function momentOf(after: After, from: Date, calendar: WorkingCalendar | undefined): Date {
  if ('seconds' in after) return new Date(from.getTime() + after.seconds * 1000)
  return new Date(endOfWorkingDay(from, after.workdays, known(calendar, 'the calendar of working days')))
}
