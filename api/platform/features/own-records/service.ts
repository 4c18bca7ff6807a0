import type { Kysely } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'
import type { OwnRecordDefinition } from '../../model/definitions/own-record.ts'
import { checkForm } from '../../model/forms/check.ts'
import { prefilled } from '../../model/forms/prefill.ts'
import type { Form, Library } from '../../model/library/library.ts'
import { findOwnEntry } from '../../people/identity/accounts.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import { dropUnused } from '../../records/files/files.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import { tooLargeTogether } from '../../records/files/totals.ts'
import { filesOf } from '../../work/cases/routing.ts'
import { checkedAnswers, itemsNamed, refuse, refuseItems } from '../../work/cases/sent.ts'
import {
  type OwnStep,
  type OwnStepRow,
  dropOwnDraft,
  listOwnSteps,
  saveOwnStep,
  setOwnStepFiles,
} from '../../work/rows/own-records.ts'

/** `to-correct`: it was complete, but is not by the rules of today. */
export type StepState = 'open' | 'done' | 'to-correct'

/** A step of somebody's own record, as they see it. */
export interface StepView {
  name: string
  /** Text key. */
  title: string
  optional: boolean
  state: StepState
  form: Form
  /** What the form holds at first, before anything was typed. */
  initial: JsonObject
  /** As last saved as complete. */
  data: JsonObject | null
  /** What was typed since. */
  draft: JsonObject | null
  version: number | null
  savedAt: string | null
}

/** What is sent of a step: `complete` makes it count, otherwise it is a draft. */
export interface StepSent {
  data: unknown
  version?: number | undefined
  complete: boolean
}

/*
 * Records that people fill in over many sittings. Only their owner reads and changes them; applications hold a copy.
 */

/** The record of the person, which they may have. */
function definitionOf(library: Library, person: Person, record: string): OwnRecordDefinition {
  const definition = library.ownRecords.get(record)
  if (!definition || admits(person, definition.of) === undefined) throw new BusinessError('platform.not-found')
  return definition
}

function formOf(library: Library, { steps }: OwnRecordDefinition, step: string): Form {
  const found = steps.find(({ name }) => name === step)
  if (!found) throw new BusinessError('platform.not-found')
  return known(library.forms.get(found.form), `the form ${found.form}`)
}

function stateOf(row: OwnStepRow | undefined, { schema }: Form): StepState {
  if (!row?.data) return 'open'
  return checkForm(schema, row.data).length === 0 ? 'done' : 'to-correct'
}

/** The person's own record with its steps in order. */
export async function readOwnRecord(
  { db, library }: { db: Kysely<DB>; library: Library },
  person: Person,
  record: string,
): Promise<{ title: string; steps: StepView[] }> {
  const definition = definitionOf(library, person, record)
  const rows = new Map((await listOwnSteps(db, { accountId: person.id, record })).map((row) => [row.step, row]))
  const requester = (await findOwnEntry(db, person.id))?.data
  const steps = definition.steps.map(({ name, title, optional = false }) => {
    const form = formOf(library, definition, name)
    const row = rows.get(name)
    return {
      ...{ name, title, optional, form, state: stateOf(row, form) },
      initial: prefilled(form.schema, { data: {}, facts: {}, subject: {}, requester }),
      data: row?.data ?? null,
      draft: row?.draft ?? null,
      version: row?.version ?? null,
      savedAt: row?.saved_at.toISOString() ?? null,
    }
  })
  return { title: definition.title, steps }
}

/** Saves a step; throws if another device has saved a later version, and by field what is wrong with a complete one. */
export async function saveStep(
  { db, library, store }: { db: Kysely<DB>; library: Library; store: ObjectStore },
  person: Person,
  { record, step }: Omit<OwnStep, 'accountId'>,
  { data, version, complete }: StepSent,
): Promise<{ version: number; savedAt: string }> {
  const { schema } = formOf(library, definitionOf(library, person, record), step)
  const at = { accountId: person.id, record, step }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the route takes a JSON object
  const answers = complete ? checkedAnswers(schema, data) : (data as JsonObject)
  const replaced: string[] = []
  const saved = await db.transaction().execute(async (trx) => {
    if (complete) refuseItems(library, schema, answers, await itemsNamed(trx, schema, answers))
    const written = await saveOwnStep(trx, at, { data: answers, version, complete })
    if (!written) throw new BusinessError('platform.draft-changed')
    if (complete) {
      const files = await setOwnStepFiles(trx, at, filesOf(schema, answers))
      replaced.push(...files.replaced)
      refuse(files.foreign.map((field) => ({ field, code: 'platform.file-unknown' })))
      refuse(await tooLargeTogether(trx, schema, answers))
      await audit(trx).record({
        actor: person.id,
        action: 'own-record.saved',
        object: `account:${person.id}`,
        payload: { record, step },
      })
    }
    return { version: written.version, savedAt: written.saved_at.toISOString() }
  })
  // After the commit: a file that was deleted does not come back.
  await dropUnused({ db, store }, replaced)
  return saved
}

/** Drops what was typed in a step since it was last saved as complete. */
export async function discardStepDraft(
  { db, library }: { db: Kysely<DB>; library: Library },
  person: Person,
  { record, step }: Omit<OwnStep, 'accountId'>,
): Promise<void> {
  formOf(library, definitionOf(library, person, record), step)
  await dropOwnDraft(db, { accountId: person.id, record, step })
}
