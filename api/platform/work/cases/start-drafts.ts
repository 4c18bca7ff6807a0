import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { type Person, admitsToStart } from '../../people/persons/person.ts'
import { textAt } from '../../model/definitions/register.ts'
import { noteBegun } from '../rows/begun-forms.ts'
import { findAnyItem } from '../rows/items.ts'
import { openFieldOf } from './requester.ts'

/** A start form as far as a person has filled it in. */
export interface StartDraft {
  data: JsonObject
  savedAt: string
}

/**
 * Unsent start forms, one per person and flow; only their writer reads them. A draft is deleted when the form is sent,
 * on request, or after three months without a change. It is not returned once its form has changed. The last save wins.
 */
export function startDrafts({ db, definitions }: { db: Kysely<DB>; definitions: Definitions }) {
  /** The hash of the form with which a person may begin the flow; undefined if they may not. */
  async function formOf(person: Person, flow: string): Promise<string | undefined> {
    const { manifest, forms } = await definitions.latest(flow)
    const { startedBy, onBehalf } = manifest
    const may = admitsToStart(person, { startedBy: [...startedBy, ...(onBehalf?.from ? onBehalf.by : [])] })
    return may === undefined ? undefined : forms[manifest.start]
  }

  /** Where a flow lets people finish after closing: has them begin with the entry that their draft names. */
  async function noteNamed(person: Person, flow: string, data: unknown): Promise<void> {
    const { manifest } = await definitions.latest(flow)
    const field = openFieldOf(manifest)
    const named = field === undefined || !manifest.open?.finish ? undefined : textAt(data, field)
    const item = named === undefined ? undefined : await findAnyItem(db, named)
    if (item) await noteBegun(db, { flow, item: item.id }, person.id)
  }

  return {
    async find(person: Person, flow: string): Promise<StartDraft | null> {
      const form = await formOf(person, flow)
      if (form === undefined) return null
      const row = await db
        .selectFrom('start_draft')
        .select(['data', 'saved_at'])
        .where('account_id', '=', person.id)
        .where('flow', '=', flow)
        .where('form_hash', '=', form)
        .executeTakeFirst()
      return row ? { data: row.data, savedAt: row.saved_at.toISOString() } : null
    },

    async save(person: Person, flow: string, data: unknown): Promise<{ savedAt: string }> {
      const form = await formOf(person, flow)
      if (form === undefined) throw new BusinessError('platform.not-allowed')
      await noteNamed(person, flow, data)
      const written = { form_hash: form, data: JSON.stringify(data) }
      const { saved_at } = await db
        .insertInto('start_draft')
        .values({ account_id: person.id, flow, ...written })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'flow']).doUpdateSet({ ...written, saved_at: sql<Date>`clock_timestamp()` }),
        )
        .returning('saved_at')
        .executeTakeFirstOrThrow()
      return { savedAt: saved_at.toISOString() }
    },

    async discard(person: Person, flow: string): Promise<void> {
      await dropStartDraft(db, person.id, flow)
    },
  }
}

export async function dropStartDraft(on: Kysely<DB> | Transaction<DB>, account: string, flow: string): Promise<void> {
  await on.deleteFrom('start_draft').where('account_id', '=', account).where('flow', '=', flow).execute()
}
