import type { Transaction } from 'kysely'
import Type from 'typebox'
import {
  STUDENTS,
  type SeenStudent,
  accountsOf,
  conductLettersOf,
  holdingsOf,
  studentsSeen,
} from '../../api/intakes/students.ts'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { known } from '../../api/platform/kernel/known.ts'
import { textAt } from '../../api/platform/model/definitions/register.ts'
import { endIssued } from '../../api/platform/records/documents/verification.ts'
import { findAnyItem } from '../../api/platform/work/rows/items.ts'
import { loseStanding, regainStanding } from '../../api/platform/people/identity/standing.ts'
import { worker, type WorkerContext } from '../platform/worker.ts'

/** Areas whose work follows the status of students; they see the case. */
const AREAS = ['SSW AR', 'SSW MA', 'Exam AR', 'Exam MA']

/** Areas that need to know who and from when, but not why: accounts, payments, the library. They do not see the case. */
const TOLD = ['Head of IT', 'Finance MA', 'Librarian']

const CHANGES = 'intakes/student-change'

/**
 * Changes the status or the intake of every student of the case, or of none: if one of them is not as the case saw
 * them, or the register refuses their change, nothing is changed. Each change is noted with its reason. Who is no
 * longer active loses their sessions, and each student with an account is told. So are the requester, the Dean and the
 * areas, all in one send, because the requester may be of such an area. Of another status the IT unit, Finance and the
 * library are told by name, so are Head and Management Assistant of each department of its own students, and the keepers
 * of what the students have, if they are no longer active.
 */
export default worker({
  input: Type.Object({}),
  output: Type.Object({}),
  raises: ['intakes.not-as-seen', 'intakes.refused'],
  async run(context) {
    const { trx, registers, submission, submissions, case: found, now } = context
    const seen = await studentsSeen(trx, found.id)
    const present: Awaited<ReturnType<typeof registers.lock>>[] = []
    for (const { id } of seen) present.push(await registers.lock(STUDENTS, id))
    const changed = seen.filter((student, index) => !isAsSeen(student, known(present[index], 'the student')))
    if (changed.length > 0)
      throw new BusinessError('intakes.not-as-seen', { names: changed.map(({ title }) => title).join(', ') })

    const { by } = known(submissions.at(-1), 'the last decision')
    const accounts = await accountsOf(
      trx,
      seen.map(({ id }) => id),
    )
    const day = [dayInColombo(now), String(submission['effective_on'])].toSorted().at(-1)
    const noted = { effective_on: String(day), reason: String(submission['reason']), case_reference: found.reference }
    const programme = await programmeOf(trx, submission)
    for (const student of present) {
      const becomes = changeOf(submission, student, programme)
      await namedIfRefused(context, student.title, async () => {
        if (becomes.status === undefined) await registers.change(student, becomes.fields, by)
        else await registers.setStatus(student, becomes.status, by)
        await registers.create(CHANGES, { ...noted, student: student.id, ...becomes.noted }, by)
      })
      const account = accounts.get(student.id)
      if (account !== undefined && submission['for_conduct'] === true && becomes.status === 'suspended')
        await withdrawConductLetters(context, account, by)
      if (account !== undefined) await follow(context, account, { status: becomes.status, by, ...noted })
    }
    const to = [`user:${found.requesterId}`, `Dean@faculty:${found.scope['faculty']}`, ...AREAS]
    await context.mail.send({ to, template: 'intakes.mail.in-effect', caseId: found.id })
    if (submission['kind'] === 'Status') await tellAreas(context, present, String(day))
    return {}
  },
})

async function tellAreas(
  { trx, submission, mail, case: { id: caseId } }: WorkerContext<unknown>,
  students: readonly { id: string; title: string; data: JsonObject }[],
  day: string,
): Promise<void> {
  const names = new Map(students.map((one) => [one.id, `${String(one.data['reg_no'])} ${one.title}`]))
  // They do not see the case, so no mail leads there.
  const told = (to: string[], template: string, page: string | null, lines: string[]) =>
    mail.send({ to, template, caseId, page, values: { day, students: lines.join('\n') } })
  await told(TOLD, 'intakes.mail.area-told', null, [...names.values()])
  for (const [department, own] of Map.groupBy(students, ({ data }) => textAt(data, '/department'))) {
    const lines = own.map(({ id }) => known(names.get(id), 'the student'))
    const office = [`HOD@department:${department}`, `MA@department:${department}`]
    if (department !== undefined) await told(office, 'intakes.mail.area-told', null, lines)
  }
  if (submission['becomes'] === 'active') return
  for (const { keepers, mail: template, page, held } of await holdingsOf(trx, [...names.keys()])) {
    const lines = held.map(({ student, what }) => `${known(names.get(student), 'the student')}: ${what}`)
    await told(keepers, template, page, lines)
  }
}

/** Whether nothing that the case changes was changed meanwhile. */
function isAsSeen(seen: SeenStudent, present: { status: string; data: JsonObject }): boolean {
  const same = (field: string) => textAt(seen.data, field) === textAt(present.data, field)
  return seen.status === present.status && same('/intake') && same('/batch')
}

/** Carries out the change of a student. If a register refuses it, the refusal says whose it is, and why. */
async function namedIfRefused(
  { registers, text }: Pick<WorkerContext<unknown>, 'registers' | 'text'>,
  name: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof BusinessError) || error.code !== 'platform.form-invalid') throw error
    const { properties = {} } = registers.definitionOf(STUDENTS).item
    const reasons = error.fields.map(({ field, code, values }) => {
      const title = properties[field.slice(1)]?.title
      return `${title === undefined ? field : text(title)}: ${text(code, values)}`
    })
    throw new BusinessError('intakes.refused', { name, reason: reasons.join('; ') })
  }
}

/** The programme of the new batch, which its students follow. */
async function programmeOf(trx: Transaction<DB>, submission: JsonObject): Promise<JsonObject> {
  const batch = textAt(submission, '/batch')
  const found = batch === undefined ? undefined : await findAnyItem(trx, batch)
  const programme = textAt(found?.data, '/programme')
  return programme === undefined ? {} : { programme }
}

/** What changes of a student, and what is noted of it. */
function changeOf(
  submission: JsonObject,
  { status, data }: { status: string; data: JsonObject },
  programme: JsonObject,
) {
  const kind = String(submission['kind'])
  if (kind === 'Status') {
    const becomes = String(submission['becomes'])
    return { status: becomes, fields: {}, noted: { kind, status_was: status, status_becomes: becomes } }
  }
  const intake = String(submission['intake'])
  const batch = textAt(submission, '/batch') ?? null
  const was = textAt(data, '/intake')
  const moves = programme['programme'] !== undefined && programme['programme'] !== data['programme']
  return {
    status: undefined,
    fields: { intake, batch, ...programme },
    noted: {
      ...{ kind, intake_becomes: intake },
      ...(was !== undefined && { intake_was: was }),
      ...(moves && { programme_was: data['programme'] ?? null, programme_becomes: programme['programme'] }),
    },
  }
}

interface Followed {
  status: string | undefined
  by: string
  effective_on: string
  reason: string
}

/** What follows for the account of a student. The mail is written while the account is open. */
async function follow(context: WorkerContext<unknown>, account: string, change: Followed): Promise<void> {
  const { trx, mail, case: found } = context
  const { status, by, effective_on: day, reason } = change
  const why = { by, caseId: found.id, reason }
  if (status === 'active') await regainStanding(trx, account, why)
  const to = await intakeTitle(trx, context.submission)
  const template = `intakes.mail.student-${status ?? 'intake'}`
  await mail.send({ to: `user:${account}`, template, values: { day, why: reason, to }, page: '/student/profile' })
  if (status !== undefined && status !== 'active') await loseStanding(trx, account, why)
}

/** Certificates of a good character do not outlive a suspension for conduct: `/verify` says so, and the student is told. */
async function withdrawConductLetters(
  { trx, mail }: WorkerContext<unknown>,
  account: string,
  by: string,
): Promise<void> {
  for (const { caseId, kind, number } of await conductLettersOf(trx, account)) {
    await endIssued(trx, { caseId, kind, by })
    await mail.send({ to: `user:${account}`, template: 'intakes.mail.letter-withdrawn', caseId, values: { number } })
  }
}

async function intakeTitle(trx: Transaction<DB>, submission: JsonObject): Promise<string> {
  const intake = textAt(submission, '/intake')
  if (intake === undefined) return ''
  const { title } = await trx
    .selectFrom('register_item')
    .select('title')
    .where('id', '=', intake)
    .executeTakeFirstOrThrow()
  return title
}
