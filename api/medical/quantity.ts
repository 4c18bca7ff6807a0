/** A dose as the doctor writes it. */
export interface Dose {
  /** `1/2`, `1`, `2`… */
  dose: string
  timesADay: number
  /** Given once, whatever the days: `stat`. */
  once: boolean
  days: number
}

/** The units of a dose: dose × times a day × days, rounded up to whole units; of one given once, the dose. */
export function unitsOf({ dose, timesADay, once, days }: Dose): number {
  const [above = 0, below = 1] = dose.split('/').map(Number)
  // Whole numbers until the last step: 1/2 × 0.5 × 3 is exactly 3/4.
  return Math.ceil((above * (once ? 1 : timesADay * days)) / below)
}
