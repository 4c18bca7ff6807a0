import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { REGISTRATIONS, codesRegistered } from '../../api/students/subject-seats.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

test('what a student is registered for in the same year is no prerequisite that is met: the choice may drop it', async () => {
  const { db } = database
  const student = await anItem(db, 'platform/student', { status: 'active' })
  const [lastYear, thisYear] = [
    await anItem(db, 'setup/academic-year', { data: { name: '2025/2026' } }),
    await anItem(db, 'setup/academic-year', { data: { name: '2026/2027' } }),
  ]
  for (const [year, code] of [
    [lastYear, 'MUS1101'],
    [thisYear, 'MUS2101'],
  ] as const) {
    const subject = await anItem(db, 'setup/subject', { data: { code } })
    await anItem(db, REGISTRATIONS, { data: { student, academic_year: year, subjects: [{ subject }] } })
  }
  const met = (except: string) => db.transaction().execute((trx) => codesRegistered(trx, student, { except }))
  expect(await met(thisYear)).toEqual(new Set(['MUS1101']))
  expect(await met(lastYear)).toEqual(new Set(['MUS2101']))
})
