/** An approved application without a room, with what its place in the order depends on. */
export interface Candidate {
  reference: string
  /** The student, who gets one bed whatever they have applied for. */
  student: string
  /** The place of its intake among those whose stays overlap: whose applications closed first. */
  list: number
  /** A disability or illness was accepted: only an accessible room will do. */
  special: boolean
  points: number
  km: number
  year: number
}

/** A free bed of a room for students of one sex. */
export interface Bed {
  hostel: string
  hostelCode: string
  room: string
  roomNumber: string
  floor: number
  bed: number
  accessible: boolean
  /** The only year of study that the room is for. */
  year: number | null
}

/**
 * The bed of each candidate who gets one, by reference. The lists of intakes whose stays overlap
 * come one after the other, and a student gets a bed from the first that has one. The order within one is that of the list: accepted disabilities first, then
 * points, then distance, then the reference. Because each candidate chooses before those behind them, the result of one
 * does not depend on whether others have been given theirs already.
 */
export function bedsInOrder(candidates: readonly Candidate[], free: readonly Bed[]): Map<string, Bed> {
  const left = new Set(free)
  const given = new Map<string, Bed>()
  const placed = new Set<string>()
  for (const candidate of candidates.toSorted(byRank)) {
    if (placed.has(candidate.student)) continue
    const bed = [...left].filter((one) => suits(one, candidate)).toSorted(byChoiceOf(candidate))[0]
    if (!bed) continue
    left.delete(bed)
    placed.add(candidate.student)
    given.set(candidate.reference, bed)
  }
  return given
}

const byRank = (a: Candidate, b: Candidate) =>
  a.list - b.list ||
  Number(b.special) - Number(a.special) ||
  b.points - a.points ||
  b.km - a.km ||
  compare(a.reference, b.reference)

/** Whether a room is for this student: accessible if they need it, and of their year if it is for one. */
export const suits = (
  bed: Pick<Bed, 'accessible' | 'year'>,
  { special, year }: Pick<Candidate, 'special' | 'year'>,
): boolean => (bed.accessible || !special) && (bed.year === null || bed.year === year)

/** Rooms of the candidate's year first; accessible ones last for those who do not need one. */
const byChoiceOf =
  ({ special }: Candidate) =>
  (a: Bed, b: Bed) =>
    Number(a.year === null) - Number(b.year === null) ||
    (special ? 0 : Number(a.accessible) - Number(b.accessible)) ||
    compare(a.hostelCode, b.hostelCode) ||
    a.floor - b.floor ||
    compare(a.roomNumber, b.roomNumber) ||
    a.bed - b.bed

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
