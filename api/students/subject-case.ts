import type { Transaction } from 'kysely'
import { known } from '../platform/kernel/known.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { getCaseContent } from '../platform/work/rows/cases.ts'
import { type ElectiveRow, type SubjectRow, codeOf } from './registration-rows.ts'
import { setupOf } from './registration-setup.ts'
import type { SeatSetup } from './subject-seats.ts'
import { takenOf } from './subject-choice.ts'
import { type YearSubject, subjectsOfYear } from './year-subjects.ts'

/** The forms with which a student chooses, in a later year and in the first. */
const CHOICES = ['students/subject-registration-choice', 'students/registration-documents']

/** A registration has no year of study in its set-up. */
const FIRST_YEAR = 1

/** The set-up of a subject registration, or of a registration. */
export interface SubjectSetup {
  academic_year: string
  batch: string
  year: number
  limits?: { subject: string; places: number }[]
}

interface SubjectCase {
  student: string
  setupId: string
  setup: SubjectSetup
  /** The register of the set-up, and the field of a place that names it. */
  of: { register: string; field: SeatSetup }
  /** The subjects that the student takes according to their last answer. */
  taken: YearSubject[]
}

/** The student, the set-up and the last choice of a case of subject registration, or of a registration. */
export async function subjectCase(
  trx: Transaction<DB>,
  of: {
    caseId: string
    requesterId: string
    submission: JsonObject
    submissions: readonly { formKey: string; data: JsonObject }[]
  },
): Promise<SubjectCase> {
  const { id: student } = known(await findOwnEntry(trx, of.requesterId), 'the entry of the student')
  const { id: setupId, register, data } = await setupOf(trx, of.submission)
  const setup = checkedAs<SubjectSetup>({ year: FIRST_YEAR, ...data })
  const last = of.submissions.findLast(({ formKey }) => CHOICES.includes(formKey))
  const { electives = [] } = checkedAs<{ electives?: ElectiveRow[] }>(last?.data ?? {})
  // What everybody takes is not theirs to answer.
  const { core = [] } = checkedAs<{ core?: SubjectRow[] }>((await getCaseContent(trx, of.caseId)).facts)
  const codes = new Set(takenOf(core, electives).map(codeOf))
  const all = await subjectsOfYear(trx, setup.batch, setup.year)
  const field = register === 'students/registration-setup' ? 'registration_setup' : 'setup'
  return { student, setupId, setup, of: { register, field }, taken: all.filter((one) => codes.has(codeOf(one))) }
}
