import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'
import { claimSlot, holdSlot, reclaimSlot } from './slots.ts'
import { confirmSlots, dropMove, releaseHold, releaseSlots, takeMove } from './case-slots.ts'
import { noteRest } from './rests.ts'
import { findWholes, listBusy, listOccupied } from './occupancy.ts'

/** A time span that excludes its end; ISO 8601 with an offset. */
export interface Span {
  from: string
  until: string
}

/** An allocation of an entry: held for some minutes, claimed by a case, or final. */
export interface Allocation extends Span {
  id: string
  item: string
  state: 'hold' | 'claimed' | 'final'
  /** The account that has it; null for a guest's hold. */
  holder: string | null
  caseId: string | null
  expiresAt: string | null
  /** The requested span; `from` and `until` are what is kept free for it. */
  booked: Span
}

/** A requested slot. The parts of the entry are allocated with it automatically. */
export interface WantedSlot {
  item: string
  booked: Span
  /** Minutes to keep free before and after it. */
  before?: number
  after?: number
  /** Countable entries lent with it; each appears once. */
  lent?: readonly { item: string; quantity: number }[]
  /** The most hours of a day for which an entry is out that other cases have too on that day. */
  mostADay?: number
  /** Error code if the entry, a part of it, or a countable entry is not available. */
  code?: string
  partCode?: string
  lentCode?: string
}

/** Who holds a slot: an account, or a guest's session. */
export type Holder = { holder: string; guest?: never } | { guest: string; holder?: never }

/** What occupies an entry in a span: all of it, or the quantity that is lent. Rows of one owner share one `whose`. */
export interface Occupied extends Span {
  item: string
  exclusive: boolean
  quantity: number
  whose: string
}

/**
 * Allocations of register entries. Guarantees: no two live allocations of one entry overlap, unless they belong to one
 * case, no more of an entry is lent at any moment than exists, and nobody is claimed who rests, or for more hours of a
 * day than a flow allows (the database enforces each too). Every write first
 * locks its entries in id order, so overlapping writes wait instead of deadlocking. Callers must not lock register
 * entries before they call, except in id order. Locks are `for no key update`: they exclude each other but do not block
 * foreign-key checks.
 */
export function allocations(trx: Transaction<DB>) {
  return bound(trx, {
    hold: holdSlot,
    claim: claimSlot,
    reclaim: reclaimSlot,
    confirm: confirmSlots,
    release: releaseSlots,
    takeMove,
    dropMove,
    releaseHold,
    rest: noteRest,
    busy: listBusy,
    occupied: listOccupied,
    wholes: findWholes,
  })
}
