import { dayAway, dayInColombo } from '../../../api/platform/kernel/colombo.ts'

/** The day in Colombo that is `days` away from today, as `2026-05-14`: the product counts days there, not in UTC. */
export const day = (days: number): string => dayAway(dayInColombo(new Date()), days)
