import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { known } from '../platform/kernel/known.ts'
import type { FieldError } from '../platform/kernel/errors.ts'
import { isObject } from '../platform/kernel/objects.ts'
import type { RuleInput, Rules } from '../platform/model/deployed/rules.ts'
import { lookUp, remembered } from '../platform/model/definitions/named.ts'
import { textAt } from '../platform/model/definitions/register.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { findAnyItem, findItem } from '../platform/work/rows/items.ts'
import { OFF_ROLL, onceOnRoll } from './students.ts'

/** The stage of what a student, or a batch, studies. */
const STAGE = '/programme#/data/degree#/data/stage'

type Student = { id: string; path: string; status: string; data: JsonObject }

const rules: Rules = {
  async check({ data, items, requester, trx }) {
    const students = studentsIn(data, items)
    const own = await findOwnEntry(trx, requester.id)
    const onceThere = await onceOnRoll(
      trx,
      students.map(({ id }) => id),
    )
    const isElsewhere = (student: Student) => student.data['faculty'] !== data['faculty']
    const wrong = students.flatMap((student): FieldError[] => {
      const code = isElsewhere(student)
        ? 'intakes.student-elsewhere'
        : students.some(({ id, path }) => id === student.id && path < student.path)
          ? 'platform.check-uniqueItems'
          : student.id === own?.id
            ? 'intakes.not-yourself'
            : refusalOf(student, data, onceThere.has(student.id))
      return code === undefined ? [] : [{ field: student.path, code }]
    })
    wrong.push(...(await refusedBatch(trx, items, students)))
    if (wrong.length > 0) return wrong
    // Who decides depends on the present status, so that of all students of a case is the same.
    return students
      .filter(({ status }) => status !== students[0]?.status)
      .map(({ path }) => ({ field: path, code: 'intakes.one-status' }))
  },

  derive({ data, items }) {
    const students = studentsIn(data, items)
    const present = known(students[0], 'the first student').status
    return {
      facts: { studentCount: students.length, presentStatus: present },
      variables: {
        change: data['kind'] === 'Status' ? String(data['becomes']) : 'Intake',
        onRoll: OFF_ROLL.includes(present) ? 'no' : 'yes',
      },
    }
  },

  answers: {
    'intakes/status-change-decision': {
      async check({ current, by, trx }): Promise<FieldError[]> {
        return (await isAbout(trx, by, current)) ? [{ field: '/outcome', code: 'intakes.not-yourself' }] : []
      },
    },
  },
}

export default rules

/** The students that the form names, with the path of their field. */
function studentsIn(data: JsonObject, items: RuleInput['items']): Student[] {
  return idsIn(data).flatMap((id, row) => {
    const path = `/students/${row}/student`
    const item = items.get(path)
    return item ? [{ id, path, ...item }] : []
  })
}

function idsIn({ students }: JsonObject): string[] {
  return Array.isArray(students) ? students.map((row) => String(isObject(row) ? row['student'] : '')) : []
}

/** Why this student cannot change so; undefined if they can. */
function refusalOf({ status, data: student }: Student, data: JsonObject, wasOnRoll: boolean): string | undefined {
  if (data['kind'] === 'Intake') {
    if (status !== 'active') return 'intakes.not-active'
    const batch = textAt(data, '/batch')
    const isSame = student['intake'] === data['intake'] && (batch === undefined || student['batch'] === batch)
    return isSame ? 'intakes.already-so' : undefined
  }
  if (status === data['becomes']) return 'intakes.already-so'
  if (!OFF_ROLL.includes(status)) return undefined
  if (data['becomes'] === 'suspended') return 'intakes.only-reinstated'
  return data['becomes'] === 'active' && !wasOnRoll ? 'intakes.never-registered' : undefined
}

/** The error of a batch whose degree program is not of the faculty, or the department, of one of the students. */
async function refusedBatch(
  trx: Transaction<DB>,
  items: RuleInput['items'],
  students: readonly Student[],
): Promise<FieldError[]> {
  const batch = items.get('/batch')
  if (batch === undefined) return []
  const program = await findItem(trx, 'setup/degree-program', String(batch.data['programme']))
  const { faculty, department } = known(program, 'the degree program of the batch').data
  const other = students.find(
    ({ data }) => data['faculty'] !== faculty || (department !== undefined && data['department'] !== department),
  )
  if (other !== undefined)
    return [{ field: '/batch', code: 'intakes.batch-elsewhere', values: { name: String(other.data['reg_no']) } }]
  // The stage decides the role, which stays with the account.
  const find = remembered((id) => findAnyItem(trx, id))
  const wanted = await lookUp(STAGE, batch.data, find)
  for (const { data } of students)
    if (data['programme'] !== undefined && (await lookUp(STAGE, data, find)) !== wanted)
      return [{ field: '/batch', code: 'intakes.batch-of-another-level', values: { name: String(data['reg_no']) } }]
  return []
}

/** Whether a case is about the entry of this account. */
async function isAbout(trx: Transaction<DB>, account: string, data: JsonObject): Promise<boolean> {
  const own = await findOwnEntry(trx, account)
  return own !== undefined && idsIn(data).includes(own.id)
}
