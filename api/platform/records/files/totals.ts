import { type Transaction, sql } from 'kysely'
import { validate as isUuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { isObject } from '../../kernel/objects.ts'
import { type FieldSchema, leaves } from '../../model/definitions/register.ts'

/** The lists of a form whose files are together larger than their `x-max-total`, be they files or rows that hold one. */
export async function tooLargeTogether(
  trx: Transaction<DB>,
  { properties = {} }: FieldSchema,
  data: Readonly<Record<string, unknown>>,
): Promise<FieldError[]> {
  const wrong: FieldError[] = []
  for (const [name, field] of Object.entries(properties)) {
    const most = field['x-max-total']
    if (typeof most !== 'number') continue
    const files = leaves(field, data[name]).filter(({ schema }) => schema['x-widget'] === 'file')
    const ids = files.map(({ value }) => String(value)).filter((id) => isUuid(id))
    if (ids.length === 0) continue
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(size), 0)::float8 as bytes from file where id = any(${ids}::uuid[])`.execute(trx)
    const own = field['x-messages']
    const code = (isObject(own) && own['x-max-total']) || 'platform.files-too-large'
    if ((rows[0]?.bytes ?? 0) > most)
      wrong.push({ field: `/${name}`, code: String(code), values: { megabytes: most / 1_000_000 } })
  }
  return wrong
}
