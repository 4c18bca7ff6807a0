/** A National Identity Card's number: nine digits and X or V, or twelve digits. The format `nic` of forms is this rule. */
export const NIC = /^(?:[0-9]{9}[xXvV]|[0-9]{12})$/

/** Whether this is the number of an identity card. */
export const isNic = (typed: unknown): typed is string => typeof typed === 'string' && NIC.test(typed)

/** The number as the registers keep it: `991234567v` and `991234567V` are one person's. */
export const tidyNic = (nic: string): string => nic.trim().toUpperCase()

/** What a number says about the person who has it. */
export interface DecodedNic {
  /** YYYY-MM-DD. */
  bornOn: string
  sex: 'male' | 'female'
}

/** Women have their day of birth plus this. */
const DAYS_OF_WOMEN = 500

/**
 * The twelve digits of a number. The old form, nine digits and a letter, is of people born in the 20th century. The new one
 * has the whole year and a 0 before the serial number. Both name one person.
 */
export function longNic(nic: string): string {
  const tidy = tidyNic(nic)
  return tidy.length === 12 ? tidy : `19${tidy.slice(0, 5)}0${tidy.slice(5, 9)}`
}

/** The numbers that name the same person: the new one, and the old ones with either letter if it had one. */
export function allNicForms(nic: string): string[] {
  const long = longNic(nic)
  const old = long.startsWith('19') && long[7] === '0' ? `${long.slice(2, 7)}${long.slice(8)}` : undefined
  return old === undefined ? [long] : [long, `${old}V`, `${old}X`]
}

/**
 * The date of birth and the sex in a number; undefined if its day does not exist. The day of the year counts every year
 * as a leap year, so 1 March is always day 61.
 */
export function decodeNic(nic: string): DecodedNic | undefined {
  if (!isNic(nic.trim())) return undefined
  const digits = longNic(nic)
  const year = Number(digits.slice(0, 4))
  const counted = Number(digits.slice(4, 7))
  const sex = counted > DAYS_OF_WOMEN ? 'female' : 'male'
  const day = sex === 'female' ? counted - DAYS_OF_WOMEN : counted
  if (day < 1 || day > 366) return undefined
  // 2000 is a leap year.
  const inLeapYear = new Date(Date.UTC(2000, 0, day))
  const born = new Date(Date.UTC(year, inLeapYear.getUTCMonth(), inLeapYear.getUTCDate()))
  // Day 60 of a year without 29 February.
  if (born.getUTCMonth() !== inLeapYear.getUTCMonth()) return undefined
  return { bornOn: born.toISOString().slice(0, 10), sex }
}
