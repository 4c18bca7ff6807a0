import { sql } from 'kysely'
import type { Allocation, Span, WantedSlot } from './allocations.ts'
import { MINUTE_MS } from '../../kernel/units.ts'

export interface AllocationRow {
  id: string
  item_id: string
  state: Allocation['state']
  holder_id: string | null
  case_id: string | null
  expires_at: Date | null
  starts: Date
  ends: Date
  begins: Date
  finishes: Date
}

export function allocation(row: AllocationRow): Allocation {
  return {
    id: row.id,
    item: row.item_id,
    state: row.state,
    holder: row.holder_id,
    caseId: row.case_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    from: row.starts.toISOString(),
    until: row.ends.toISOString(),
    booked: { from: row.begins.toISOString(), until: row.finishes.toISOString() },
  }
}

/** The time that is kept free for a slot: the requested span plus the minutes before and after it. */
export function kept({ booked, before = 0, after = 0 }: Pick<WantedSlot, 'booked' | 'before' | 'after'>): Span {
  return {
    from: new Date(Date.parse(booked.from) - before * MINUTE_MS).toISOString(),
    until: new Date(Date.parse(booked.until) + after * MINUTE_MS).toISOString(),
  }
}

/** A span as a PostgreSQL range that excludes its end. */
export function range({ from, until }: Span) {
  return sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`
}
