import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { oneOf } from '../../kernel/one-of.ts'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { refuse } from '../../work/cases/sent.ts'
import { wordsOf } from '../../model/library/words.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { Language } from '../../model/library/library.ts'
import { effectiveAnswers } from '../../../../forms/platform/answers.ts'
import { checkForm } from '../../model/forms/check.ts'
import type { Person } from '../../people/persons/person.ts'
import { readable } from '../../model/library/readable.ts'
import type { TaskRow } from '../../work/rows/tasks.ts'
import {
  type BulkDependencies,
  type BulkRequest,
  answerOf,
  previewTasks,
  mayKnowAll,
  commonForm,
  outcomesOf,
} from './look.ts'
import { type BulkKind, type BulkPayload, type BulkRow, bulkRepository, delayOf } from '../../work/rows/bulk.ts'

/** The tasks that an act would succeed for. */
export interface BulkPreview {
  doable: string[]
  refused: { task: string; reference: string | null; title: string | null; code: string; message: string }[]
  /** The form of the tasks that can be decided; null if no form is needed or none can be. */
  form: FrozenForm | null
  outcomes: { value: string; title: string }[]
}

/** The progress of a bulk action. */
export interface BulkAction {
  id: string
  kind: BulkKind
  /** The outcome, in words; null if nothing is decided. */
  outcome: string | null
  state: BulkRow['state']
  createdAt: string
  endedAt: string | null
  /** Until then some of the decisions can be taken back; null if none can. */
  undoUntil: string | null
  total: number
  done: number
  refused: number
  stopped: number
}

/** With the result for each task. */
export interface BulkActionView extends BulkAction {
  items: { task: string; reference: string; title: string; state: ItemState; message: string | null }[]
}

const itemStates = ['waiting', 'done', 'refused', 'stopped'] as const
type ItemState = (typeof itemStates)[number]

/* Bulk actions: preview, start, progress and stop; `work.ts` performs them. */

export async function previewBulk(
  dependencies: BulkDependencies,
  person: Person,
  request: BulkRequest,
  language?: Language,
): Promise<BulkPreview> {
  const { library } = dependencies
  checkReceiver(request)
  const { looks, form } = await previewTasks(dependencies, person, request)
  const words = wordsOf(library, language)
  const refused = looks.flatMap(({ id, task, reason }) => (reason ? [{ id, task, reason }] : []))
  return {
    doable: looks.filter(({ reason }) => !reason).map(({ id }) => id),
    refused: await Promise.all(
      refused.map(async ({ id, task, reason }) => ({
        task: id,
        reference: task?.reference ?? null,
        title: task ? await titleOf(dependencies, task, language) : null,
        code: reason.code,
        message: messageOf(dependencies, reason, language),
      })),
    ),
    form: form ?? null,
    outcomes: form
      ? outcomesOf(form).map((value) => ({ value, title: words.choice(form.schema, 'outcome', value) }))
      : [],
  }
}

async function titleOf(
  { definitions, library }: BulkDependencies,
  { process_definition_id, subject }: Pick<TaskRow, 'process_definition_id' | 'subject'>,
  language?: Language,
): Promise<string> {
  const { manifest } = await definitions.get(process_definition_id)
  return wordsOf(library, language).caseTitle(manifest, subject)
}

/** A refusal in words, with those of its fields. */
function messageOf(
  { library }: BulkDependencies,
  { code, values, fields }: Pick<BusinessError, 'code' | 'values' | 'fields'>,
  language?: Language,
): string {
  const text = (key: string, of: BusinessError['values'] = {}) => library.text(key, readable(of, language), language)
  return [...new Set([text(code, values), ...fields.map((field) => text(field.code, field.values))])].join(': ')
}

/** Starts an action; its job performs it. */
export async function startBulk(dependencies: BulkDependencies, person: Person, request: BulkRequest): Promise<string> {
  const { tasks, db } = dependencies
  const { kind, tasks: ids } = request
  checkReceiver(request)
  const seen = new Set(await tasks.visible(person, ids))
  const others = ids.filter((id) => !seen.has(id))
  const forms = await bulkRepository(db).listForms(ids)
  if (forms.length < ids.length || !(await mayKnowAll(dependencies, person, request, others)))
    throw new BusinessError('platform.not-found')
  const payload = await payloadOf(dependencies, request, forms)
  const id = uuid()
  await db.transaction().execute(async (trx) => {
    const bulk = bulkRepository(trx)
    if (await bulk.isRunning(person.id)) throw new BusinessError('platform.bulk-running')
    await bulk.create(id, { accountId: person.id, kind, payload }, ids)
    await bulk.schedule(id)
    await note(trx, person.id, id, 'bulk.started', { kind, total: ids.length })
  })
  await tell(dependencies, person.id)
  return id
}

/** The payload of each act, after the checks that are the same for all tasks. */
async function payloadOf(
  { definitions, tasks }: BulkDependencies,
  request: BulkRequest,
  forms: readonly { form_hash: string | null }[],
): Promise<BulkPayload> {
  const { kind, to, notBefore } = request
  if (kind === 'assign') return { to: known(to, 'who gets the tasks of a bulk action') }
  if (kind !== 'complete') return {}
  const hashes = forms.flatMap(({ form_hash }) => form_hash ?? [])
  const form = commonForm(await Promise.all(hashes.map(async (hash) => ({ form: await definitions.form(hash) }))))
  if (!form) throw new BusinessError('platform.task-without-form')
  const data = effectiveAnswers(form.schema, answerOf(request))
  refuse(checkForm(form.schema, data))
  tasks.checkDelay(notBefore)
  return { data, form: form.hash, ...(notBefore !== undefined && { notBefore }) }
}

export async function readBulk(
  dependencies: BulkDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<BulkActionView> {
  const { db } = dependencies
  const bulk = bulkRepository(db)
  const row = await bulk.find(id, person.id)
  if (!row) throw new BusinessError('platform.not-found')
  const items = await bulk.listItems(id)
  return {
    ...(await actionView(dependencies, row, language)),
    items: await Promise.all(
      items.map(async (one) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `settle` writes them, from a business error
        const why = one.values as { values?: BusinessError['values']; fields?: FieldError[] }
        const { values = {}, fields = [] } = why
        return {
          task: one.task_id,
          reference: one.reference,
          title: await titleOf(dependencies, one, language),
          state: oneOf(itemStates, one.state),
          message: one.code === null ? null : messageOf(dependencies, { code: one.code, values, fields }, language),
        }
      }),
    ),
  }
}

/** Stops the tasks that still wait; finished ones stay as they are. */
export async function stopBulk(
  dependencies: BulkDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<BulkActionView> {
  const { db } = dependencies
  if (!(await bulkRepository(db).find(id, person.id))) throw new BusinessError('platform.not-found')
  await db.transaction().execute(async (trx) => {
    if (await bulkRepository(trx).stop(id)) await note(trx, person.id, id, 'bulk.stopped')
  })
  await tell(dependencies, person.id)
  return readBulk(dependencies, person, id, language)
}

/** Takes back the decisions that have not been sent, and stops the tasks that still wait. */
export async function undoBulk(
  dependencies: BulkDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<BulkActionView> {
  const { tasks } = dependencies
  const { items } = await stopBulk(dependencies, person, id, language)
  const done = items.filter(({ state }) => state === 'done').map(({ task }) => task)
  const undone = await tasks.undoAll(person, done)
  if (done.length > 0 && undone === 0) throw new BusinessError('platform.too-late-to-undo')
  await tell(dependencies, person.id)
  return readBulk(dependencies, person, id, language)
}

async function actionView(
  { library, definitions }: BulkDependencies,
  { created_at, ended_at, payload, ...row }: BulkRow,
  language?: Language,
): Promise<BulkAction> {
  const { form, data } = payload
  const held = row.done > 0 ? delayOf({ payload, createdAt: created_at }) : undefined
  const undoUntil = held === undefined ? null : new Date((ended_at ?? new Date()).getTime() + held)
  const outcome =
    form === undefined
      ? null
      : wordsOf(library, language).choice((await definitions.form(form)).schema, 'outcome', String(data?.['outcome']))
  return {
    ...row,
    outcome,
    createdAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
    undoUntil: undoUntil?.toISOString() ?? null,
  }
}

async function note(
  trx: Transaction<DB>,
  actor: string,
  id: string,
  action: string,
  payload: JsonObject = {},
): Promise<void> {
  await audit(trx).record({ actor, action, object: `bulk:${id}`, payload })
}

/** Only the person who began it sees its progress. */
async function tell({ db }: BulkDependencies, accountId: string): Promise<void> {
  await announce(db, { principals: [`user:${accountId}`], cases: [], tasks: [] })
}

export async function listBulk(
  dependencies: BulkDependencies,
  person: Person,
  language?: Language,
): Promise<BulkAction[]> {
  const { db } = dependencies
  const rows = await bulkRepository(db).list(person.id)
  return Promise.all(rows.map((row) => actionView(dependencies, row, language)))
}

function checkReceiver({ kind, to }: BulkRequest): void {
  if (kind === 'assign' && to === undefined) refuse([{ field: '/to', code: 'platform.field-required' }])
}
