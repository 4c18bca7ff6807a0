import type { JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import type {
  ActInput,
  DeskInput,
  RuleInput,
  RuleRequester,
  Rules,
  SlotPlan,
} from '../platform/model/deployed/rules.ts'
import { available, questionOf, withAlternatives } from './availability.ts'
import { type Booking, type Resource, lentTo, resourceIn } from './booking.ts'
import { bookingFacts } from './booking-facts.ts'
import { moneyChecks, moneyFactsIn } from './money.ts'
import { refusalOf } from './refusals.ts'
import { rupees } from '../platform/kernel/rupees.ts'
import { type TimeChange, priceOf, timeChange } from './time-change.ts'
import { wholesOf } from './wholes.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'

const code = (name: string) => `resource-reservation.${name}`

const rules: Rules = {
  /** The resource's own rules, as one sentence. The allocation rejects overlaps. */
  async check(input) {
    if (!input.items.has('/resource')) return [{ field: '/resource', code: code('resource-not-available') }]
    const asked = await questionOf(input)
    const refused = refusalOf(asked)
    if (!refused) return []
    const { alternatives: _, ...error } = await withAlternatives(refused, input, asked)
    return [error]
  },

  /** The cost, and the variables that route the case: who decides, how large and expensive it is, when it ends. */
  async derive({ data, items, requester, trx }) {
    const booking = checkedAs<Booking>(data)
    const wholes = (await wholesOf(trx, [booking.resource])).get(booking.resource)
    const { facts, variables } = bookingFacts(
      resourceIn(items).resource,
      booking,
      known(wholes, 'the wholes of the resource'),
    )
    const approvalNeeded = variables.approvalNeeded || isUnproved(booking, requester)
    const bookerKind = provedKind(variables.bookerKind, requester)
    return {
      facts: { ...facts },
      variables: { ...variables, approvalNeeded, bookerKind, bookerConfirmed: requester.confirmed },
    }
  },

  slots: ({ data, items }) => planOf(resourceIn(items).resource, checkedAs<Booking>(data)),

  available,

  answers: {
    ...moneyChecks,
    'resource-reservation/booking-approval': { check: stillAhead },
    'resource-reservation/change-decision': { check: newTimeStillAhead },
  },

  acts: {
    /** The same booking at another time. The deposit pays any additional cost, so that cannot exceed it. */
    move: {
      async check(input) {
        const booking = await moved(input)
        const asked = await questionOf(booking)
        const refused = refusalOf(asked)
        if (refused) {
          const { alternatives: _, ...error } = await withAlternatives(refused, input, asked)
          return [error]
        }
        const { difference } = changeOf(input, asked.resource)
        // What finance billed, which may differ from the resource's price.
        const deposit = moneyFactsIn(input.facts).invoice?.deposit ?? 0
        if (difference <= deposit) return []
        const values = { difference: rupees(difference), deposit: rupees(deposit) }
        return [{ field: '/until', code: code('move-costs-more'), values }]
      },

      async derive(input) {
        const { items } = await moved(input)
        const change = changeOf(input, resourceIn(items).resource)
        return { facts: { requestedTime: { ...change }, ...priceOf(change) }, variables: {} }
      },

      async slots(input) {
        const { data, items } = await moved(input)
        return planOf(resourceIn(items).resource, checkedAs<Booking>(data))
      },
    },
  },
}
export default rules

/** A booking whose start has passed cannot be approved; it can be rejected, or returned for another time. */
function stillAhead({ data, current, now }: DeskInput): FieldError[] {
  return hasBegun(current['from'], now) && data['outcome'] === 'approve'
    ? [{ field: '/outcome', code: code('begun-already') }]
    : []
}

/** A new time that has begun already cannot be granted; the booking keeps its time. */
function newTimeStillAhead({ data, facts, now }: DeskInput): FieldError[] {
  const { requestedTime } = moneyFactsIn(facts)
  return hasBegun(requestedTime?.from, now) && data['outcome'] === 'approve'
    ? [{ field: '/outcome', code: code('new-time-begun') }]
    : []
}

const hasBegun = (from: unknown, now: Date): boolean => Date.parse(String(from)) <= now.getTime()

/** Roles that come with an account automatically: they are no proof of membership. */
const unvouched = ['Temporary Employee', 'Temporary Student', 'Temporary Aptitude Student']

/**
 * Whether a person claims to belong to the university without a role that shows it, or to have belonged to it without
 * an entry that says so; guests can have neither.
 */
function isUnproved({ association_to_uni }: Booking, { roles, formerMember }: RuleRequester): boolean {
  if (association_to_uni === 'past') return !formerMember
  return association_to_uni === 'current' && roles.every((role) => unvouched.includes(role))
}

/** The shorter paths are for staff: claiming to be staff is not enough. */
function provedKind<Kind extends string>(said: Kind, { roles }: RuleRequester): Kind | 'student' | 'outsider' {
  if (said !== 'staff') return said
  const vouched = roles.filter((role) => !unvouched.includes(role))
  if (vouched.length === 0) return 'outsider'
  return vouched.every((role) => /student$/i.test(role)) ? 'student' : said
}

function planOf(resource: Resource, booking: Booking): SlotPlan {
  return {
    item: booking.resource,
    booked: { from: booking.from, until: booking.until },
    before: resource.buffer_before ?? 0,
    after: resource.buffer_after ?? 0,
    lent: lentTo(resource, booking),
    code: code('slot-taken'),
    partCode: code('part-taken'),
    lentCode: code('item-not-available'),
  }
}

/** The booking as it would be after the change of time. */
async function moved({ data, current, trx, ...input }: ActInput): Promise<RuleInput> {
  const row = await trx
    .selectFrom('register_item')
    .select(['status', 'data'])
    .where('id', '=', String(current['resource']))
    .executeTakeFirstOrThrow()
  const items = new Map([['/resource', { ...row, data: checkedAs<JsonObject>(row.data) }]])
  return { ...input, trx, items, data: { ...current, from: data['from'], until: data['until'] } }
}

function changeOf({ data, current, facts }: ActInput, resource: Resource): TimeChange {
  return timeChange(resource, checkedAs<Booking>(current), checkedAs<Booking>(data), moneyFactsIn(facts))
}
