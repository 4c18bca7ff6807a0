import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { dayInColombo } from '../../kernel/colombo.ts'

/** One entry of an iCalendar file. */
export interface CalendarEntry {
  /** Stays the same as long as the entry is about the same thing. */
  uid: string
  /** Grows with each change, so that programs recognise the newest. */
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
  /** Name of the calendar in the reader's program. */
  name: string
  entries: readonly CalendarEntry[]
  /** Only the reader is meant to see the entries. */
  confidential: boolean
  /** For mails (RFC 5546): the method, the sender and the recipient. */
  sent?: { method: 'PUBLISH' | 'CANCEL'; by: Mailbox; to: Mailbox }
}

interface Mailbox {
  name: string
  email: string
}

/** Refresh interval for programs, in seconds. */
const REFRESH_SECONDS = 3600

/**
 * Writes a calendar as iCalendar (RFC 5545), with all times in UTC. Equal entries give equal texts. Midnight to
 * midnight in Colombo becomes whole days.
 */
export function icsOf({ name, entries, confidential, sent }: NewCalendar): string {
  const calendar = ical({
    name,
    prodId: { company: 'Prakriya', product: 'Prakriya' },
    ...(sent ? { method: ICalCalendarMethod[sent.method] } : { ttl: REFRESH_SECONDS }),
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
      // A cancellation names the recipient as attendee; a publication must not.
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

/** A day as the library expects it: midnight UTC. */
const dayOf = (moment: Date) => new Date(`${dayInColombo(moment)}T00:00:00Z`)
