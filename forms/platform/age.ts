/** Nobody is older. */
const MAX_AGE = 130

/** The age in whole years, on a day, of who was born on another; undefined if that is no age. Days are YYYY-MM-DD. */
export function ageOn(day: string, bornOn: unknown): number | undefined {
  if (typeof bornOn !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(bornOn)) return undefined
  const years = Number(day.slice(0, 4)) - Number(bornOn.slice(0, 4))
  const age = day.slice(5) < bornOn.slice(5) ? years - 1 : years
  return age >= 0 && age <= MAX_AGE ? age : undefined
}
