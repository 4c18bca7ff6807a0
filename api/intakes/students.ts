import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { uuidIn } from '../platform/kernel/db/uuid.ts'

export const STUDENTS = 'platform/student'

/** Statuses of students who are not on the roll. */
export const OFF_ROLL: readonly string[] = ['unregistered', 'deactivated']

/** Which of these students were active or suspended at some time. Nobody else is put on the roll without registering. */
export async function onceOnRoll(trx: Transaction<DB>, students: readonly string[]): Promise<ReadonlySet<string>> {
  if (students.length === 0) return new Set()
  const rows = await trx
    .selectFrom('register_item_version')
    .select('item_id')
    .distinct()
    .where('item_id', 'in', students)
    .where('status', 'not in', OFF_ROLL)
    .execute()
  return new Set(rows.map(({ item_id: id }) => id))
}

/** A student as a case saw them when it was sent, or corrected. */
export interface SeenStudent {
  id: string
  title: string
  status: string
  data: JsonObject
}

/** The students that a case names, as they were when it was sent, in the order of their ids. */
export async function studentsSeen(trx: Transaction<DB>, caseId: string): Promise<SeenStudent[]> {
  const { rows } = await sql<SeenStudent>`
    select i.id, i.title, v.status, v.data from case_item c
    join register_item i on i.id = c.item_id and i.register = ${STUDENTS}
    join register_item_version v on v.item_id = c.item_id and v.version = c.item_version
    where c.case_id = ${caseId}::uuid order by i.id`.execute(trx)
  return rows
}

/** The accounts of these students, by the id of their entry. */
export async function accountsOf(trx: Transaction<DB>, students: readonly string[]): Promise<Map<string, string>> {
  if (students.length === 0) return new Map()
  const rows = await trx.selectFrom('account').select(['id', 'record_id']).where('record_id', 'in', students).execute()
  return new Map(rows.map(({ id, record_id }) => [String(record_id), id]))
}

/** The valid letters about the conduct of the person with this account, each with the case that it ended. */
export async function conductLettersOf(
  trx: Transaction<DB>,
  account: string,
): Promise<{ caseId: string; kind: string; number: string }[]> {
  const { rows } = await sql<{ caseId: string; kind: string; number: string }>`
    select d.case_id as "caseId", d.kind, d.number from flow_case c
    join document d on d.case_id = c.id
    join document_verification v on v.document_id = d.id and v.ended_at is null
    join register_item k on k.id = ${uuidIn(sql`c.data ->> 'kind'`)} and k.register = 'students/request-kind'
    where c.requester_id = ${account}::uuid and k.data ->> 'concerns' = 'conduct'`.execute(trx)
  return rows
}

/** What students have of the university and give back when they are no longer active. */
export interface Holdings {
  /** Who keeps it: roles, with the unit it belongs to. */
  keepers: string[]
  /** Text key of the mail, without `-subject` and `-body`. */
  mail: string
  /** Where they find it. */
  page: string
  /** Student, and what it is. */
  held: { student: string; what: string }[]
}

/** Borrowed instruments by the department that keeps them, and places in hostels. */
export async function holdingsOf(trx: Transaction<DB>, students: readonly string[]): Promise<Holdings[]> {
  const { rows } = await sql<{ register: string; student: string; what: string; department: string | null }>`
    select e.register, s.id as student, coalesce(i.title, e.title) as what, i.data ->> 'department' as department
    from unnest(${[...students]}::uuid[]) as s(id)
    join register_reference r on r.target_id = s.id and r.path = '/student'
    join register_item e on e.id = r.item_id
      and (e.register, e.status) in (('instruments/loan', 'Open'), ('hostel/stay', 'Taken'), ('hostel/stay', 'Moving'))
    left join register_item i on i.register = 'instruments/instrument' and i.id = ${uuidIn(sql`e.data ->> 'instrument'`)}
    order by e.register, what`.execute(trx)
  const loans = rows.filter(({ register }) => register === 'instruments/loan')
  const stays = rows.filter(({ register }) => register === 'hostel/stay')
  const byDepartment = [...Map.groupBy(loans, ({ department }) => department)].map(([department, held]) => ({
    keepers: ['Finance Store Keeper', ...(department === null ? [] : [`MA@department:${department}`])],
    mail: 'intakes.mail.holds-instruments',
    page: '/registers/instruments/loan',
    held,
  }))
  const resident = {
    keepers: ['SSW AR', 'SSW MA'],
    mail: 'intakes.mail.holds-place',
    page: '/registers/hostel/stay',
    held: stays,
  }
  return [...byDepartment, ...(stays.length > 0 ? [resident] : [])]
}
