import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'

/** A case and its reader, as far as they decide what is kept from the reader. */
interface Reading {
  manifest: Pick<Manifest, 'confidential'>
  row: { requester_id: string }
  person: { id: string }
}

/** The desks whose answers this reader does not see: the requester those that the flow keeps from them. */
export function confidentialDesks({ manifest, row, person }: Reading): ReadonlySet<string> {
  return new Set(row.requester_id === person.id ? manifest.confidential?.desks : [])
}

/** The row without the facts that the flow keeps from its reader. */
export function withoutConfidential<Row extends { requester_id: string; facts: JsonObject }>(
  row: Row,
  { manifest, person }: Omit<Reading, 'row'>,
): Row {
  const hidden = row.requester_id === person.id ? (manifest.confidential?.facts ?? []) : []
  if (hidden.length === 0) return row
  const facts = Object.fromEntries(Object.entries(row.facts).filter(([name]) => !hidden.includes(name)))
  return { ...row, facts }
}
