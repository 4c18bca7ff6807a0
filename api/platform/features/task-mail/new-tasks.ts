import type { TaskList } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import { oneOf } from '../../kernel/one-of.ts'
import { type Cases } from '../../work/cases/service.ts'
import { wordsOf } from '../../model/library/words.ts'
import { MAIL_NEW_TASK } from '../../work/feed/new-tasks.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { type Library, languages } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import { mail } from '../../records/mail/mail.ts'
import { type Permit, isOver, taskPermission } from '../../work/tasks/permission.ts'
import { taskAddresses } from './addresses.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** Older tasks are not mailed (milliseconds): the case was rebuilt, or the mail was delayed for long. */
const MAX_AGE_MS = DAY_MS

export interface NewTaskDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Pick<Cases, 'check'>
  publicUrl: string
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [MAIL_NEW_TASK]: { task: string }
    }
  }
}

/** The queue task that mails about new tasks. */
export function newTaskTasks(dependencies: NewTaskDependencies): TaskList {
  const { db, library, definitions, cases, publicUrl } = dependencies
  const permission = taskPermission({ db, definitions, cases })

  /** The right of a person who may decide the task now; undefined if they may not. */
  async function theirs(person: Person, id: string): Promise<Permit | undefined> {
    try {
      const permit = await permission.permitted(person, id)
      return (await permission.obstacle(person, permit)) === null ? permit : undefined
    } catch (error) {
      if (error instanceof BusinessError) return undefined
      throw error
    }
  }

  return {
    async [MAIL_NEW_TASK]({ task: id }) {
      for (const accountId of await listWanting(db, id)) {
        const person = await findPerson(db, accountId)
        // Tasks that a person sees only through a role that sees everything do not wait for them.
        const permit = person && (await theirs({ ...person, seesAll: false }, id))
        if (!permit || isOver(permit.task) || permit.task.assignee_id !== null) continue
        const { task } = permit
        if (Date.now() - task.created_at.getTime() > MAX_AGE_MS) continue
        await db.transaction().execute(async (trx) => {
          const { language } = await trx
            .selectFrom('account')
            .select('language')
            .where('id', '=', accountId)
            .executeTakeFirstOrThrow()
          const { manifest } = await definitions.get(task.process_definition_id)
          const words = wordsOf(library, oneOf(languages, language))
          const about = { requester: task.requester_name, subject: task.subject }
          await mail(trx, { library, publicUrl }).send({
            to: `user:${accountId}`,
            template: 'platform.mail.new-task',
            caseId: task.case_id,
            values: {
              task: words.element(task.flow, task.desk, task.name),
              question: words.question(manifest, task.desk, about) ?? words.caseTitle(manifest, task.subject),
              due: task.due_at?.toISOString() ?? words.text('platform.mail.no-due-date'),
              link: await taskAddresses(trx, publicUrl).deciding(id, person),
            },
            once: `task:${id}`,
            chosen: true,
          })
        })
      }
    },
  }
}

/**
 * The accounts that want mails about new tasks and may have this one, directly or as substitutes. It excludes the
 * person who caused the task by sending the case or by deciding at the previous desk.
 */
async function listWanting(db: Kysely<DB>, task: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from account a
    where a.active and a.mail_new_tasks
      and (
        exists (
          select from task_candidate c join role_grant g
            on c.principal in (g.role, g.role || '@' || g.scope_kind || ':' || g.scope_id)
          where c.task_id = ${task} and g.account_id = a.id and g.starts_at <= now()
            and (g.ends_at is null or g.ends_at > now()))
        or exists (select from task_candidate c where c.task_id = ${task} and c.principal = 'user:' || a.id)
        or exists (
          select from substitution s where s.substitute_id = a.id and s.state = 'accepted'
            and s.starts_at <= now() and s.ends_at > now()))
      and a.id is distinct from (
        select s.submitted_by from task t join submission s on s.case_id = t.case_id
        where t.id = ${task} and s.at <= t.created_at and s.effect <> 'void'
        order by s.at desc limit 1)
    order by a.id`.execute(db)
  return rows.map((row) => row.id)
}
