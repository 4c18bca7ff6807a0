import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import type { FindItem } from '../../model/definitions/named.ts'
import { findAnyItem } from '../rows/items.ts'
import { closingOfQuestion, outsiderOf } from './asking.ts'

/** Why nobody could answer the questions of a new case: no address, or the last day is over. */
export async function unanswerable(
  { asks = {} }: Pick<Manifest, 'asks'>,
  data: JsonObject,
  { find, now }: { find: FindItem; now: Date },
): Promise<FieldError[]> {
  const found = await Promise.all(
    Object.values(asks).map(async (question): Promise<FieldError[]> => {
      const closesAt = await closingOfQuestion(question, data, find)
      if (!closesAt || closesAt <= now) return [{ field: fieldOf(question.until), code: 'platform.answer-day-over' }]
      const to = await outsiderOf(question, data, find)
      return to ? [] : [{ field: fieldOf(question.to.email), code: 'platform.answer-no-address' }]
    }),
  )
  return found.flat()
}

export async function refuseUnanswerable(
  db: Kysely<DB>,
  manifest: Pick<Manifest, 'asks'>,
  data: JsonObject,
  now: Date,
): Promise<void> {
  const wrong = await unanswerable(manifest, data, { find: (id) => findAnyItem(db, id), now })
  if (wrong.length > 0) throw new BusinessError('platform.form-invalid', {}, wrong)
}

/** The field of the start form that a lookup begins with. */
const fieldOf = (lookup: string) => lookup.split('#')[0] ?? ''
