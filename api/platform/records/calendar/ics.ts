import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { dayInColombo } from '../../kernel/colombo.ts'

/** One entry of a calendar that programs of people read. */
export interface CalendarEntry {
  /** The same as long as it is about the same thing, whatever changes of it. */
  uid: string
  /** Grows with each change, so that programs know the newer of two. */
  sequence: number
  changedAt: Date
  from: Date
  /** Excluded. */
  until: Date
  summary: string
  description?: string
  place?: string
  link?: string
  state: 'tentative' | 'confirmed' | 'cancelled'
}

export interface NewCalendar {
  /** How the reader's program calls it. */
  name: string
  entries: readonly CalendarEntry[]
  /** Nobody but its reader is meant to see the entries. */
  confidential: boolean
  /** For what is sent by mail (RFC 5546): what the receiver's program is to do, who says so, and to whom. */
  sent?: { method: 'PUBLISH' | 'CANCEL'; by: Mailbox; to: Mailbox }
}

interface Mailbox {
  name: string
  email: string
}

/** How long programs may wait before they look again, in seconds. */
const LOOK_AGAIN = 3600

/**
 * Writes a calendar as iCalendar (RFC 5545), all times in UTC. The same entries always give the same text. What lasts
 * from midnight to midnight in Colombo is written as whole days.
 */
export function icsOf({ name, entries, confidential, sent }: NewCalendar): string {
  const calendar = ical({
    name,
    prodId: { company: 'Prakriya', product: 'Prakriya' },
    ...(sent ? { method: ICalCalendarMethod[sent.method] } : { ttl: LOOK_AGAIN }),
  })
  for (const { uid, sequence, changedAt, from, until, summary, description, place, link, state } of entries) {
    const whole = isMidnight(from) && isMidnight(until)
    calendar.createEvent({
      id: uid,
      sequence,
      stamp: changedAt,
      lastModified: changedAt,
      start: whole ? dayOf(from) : from,
      end: whole ? dayOf(until) : until,
      allDay: whole,
      summary,
      description: description ?? null,
      location: place ?? null,
      url: link ?? null,
      status: statuses[state],
      class: confidential ? ICalEventClass.PRIVATE : ICalEventClass.PUBLIC,
      transparency: state === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      organizer: sent?.by ?? null,
      // Who is told that something is off is named; who is merely told of it must not be.
      attendees: sent?.method === 'CANCEL' ? [sent.to] : [],
    })
  }
  return calendar.toString()
}

const statuses = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
}

const isMidnight = (moment: Date) => Date.parse(`${dayInColombo(moment)}T00:00:00+05:30`) === moment.getTime()

/** A day as the writer wants it: midnight of UTC. */
const dayOf = (moment: Date) => new Date(`${dayInColombo(moment)}T00:00:00Z`)
