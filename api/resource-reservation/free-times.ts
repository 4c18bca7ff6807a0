import type { Occupied, Span } from '../platform/work/allocations/allocations.ts'
import { kept } from '../platform/work/allocations/allocation-row.ts'
import { type Question, refusalOf } from './refusals.ts'
import { DAY_MS } from '../platform/kernel/units.ts'

/** A resource, for checks of its time. */
export interface Room {
  id: string
  title: string
  /** The resource and its parts. */
  items: readonly string[]
  /** Lent entries: how many are requested, and how many exist. */
  lent: readonly { item: string; title: string; quantity: number; there: number }[]
}

/** What conflicts with a span. */
export type Clash =
  | { kind: 'taken' }
  | { kind: 'part'; item: string }
  | { kind: 'lent'; title: string; available: number }

const STEP_MS = 30 * 60_000
/** How far alternative times may be from the requested one, in days. */
export const reach = { back: 7, ahead: 21 }

/** What conflicts with a span including its buffers. */
export function clashOf(room: Room, span: Span, occupied: readonly Occupied[]): Clash | undefined {
  const [from, until] = [Date.parse(span.from), Date.parse(span.until)]
  const near = occupied.filter((one) => Date.parse(one.from) < until && from < Date.parse(one.until))
  const taken = near.filter((one) => one.exclusive && room.items.includes(one.item))
  if (taken.some((one) => one.item === room.id)) return { kind: 'taken' }
  if (taken[0]) return { kind: 'part', item: taken[0].item }
  for (const { item, title, quantity, there } of room.lent) {
    const available = Math.max(0, there - mostLent(near.filter((one) => !one.exclusive && one.item === item)))
    if (quantity > available) return { kind: 'lent', title, available }
  }
  return undefined
}

/** The largest quantity lent at any moment; it only grows at the start of an allocation. */
function mostLent(lent: readonly Occupied[]): number {
  const at = (moment: string) =>
    lent.filter((one) => one.from <= moment && moment < one.until).reduce((sum, one) => sum + one.quantity, 0)
  return Math.max(0, ...lent.map((one) => at(one.from)))
}

/** The nearest free times of the same length that the resource permits, without overlaps; nearest first. */
export function nearestFree(question: Question, room: Room, occupied: readonly Occupied[], most: number): Span[] {
  const { booking, resource } = question
  const [begins, ends] = [Date.parse(booking.from), Date.parse(booking.until)]
  if (!(begins < ends)) return []
  const found: { from: number; until: number }[] = []
  for (let step = 1; found.length < most && step * STEP_MS <= reach.ahead * DAY_MS; step += 1) {
    for (const shift of [step * STEP_MS, -step * STEP_MS]) {
      if (found.length === most || -shift > reach.back * DAY_MS) continue
      const [from, until] = [begins + shift, ends + shift]
      if (found.some((one) => one.from < until && from < one.until)) continue
      const span = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      if (refusalOf({ ...question, booking: { ...booking, ...span }, noticeGiven: false })) continue
      const { buffer_before: before = 0, buffer_after: after = 0 } = resource
      if (!clashOf(room, kept({ booked: span, before, after }), occupied)) found.push({ from, until })
    }
  }
  return found.map(({ from, until }) => ({ from: new Date(from).toISOString(), until: new Date(until).toISOString() }))
}
