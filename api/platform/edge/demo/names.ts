import { v5 as uuid } from 'uuid'
import { dayInColombo } from '../../kernel/colombo.ts'
import type { JsonObject, JsonValue } from '../../kernel/db/database.generated.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** UUID namespace: ids are derived from names, so every installation has the same ones and a second run finds them. */
const NAMESPACE = '5c0f8a52-4a52-5b0e-9d0c-7d3a3c1e6a10'

/** The id of an initial or demo entry, by its register and its key there. */
export const itemId = (register: string, key: string): string => uuid(`${register}/${key}`, NAMESPACE)

export const accountId = (username: string): string => uuid(`account/${username}`, NAMESPACE)

/** The id of a picture for demo data. */
export const pictureId = (name: string): string => uuid(`picture/${name}`, NAMESPACE)

/** Id of an initial entry → that of the entry that stands in for it. */
export type StandIns = ReadonlyMap<string, string>

/** The register and the key in the name of an entry, `@<area>/<register>/<key>`; undefined if it is no such name. */
export function nameOf(value: string): { register: string; key: string } | undefined {
  const [, register, key] = /^@([a-z-]+\/[a-z-]+)\/(\S+)$/.exec(value) ?? []
  return register === undefined || key === undefined ? undefined : { register, key }
}

/** Replaces names by ids: `@<area>/<register>/<key>` is an entry, `file:<name>` a picture. */
export function named<T extends JsonValue | undefined>(value: T, standIns?: StandIns): T
export function named(value: JsonValue | undefined, standIns: StandIns = new Map()): JsonValue | undefined {
  if (typeof value === 'string') {
    if (value.startsWith('file:')) return pictureId(value.slice('file:'.length))
    const name = nameOf(value)
    if (!name) return value
    const id = itemId(name.register, name.key)
    return standIns.get(id) ?? id
  }
  if (Array.isArray(value)) return value.map((one) => named(one, standIns))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, standIns)]))
}

/** Demo data with the days and times that are meant: `+9d` is the day 9 days from now, `+9d 18:00` a moment in Colombo. */
export function dated(data: JsonObject): JsonObject {
  const moment = (value: JsonValue | undefined): JsonValue | undefined => {
    const [, days, time] = (typeof value === 'string' && /^([+-]\d+)d(?: (\d\d:\d\d))?$/.exec(value)) || []
    if (days === undefined) return value
    const day = dayInColombo(Date.now() + Number(days) * DAY_MS)
    return time === undefined ? day : `${day}T${time}:00+05:30`
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, moment(value)]))
}
