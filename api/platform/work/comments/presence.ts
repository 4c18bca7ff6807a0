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
 * Who looks at a task at the same time. It is for those who handle the case: the requester is neither told nor seen.
 * Nobody is told what they know: a word that repeats the last one moves nothing.
 */
export function presenceService({ cases, ...dependencies }: PresenceDependencies) {
  const { db } = dependencies

  const tell = (tasks: string[]) => announce(db, { principals: [], cases: [], tasks })

  return {
    /** Somebody has a task open, and is or is not writing. */
    async look(person: Person, id: string, typing: boolean): Promise<void> {
      const task = await findTask(db, id)
      if (!task) throw new BusinessError('platform.not-found')
      await cases.check(person, task.case_id)
      if (!(await isInside(dependencies, person, task.case_id))) throw new BusinessError('platform.not-allowed')
      const repository = presenceRepository(db)
      const news = await repository.look(id, person.id, typing)
      // Who left without a word is missed by those who still look.
      await tell([...(await repository.forget()), ...(news ? [id] : [])])
    },

    /** Somebody has a task open no longer. */
    async leave(person: Person, id: string): Promise<void> {
      if (await presenceRepository(db).leave(id, person.id)) await tell([id])
    },
  }
}
