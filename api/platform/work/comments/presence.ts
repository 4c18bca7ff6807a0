import type { Cases } from '../cases/service.ts'
import { announce } from '../../kernel/db/changed.ts'
import { type InsiderDependencies, isInside } from '../cases/insiders.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Person } from '../../people/persons/person.ts'
import { presenceRepository } from './presence-repository.ts'
import { findTask } from '../rows/task-reads.ts'

export interface PresenceDependencies extends InsiderDependencies {
  cases: Pick<Cases, 'check'>
}

/**
 * Who has a task open at the same time. Only people who handle the case see it: the requester neither sees it nor is
 * shown. A repeated signal that changes nothing notifies nobody.
 */
export function presenceService({ cases, ...dependencies }: PresenceDependencies) {
  const { db } = dependencies

  const tell = (tasks: string[]) => announce(db, { principals: [], cases: [], tasks })

  return {
    /** Records that a person has a task open, and whether they are typing. */
    async look(person: Person, id: string, typing: boolean): Promise<void> {
      const task = await findTask(db, id)
      if (!task) throw new BusinessError('platform.not-found')
      await cases.check(person, task.case_id)
      if (!(await isInside(dependencies, person, task.case_id))) throw new BusinessError('platform.not-allowed')
      const repository = presenceRepository(db)
      const news = await repository.look(id, person.id, typing)
      // Also tell the remaining viewers about people whose signal has expired.
      await tell([...(await repository.forget()), ...(news ? [id] : [])])
    },

    /** Records that a person has closed a task. */
    async leave(person: Person, id: string): Promise<void> {
      if (await presenceRepository(db).leave(id, person.id)) await tell([id])
    },
  }
}
