import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'
import { claimSlot, holdSlot, reclaimSlot } from './slots.ts'
import { confirmSlots, dropMove, releaseHold, releaseSlots, takeMove } from './case-slots.ts'
import { findWholes, listBusy, listOccupied } from './occupancy.ts'

/** A span of time, its end excluded; ISO 8601 with an offset. */
export interface Span {
  from: string
  until: string
}

/** A slot of an item that somebody has: held for some minutes, claimed by a case, or final. */
export interface Allocation extends Span {
  id: string
  item: string
  state: 'hold' | 'claimed' | 'final'
  /** The account that has it; null for a guest's hold. */
  holder: string | null
  caseId: string | null
  expiresAt: string | null
  /** What was asked for; `from` and `until` are what is kept free for it. */
  booked: Span
}

/** A slot as somebody wants it, with what goes with it; the parts of the item are taken along by themselves. */
export interface WantedSlot {
  item: string
  booked: Span
  /** Minutes that stay free before it, and after it. */
  before?: number
  after?: number
  /** Countable items that are lent for it, each named once. */
  lent?: readonly { item: string; quantity: number }[]
  /** What is said when the item, a part of it, or a countable item is not to be had. */
  code?: string
  partCode?: string
  lentCode?: string
}

/** Who holds a slot: an account, or a guest's session. */
export type Holder = { holder: string; guest?: never } | { guest: string; holder?: never }

/** What stands in a span of an item: wholly taken, or so many of it lent. Rows of one owner have one `whose`. */
export interface Occupied extends Span {
  item: string
  exclusive: boolean
  quantity: number
  whose: string
}

/**
 * Slots of register items. Guarantees: no two live allocations of one item overlap, unless they are one case's, and of
 * no item more is lent at any moment than there is (the database forbids both too). Every write first locks its items
 * in id order, so unequal overlapping ranges wait instead of falling into a deadlock. Callers must not lock register
 * items themselves before they call, except in id order. Locks are `for no key update`: they exclude each other, yet let
 * foreign keys to the item be checked.
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
    busy: listBusy,
    occupied: listOccupied,
    wholes: findWholes,
  })
}
