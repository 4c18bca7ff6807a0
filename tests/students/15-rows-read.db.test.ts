import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql, type Transaction } from 'kysely'
import { join } from 'node:path'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { findItemWith } from '../../api/platform/work/rows/items.ts'
import { documentsOf } from '../../api/students/registration-documents.ts'
import { codesRegistered, registeredFor } from '../../api/students/subject-seats.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

/** Students, each with one entry in every register that is about students. */
const STUDENTS = 1000
/** Rows that a list of the few entries of one student may read. */
const FEW = 40

const library = loadLibrary(join(import.meta.dirname, '../..'))
const aboutStudents = [...library.registers].filter(([, { own, belongsTo, item, filters = [] }]) => {
  const names = own?.by === '/student' || belongsTo === '/student'
  return names && filters.includes('/student') && item.properties?.['student']?.['x-register'] === 'platform/student'
})

let database: TestDatabase
let student: string
let faculty: string
let elsewhere: string

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  faculty = await anItem(db, 'platform/faculty')
  elsewhere = await anItem(db, 'platform/faculty')
  student = await anItem(db, 'platform/student', { data: { faculty } })
  const keys = aboutStudents.map(([register]) => register)
  await sql`with students as (
      insert into register_item (id, register, title, data)
      select gen_random_uuid(), 'platform/student', 'Student ' || n, jsonb_build_object('faculty', ${elsewhere}::text)
      from generate_series(1, ${STUDENTS}) n returning id, data),
    entries as (
      insert into register_item (id, register, title, data)
      select gen_random_uuid(), register, register || s.id,
        jsonb_build_object('student', s.id, 'case_reference', register || s.id)
      from (select id from students union all select ${student}::uuid) s, unnest(${keys}::text[]) register
      returning id, data)
    insert into register_reference (item_id, path, target_id)
    select id, '/student', (data ->> 'student')::uuid from entries
    union all select id, '/faculty', (data ->> 'faculty')::uuid from students`.execute(db)
  await sql`analyze register_item, register_reference`.execute(database.owner.db)
})
afterAll(() => database.drop())

/** How many entries PostgreSQL reads for something; perhaps only those found by an index. */
async function rowsRead(run: (trx: Transaction<DB>) => Promise<unknown>, { byIndex = false } = {}): Promise<number> {
  return database.db.transaction().execute(async (trx) => {
    const so = async () => {
      const { rows } = await sql<{ read: string }>`
        select coalesce(idx_tup_fetch, 0) + case when ${byIndex} then 0 else seq_tup_read end as read from pg_stat_xact_user_tables
        where relname = 'register_item'`.execute(trx)
      return Number(rows[0]!.read)
    }
    const before = await so()
    await run(trx)
    return (await so()) - before
  })
}

test('the entries of one student are found without reading those of others', async () => {
  expect(aboutStudents.length).toBeGreaterThan(10)
  for (const [register] of aboutStudents) {
    const list = (trx: Transaction<DB>) => registers(trx, library).list(register, { filters: { student } })
    expect((await database.db.transaction().execute(list)).items).toHaveLength(1)
    expect([register, (await rowsRead(list)) < FEW]).toEqual([register, true])
  }
})

test('steps of a case find the entries of its student, or of its number, without reading those of others', async () => {
  const year = await anItem(database.db, 'year-renewals/academic-year')
  const reads: [string, (trx: Transaction<DB>) => Promise<unknown>][] = [
    ['documents', (trx) => documentsOf(trx, student)],
    ['registration', (trx) => registeredFor(trx, student, year)],
    ['codes', (trx) => codesRegistered(trx, student, { before: year })],
    [
      'card',
      (trx) => findItemWith(trx, 'id-cards/card', { field: 'case_reference', value: `id-cards/card${student}` }),
    ],
  ]
  for (const [what, run] of reads) expect([what, (await rowsRead(run)) < FEW]).toEqual([what, true])
})

test('a page of entries of one faculty reads neither the students of others nor their entries one by one', async () => {
  const page = (units: string[]) => (trx: Transaction<DB>) =>
    registers(trx, library).list('students/document', { within: { fields: ['/faculty', '/department'], units } })
  const { items } = await database.db.transaction().execute(page([faculty]))
  expect(items.map(({ data }) => data['student'])).toEqual([student])
  // Once for the page and once for the count: an entry is read, its student is not.
  expect(await rowsRead(page([faculty]), { byIndex: true })).toBeLessThan(3 * STUDENTS)
  expect((await database.db.transaction().execute(page([elsewhere]))).items).toHaveLength(20)
  expect((await database.db.transaction().execute(page([]))).items).toEqual([])
})

test('a filter by what is no id finds nothing', async () => {
  const found = await database.db
    .transaction()
    .execute((trx) => registers(trx, library).list('students/document', { filters: { student: 'nobody' } }))
  expect(found.items).toEqual([])
})
