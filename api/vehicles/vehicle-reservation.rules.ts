import { sql } from 'kysely'
import type { FieldError } from '../platform/kernel/errors.ts'
import { known } from '../platform/kernel/known.ts'
import { DAY_MS, HOUR_MS } from '../platform/kernel/units.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { DeskInput, RuleInput, Rules, Unfit, UnfitInput } from '../platform/model/deployed/rules.ts'
import { findAccountOfEntry, getPerson } from '../platform/people/identity/accounts.ts'
import { findAnyItem, findItemWith } from '../platform/work/rows/items.ts'
import { getCaseRow } from '../platform/work/rows/cases.ts'
import { caseHasSlots } from '../platform/work/allocations/case-slots.ts'
import { tripsAround } from './free.ts'
import { driverErrors, firstDay, lastDay, vehicleUnfit } from './fitness.ts'
import {
  ASSIGNED,
  CHARTS,
  CREW,
  TRIPS,
  VEHICLES,
  isWithin,
  itemsInUse,
  papersOn,
  restMinutes,
  seatsLeft,
} from './trips.ts'

const HOURS_AHEAD = 2
const LONGEST_DAYS = 14
/** Hours before the planned begin of a trip from which its vehicle may have left. */
const HOURS_EARLY = 12
/** Kilometres that may lie between two readings of a meter. */
const MOST_KILOMETRES = 2000
/** Who keeps the chart of a driver without an account. */
const OFFICE: readonly string[] = ['Transport MA', 'Transport Head']
const rules: Rules = {
  unfit,
  check({ data, now, before }) {
    const { from, hours } = spanOf(data)
    const isAsked = before === undefined || before['from'] !== data['from']
    if (isAsked && from < now.getTime() + HOURS_AHEAD * HOUR_MS) return [{ field: '/from', code: 'vehicles.too-soon' }]
    if (hours * HOUR_MS > LONGEST_DAYS * DAY_MS)
      return [{ field: '/until', code: 'vehicles.too-long', values: { days: LONGEST_DAYS } }]
    return []
  },
  async derive(input) {
    const { data } = input
    const { hours } = spanOf(data)
    return {
      facts: {
        special: data['outside'] === 'yes' || hours > 24,
        restMinutes: restMinutes(hours),
      },
      variables: { tripBegins: String(data['from']), headAsks: await isHead(input) },
    }
  },
  answers: {
    'vehicles/transport-recommendation': { check: isSpecialAsSuch },
    'vehicles/waiting-recommendation': { check: isSpecialAsSuch },
    'vehicles/assignment': {
      check(input) {
        if (input.data['outcome'] === 'join') return mayJoin(input)
        return input.data['outcome'] === 'assign' ? assignmentErrors({ ...input, trip: input.current }) : []
      },
    },
    'vehicles/replacement': {
      check(input) {
        return input.data['outcome'] === 'replace' ? replacementErrors(input) : []
      },
    },
    'vehicles/running-chart': { check: chartErrors },
  },
  acts: {
    reassign: { check: replacementErrors },
  },
}

export default rules

type Data = RuleInput['data']

/** Whether the requester is the head of the cost centre, who would recommend the own request. */
async function isHead({ trx, items, requester }: RuleInput): Promise<boolean> {
  const { department, division, faculty } = known(items.get('/cost_centre'), 'the cost centre').data
  const { grants } = await getPerson(trx, requester.id)
  return grants.some(
    ({ role, scopeId }) =>
      (role === 'HOD' && scopeId === department) ||
      (role === 'Division Head' && scopeId === division) ||
      (role === 'Dean' && scopeId === faculty),
  )
}

function spanOf(data: Data): { from: number; hours: number } {
  const [from, until] = [Date.parse(String(data['from'])), Date.parse(String(data['until']))]
  return { from, hours: (until - from) / HOUR_MS }
}

function isSpecialAsSuch({ data, facts }: DeskInput): FieldError[] {
  return data['outcome'] === 'recommend' && facts['special'] === true
    ? [{ field: '/outcome', code: 'vehicles.needs-special' }]
    : []
}

type Assignment = Pick<DeskInput, 'trx' | 'data'> & { trip: Data }

/** What is wrong with another vehicle, driver or helper for a trip that has some. */
async function replacementErrors({
  trx,
  data,
  caseId,
}: Pick<DeskInput, 'trx' | 'data' | 'caseId'>): Promise<FieldError[]> {
  // Another change is on the way, and one of both would leave what it has claimed behind.
  if (await caseHasSlots(trx, caseId, 'move')) return [{ field: '/vehicle', code: 'vehicles.trip-changes' }]
  const { data: trip } = known(await findTripLedBy(trx, caseId), 'the trip')
  const isSame = ASSIGNED.every((name) => (textAt(data, `/${name}`) ?? null) === (textAt(trip, `/${name}`) ?? null))
  if (isSame) return [{ field: '/vehicle', code: 'vehicles.nothing-changed' }]
  return assignmentErrors({ trx, data, trip })
}

/** What is wrong with a vehicle, driver and helper for a trip: its time and its passengers. */
async function assignmentErrors({ trx, data, trip }: Assignment): Promise<FieldError[]> {
  const vehicle = known(await findAnyItem(trx, String(data['vehicle'])), 'the vehicle')
  const driver = known(await findAnyItem(trx, String(data['driver'])), 'the driver')
  if (data['helper'] === data['driver']) return [{ field: '/helper', code: 'vehicles.same-person' }]
  return [...(await vehicleErrors(trx, vehicle, trip)), ...driverErrors(vehicle.data, driver.data, trip)]
}

async function vehicleErrors(
  trx: DeskInput['trx'],
  { id, data }: { id: string; data: Data },
  trip: Data,
): Promise<FieldError[]> {
  const why = vehicleUnfit({ id, data }, trip, await papersOn(trx, firstDay(trip), lastDay(trip)))
  return why ? [why] : []
}

/** What the transport head need not try: vehicles that cannot make the trip, and people who cannot drive it. */
async function unfit({ trx, form, caseId, current }: UnfitInput): Promise<Unfit[]> {
  const trip = form === 'vehicles/assignment' ? current : (await findTripLedBy(trx, caseId))?.data
  if (trip === undefined) return []
  const papers = await papersOn(trx, firstDay(trip), lastDay(trip))
  const vehicles = (await itemsInUse(trx, VEHICLES)).flatMap((one) => {
    const why = vehicleUnfit(one, trip, papers)
    return why ? [{ item: one.id, ...why }] : []
  })
  const drivers = (await itemsInUse(trx, CREW)).flatMap(({ id, data }) => {
    if (data['duty'] !== 'driver') return [{ item: id, field: '/driver', code: 'vehicles.not-a-driver' }]
    const valid = String(data['licence_until']) >= lastDay(trip)
    return valid ? [] : [{ item: id, field: '/driver', code: 'vehicles.driver-not-licensed' }]
  })
  return [...vehicles, ...drivers, ...(form === 'vehicles/assignment' ? await tripsToJoin(trx, trip) : [])]
}

/** Planned trips of the time: those that go the same way are offered, those without room cannot be joined. */
async function tripsToJoin(trx: DeskInput['trx'], data: Data): Promise<Unfit[]> {
  const asked = { from: String(data['from']), until: String(data['until']), to: String(data['to_place']) }
  return (await tripsAround(trx, asked)).flatMap(({ id: item, left, sameWay }): Unfit[] => {
    const field = '/trip'
    if (left < Number(data['passengers']))
      return [{ item, field, code: 'vehicles.too-few-seats', values: { seats: left } }]
    return sameWay ? [{ item, field, code: 'vehicles.same-way', values: { seats: left }, suits: true }] : []
  })
}

/** The trip that a reservation leads. */
async function findTripLedBy(trx: DeskInput['trx'], caseId: string) {
  const { reference } = await getCaseRow(trx, caseId)
  const trip = await findItemWith(trx, TRIPS, { field: 'case_reference', value: reference })
  return trip === undefined ? undefined : findAnyItem(trx, trip)
}

/** A planned trip whose time includes that of the reservation, in which there is room. */
async function mayJoin({ trx, data, current }: DeskInput): Promise<FieldError[]> {
  const trip = known(await findAnyItem(trx, String(data['trip'])), 'the trip to join')
  if (!isWithin(current, trip.data)) return [{ field: '/trip', code: 'vehicles.trip-at-another-time' }]
  if (trip.status !== 'Planned') return [{ field: '/trip', code: 'vehicles.trip-full' }]
  const seats = await seatsLeft(trx, trip)
  return seats < Number(current['passengers'])
    ? [{ field: '/trip', code: 'vehicles.too-few-seats', values: { seats } }]
    : []
}

/** The chart is that of the driver, or is entered by the office; the meter runs forwards, and not too far. */
async function chartErrors({ trx, caseId, data, current, now, by }: DeskInput): Promise<FieldError[]> {
  const { reference } = await getCaseRow(trx, caseId)
  // Another vehicle or driver is on the way, whose meter or chart it may be.
  if (await caseHasSlots(trx, caseId, 'move')) return [{ field: '/outcome', code: 'vehicles.trip-changes' }]
  const { data: trip } = known(await findTripLedBy(trx, caseId), 'the trip')
  const driver = known(await findAnyItem(trx, String(trip['driver'])), 'the driver').data
  const employee = textAt(driver, '/employee')
  const account = employee === undefined ? undefined : await findAccountOfEntry(trx, employee)
  const isOffice = (await getPerson(trx, by)).grants.some(({ role }) => OFFICE.includes(role))
  if (account !== by && !isOffice) return [{ field: '/outcome', code: 'vehicles.not-your-trip' }]
  const corrected = await findItemWith(trx, CHARTS, { field: 'case_reference', value: reference, status: 'Entered' })
  if (data['outcome'] !== 'made')
    return corrected === undefined ? [] : [{ field: '/outcome', code: 'vehicles.made-already' }]
  // The form of an earlier version does not ask this.
  const ahead = ['left_at', 'back_at'].find((name) => Date.parse(String(data[name])) > now.getTime())
  if (ahead) return [{ field: `/${ahead}`, code: 'platform.check-x-not-future' }]
  const begins = Date.parse(String(trip['from'])) - HOURS_EARLY * HOUR_MS
  const left = Date.parse(String(data['left_at']))
  if (left < begins || left > Date.parse(String(trip['until'])))
    return [
      {
        field: '/left_at',
        code: 'vehicles.left-at-another-time',
        values: { from: String(trip['from']), until: String(trip['until']), hours: HOURS_EARLY },
      },
    ]
  const [out, back] = [Number(data['meter_out']), Number(data['meter_in'])]
  if (back <= out) return [{ field: '/meter_in', code: 'vehicles.meter-not-forwards' }]
  const { before, after } = await metersAround(trx, String(trip['vehicle']), { data, corrected })
  if (before !== null && out < before)
    return [{ field: '/meter_out', code: 'vehicles.meter-below', values: { meter: before } }]
  if (after !== null && back > after)
    return [{ field: '/meter_in', code: 'vehicles.meter-above', values: { meter: after } }]
  // A long trip may be longer than what lies between two trips.
  const driven = Math.max(MOST_KILOMETRES, 2 * Number(current['kilometres'] ?? 0))
  if (back > out + driven)
    return [{ field: '/meter_in', code: 'vehicles.meter-too-far', values: { kilometres: driven } }]
  const isFar = corrected === undefined && before !== null && out > before + MOST_KILOMETRES
  return isFar ? [{ field: '/meter_out', code: 'vehicles.meter-too-far', values: { kilometres: MOST_KILOMETRES } }] : []
}

/**
 * Between which readings those of a chart lie: of the charts before and after it, however late it is entered. A new
 * chart without a later one begins at the meter of the vehicle or above.
 */
async function metersAround(
  trx: DeskInput['trx'],
  vehicle: string,
  { data, corrected }: { data: Data; corrected: string | undefined },
): Promise<{ before: number | null; after: number | null }> {
  const { rows } = await sql<{ before: number | null; after: number | null }>`
    select max((data ->> 'meter_in')::integer) filter (where (data ->> 'left_at')::timestamptz < w.at) as before,
      min((data ->> 'meter_out')::integer) filter (where (data ->> 'left_at')::timestamptz > w.at) as after
    from register_item cross join (select ${String(data['left_at'])}::timestamptz as at) w
    where register = ${CHARTS} and status = 'Entered' and data ->> 'vehicle' = ${vehicle}
      and id::text <> ${corrected ?? ''}`.execute(trx)
  const { before, after } = known(rows[0], 'the charts around')
  if (corrected !== undefined || after !== null) return { before, after }
  return { before: Number(known(await findAnyItem(trx, vehicle), 'the vehicle').data['meter']), after }
}
