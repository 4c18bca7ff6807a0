import type { Kysely } from 'kysely'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { readable } from '../../model/library/readable.ts'
import { draftRepository } from '../rows/drafts.ts'
import { type TaskPermissionDependencies, findPermit, isOver, taken } from './permission.ts'
import type { TaskRow } from '../rows/tasks.ts'

/** An unsent answer, as the devices of its writer get it. */
export interface Draft {
  data: JsonObject
  version: number
  savedAt: string
  /** What has happened since and conflicts with it, in words. */
  conflict: string | null
}

/**
 * Drafts of task forms. Only their writer reads them, and what others do with the task does not delete them. A draft is
 * deleted when its writer's own decision has taken effect, or on request.
 */
export function taskDrafts(dependencies: TaskPermissionDependencies & { db: Kysely<DB> }) {
  const { db } = dependencies

  return {
    /** Saves a draft; throws if a later version than the given one has been saved. */
    async save(
      person: Person,
      id: string,
      { data, version }: { data: object; version?: number },
    ): Promise<{ version: number; savedAt: string }> {
      const { task } = await findPermit(dependencies, person, id)
      if (isOver(task)) throw taken(task)
      if (task.form_hash === null) throw new BusinessError('platform.task-without-form')
      const drafts = draftRepository(db)
      const saved = await (version === undefined
        ? drafts.begin(id, person.id, data)
        : drafts.goOn(id, person.id, data, version))
      if (!saved) throw new BusinessError('platform.draft-changed')
      await announce(db, { principals: [], cases: [], tasks: [], drafts: [{ account: person.id, task: id }] })
      return { version: saved.version, savedAt: saved.saved_at.toISOString() }
    },

    /** Deletes it, even if somebody else has the task now. */
    async discard(person: Person, id: string): Promise<void> {
      if (!(await draftRepository(db).drop(id, person.id))) await findPermit(dependencies, person, id)
    },
  }
}

/** The draft of a person who may see the task, with its conflicts. */
export async function draftOf(
  { db, library }: { db: Kysely<DB>; library: Library },
  person: Person,
  task: TaskRow,
  { caseVersion, language }: { caseVersion: number; language?: Language },
): Promise<Draft | null> {
  const row = await draftRepository(db).find(task.id, person.id)
  if (!row) return null
  const against = (): BusinessError | undefined => {
    const theirs = task.state === 'held' && task.assignee_id !== person.id
    if (task.decided_by === person.id && task.state !== 'void') return undefined
    if (isOver(task) || theirs) return taken(task)
    if (row.form_hash !== task.form_hash) return new BusinessError('platform.draft-form-changed')
    return row.case_version === caseVersion ? undefined : new BusinessError('platform.draft-case-changed')
  }
  const reason = against()
  return {
    data: row.data,
    version: row.version,
    savedAt: row.saved_at.toISOString(),
    conflict: reason ? library.text(reason.code, readable(reason.values, language), language) : null,
  }
}
