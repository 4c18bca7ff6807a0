import type { Kysely, Transaction } from 'kysely'
import { checkedAnswers, refuse } from '../cases/sent.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { changedOfGiven } from '../cases/given.ts'
import type { Person } from '../../people/persons/person.ts'
import { leaves } from '../../model/definitions/register.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { listEarlierDesks } from '../rows/decisions.ts'
import type { TasksDependencies } from './context.ts'
import type { TaskView } from './read.ts'

/** Throws why an answer would be rejected at the desk of a task, without submitting it. */
export async function checkTaskAnswer(
  context: TasksDependencies,
  person: Person,
  task: TaskRow,
  form: FrozenForm,
  data: unknown,
): Promise<void> {
  const { db } = context
  const answer = checkedAnswers(form.schema, data)
  await db.transaction().execute((trx) => refuseAnswer(context, trx, person, { task, form, answer }))
}

/** Throws what the case or the flow's rules reject in an answer that fits its form. */
export async function refuseAnswer(
  context: TasksDependencies,
  trx: Transaction<DB>,
  person: Person,
  { task, form, answer }: { task: TaskRow; form: FrozenForm; answer: JsonObject },
): Promise<void> {
  refuse([
    ...(await wrongDesks(context, trx, task, form, answer)),
    ...(await changedOfGiven(trx, task.case_id, form.schema, answer)),
  ])
  const asked = { caseId: task.case_id, flow: task.flow, form: form.key, desk: task.desk }
  await context.cases.checkAnswer(trx, { ...asked, data: answer, by: person.id })
}

/** The desks that an answer of this task may name. */
export async function earlierDesksOf(
  { db, library, definitions }: TasksDependencies,
  task: TaskRow,
  language?: Language,
  on: Kysely<DB> = db,
): Promise<TaskView['earlierDesks']> {
  const words = wordsOf(library, language)
  const { manifest, diagram } = await definitions.get(task.process_definition_id)
  const rows = await listEarlierDesks(on, task.case_id, task.desk, manifest.start)
  return rows
    .filter(({ desk }) => diagram.desks.get(desk)?.roles.some((role) => role !== 'user'))
    .map(({ desk, name, decider_id, decider }) => ({
      id: desk,
      name: words.element(task.flow, desk, name),
      by: { id: decider_id, name: decider },
    }))
}

/** Fields that name a desk which has not decided before this one. */
async function wrongDesks(
  context: TasksDependencies,
  trx: Transaction<DB>,
  task: TaskRow,
  form: FrozenForm,
  data: JsonObject,
): Promise<FieldError[]> {
  const named = leaves(form.schema, data).filter(
    ({ schema, value }) => schema['x-desk'] !== undefined && value !== 'requester',
  )
  if (named.length === 0) return []
  const desks = (await earlierDesksOf(context, task, undefined, trx)).map(({ id }) => id)
  return named
    .filter(({ value }) => !desks.includes(String(value)))
    .map(({ path }) => ({ field: path, code: 'platform.desk-not-decided' }))
}
