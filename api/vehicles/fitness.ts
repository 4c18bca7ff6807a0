import { dayInColombo } from '../platform/kernel/colombo.ts'
import type { JsonObject } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import type { Papers } from './trips.ts'

/** The classes of a driving licence that cover a kind of vehicle. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  car: ['B', 'C', 'D'],
  van: ['B', 'C', 'D'],
  pickup: ['B', 'C', 'D'],
  lorry: ['C', 'D'],
  bus: ['D'],
  'three-wheeler': ['B1'],
}

/** The first day of a trip in Colombo. */
export const firstDay = (trip: JsonObject) => dayInColombo(Date.parse(String(trip['from'])))

/** The last day of a trip in Colombo. */
export const lastDay = (trip: JsonObject) => dayInColombo(Date.parse(String(trip['until'])))

/** Why a vehicle cannot make a trip; undefined if it can. */
export function vehicleUnfit(
  { id, data }: { id: string; data: JsonObject },
  trip: JsonObject,
  { licensed, hireOver }: Papers,
): FieldError | undefined {
  const seats = Number(data['seats'])
  if (seats < Number(trip['passengers']))
    return { field: '/vehicle', code: 'vehicles.too-few-seats', values: { seats } }
  const hiredUntil = textAt(data, '/hired_until')
  if (hiredUntil !== undefined && hiredUntil < lastDay(trip)) return { field: '/vehicle', code: 'vehicles.hire-over' }
  if (hireOver.has(id)) return { field: '/vehicle', code: 'vehicles.agreement-over' }
  return licensed.has(id) ? undefined : { field: '/vehicle', code: 'vehicles.not-licensed' }
}

/** Why somebody cannot drive a vehicle on a trip; empty if they can. */
export function driverErrors(vehicle: JsonObject, driver: JsonObject, trip: JsonObject): FieldError[] {
  if (driver['duty'] !== 'driver') return [{ field: '/driver', code: 'vehicles.not-a-driver' }]
  const covers = CLASSES[String(vehicle['kind'])]?.includes(String(driver['licence_class'])) ?? false
  const valid = String(driver['licence_until']) >= lastDay(trip)
  return covers && valid ? [] : [{ field: '/driver', code: 'vehicles.driver-not-licensed' }]
}
