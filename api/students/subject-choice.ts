import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput } from '../platform/model/deployed/rules.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { known } from '../platform/kernel/known.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'
import { type ElectiveRow, type RegistrationFacts, type SubjectRow, codeOf, creditsOf } from './registration-rows.ts'

/** The credits that a set-up asks for. */
export interface CreditLimits {
  min_credits: number
  max_credits: number
}

/** What is wrong with the electives of an answer: a missing prerequisite, or credits outside those of the set-up. */
export async function wrongChoice({ data, facts, current, trx }: DeskInput): Promise<FieldError[]> {
  const { electives = [] } = checkedAs<{ electives?: ElectiveRow[] }>(data)
  const { core } = checkedAs<RegistrationFacts>(facts)
  const taken = takenOf(core, electives)
  const limits = checkedAs<CreditLimits>(known(await findAnyItem(trx, String(current['setup'])), 'the set-up').data)
  return [
    ...electives.flatMap((row, at) => tooEarly(row, taken, `/electives/${at}/choice`)),
    ...neededByCore(core, electives),
    ...outsideLimits(creditsOf(taken), limits),
  ]
}

/** All subjects of a student: those that everybody takes, and the electives that they take. */
export function takenOf(core: readonly SubjectRow[], electives: readonly ElectiveRow[]): SubjectRow[] {
  return [...core, ...electives.filter(({ choice }) => choice === 'take')]
}

/** A prerequisite must be taken in an earlier semester of the year. */
function tooEarly(row: ElectiveRow, taken: readonly SubjectRow[], field: string): FieldError[] {
  if (row.choice !== 'take' || row.needs === undefined) return []
  const before = new Set(taken.filter(({ semester }) => semester < row.semester).map(codeOf))
  const missing = row.needs.split(', ').filter((code) => !before.has(code))
  if (missing.length === 0) return []
  return [{ field, code: 'students.prerequisite-missing', values: { subject: codeOf(row), needs: missing.join(', ') } }]
}

/** Electives of earlier semesters that subjects which everybody takes need. */
export function neededByCore(core: readonly SubjectRow[], electives: readonly ElectiveRow[]): FieldError[] {
  return electives.flatMap(({ choice, semester, ...elective }, at) => {
    const needs = codeOf(elective)
    const by = core.find((row) => row.semester > semester && row.needs?.split(', ').includes(needs))
    return by === undefined || choice === 'take'
      ? []
      : [
          {
            ...{ field: `/electives/${at}/choice`, code: 'students.prerequisite-missing' },
            values: { subject: codeOf(by), needs },
          },
        ]
  })
}

function outsideLimits(credits: number, { min_credits: least, max_credits: most }: CreditLimits): FieldError[] {
  if (credits >= least && credits <= most) return []
  return [{ field: '/electives', code: 'students.credits-outside', values: { credits, least, most } }]
}
