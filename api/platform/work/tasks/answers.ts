import type { Kysely, Transaction } from 'kysely'
import { checkedAnswers, refuse } from '../cases/sent.ts'
import { wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { notAsGiven, prefilled, showsGiven } from '../../model/forms/prefill.ts'
import type { Person } from '../../people/persons/person.ts'
import { leaves } from '../../model/definitions/register.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { listEarlierDesks } from '../rows/decisions.ts'
import { getCaseRow } from '../rows/cases.ts'
import { listSubmissions } from '../rows/submissions.ts'
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
  refuse([...(await wrongDesks(context, trx, task, form, answer)), ...(await changedOfGiven(trx, task, form, answer))])
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

/** Read-only fields whose value differs from the case's. */
async function changedOfGiven(
  trx: Transaction<DB>,
  task: TaskRow,
  { schema }: FrozenForm,
  answer: JsonObject,
): Promise<FieldError[]> {
  if (!showsGiven(schema)) return []
  const { data, facts, subject } = await getCaseRow(trx, task.case_id)
  const submissions = await listSubmissions(trx, task.case_id)
  return notAsGiven(schema, prefilled(schema, { data, facts, subject, submissions }), answer)
}
