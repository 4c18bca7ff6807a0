import type { Beside, BesideInput } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { type RegistrationFacts, codeOf } from './registration-rows.ts'
import { subjectCase } from './subject-case.ts'
import type { CreditLimits } from './subject-choice.ts'
import { freeNumbers, placesOf, seatsTaken } from './subject-seats.ts'
import { subjectsOfYear } from './year-subjects.ts'

/** What a student sees while they choose: the places left in each elective that has a limit, and the credits asked for. */
export async function choiceBeside({ trx, facts, current, ...of }: BesideInput): Promise<Beside> {
  const { student, setupId, setup } = await subjectCase(trx, { ...of, submission: current, submissions: [] })
  const { electives = [] } = checkedAs<Partial<RegistrationFacts>>(facts)
  const { min_credits: least, max_credits: most, limits = [] } = checkedAs<CreditLimits & typeof setup>(setup)
  const ids = new Map((await subjectsOfYear(trx, setup.batch, setup.year)).map((one) => [codeOf(one), one.id]))
  const places = placesOf(limits)
  const seats = await seatsTaken(trx, setupId)
  const notes = electives.flatMap((row, at): Beside['notes'] => {
    const subject = ids.get(codeOf(row))
    const all = subject === undefined ? undefined : places.get(subject)
    if (all === undefined) return []
    const field = `/electives/${at}/choice`
    const there = seats.filter((seat) => seat.subject === subject)
    if (there.some((seat) => seat.student === student)) return [{ field, code: 'students.place-yours' }]
    const left = freeNumbers(all, there).length
    if (left === 0) return [{ field, code: 'students.place-none', short: true }]
    return [{ field, code: 'students.place-left', values: { left, places: all } }]
  })
  return { notes, limits: [{ field: '/electives', least, most }] }
}
