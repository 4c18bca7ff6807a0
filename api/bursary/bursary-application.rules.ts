import { sql } from 'kysely'
import { isObject } from '../platform/kernel/objects.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'

const rules: Rules = {
  async check({ data, trx }) {
    const documents: readonly unknown[] = Array.isArray(data['documents']) ? data['documents'] : []
    const given = documents.flatMap((one) => (isObject(one) ? [String(one['document'])] : []))
    const missing = await trx
      .selectFrom('register_item')
      .select('title')
      .where('register', '=', 'bursary/document')
      .where('status', '=', 'Active')
      .where(sql`data ->> 'required'`, '=', 'true')
      .where(sql<boolean>`id::text <> all(${given}::text[])`)
      .orderBy('title')
      .execute()
    const names = missing.map(({ title }) => title).join(', ')
    return names === '' ? [] : [{ field: '/documents', code: 'bursary.document-missing', values: { names } }]
  },
}

export default rules
