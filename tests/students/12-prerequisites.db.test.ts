import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { REGISTRATIONS, SEATS, codesRegistered, seatsOf } from '../../api/students/subject-seats.ts'
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
    await anItem(db, 'setup/academic-year', { data: { starts_on: '2025-11-01' } }),
    await anItem(db, 'setup/academic-year', { data: { starts_on: '2026-11-01' } }),
  ]
  for (const [year, code] of [
    [lastYear, 'MUS1101'],
    [thisYear, 'MUS2101'],
  ] as const) {
    const subject = await anItem(db, 'setup/subject', { data: { code } })
    await anItem(db, REGISTRATIONS, { data: { student, academic_year: year, subjects: [{ subject }] } })
  }
  const met = (before: string) => db.transaction().execute((trx) => codesRegistered(trx, student, { before }))
  expect(await met(thisYear)).toEqual(new Set(['MUS1101']))
  expect(await met(lastYear)).toEqual(new Set())
})

test('who leaves gives back their places in subjects, and who is suspended keeps them', async () => {
  const { db } = database
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const within = <T>(act: (on: ReturnType<typeof registers>) => Promise<T>) =>
    db.transaction().execute((trx) => act(registers(trx, library)))
  const [year, faculty, intake] = [
    await anItem(db, 'x'),
    await anItem(db, 'platform/faculty'),
    await anItem(db, 'intakes/intake'),
  ]
  const programme = await anItem(db, 'setup/degree-program', { data: { faculty } })
  const { id: student } = await within((on) =>
    on.create(
      'platform/student',
      {
        ...{ reg_no: 'FOM/2026/0042', full_name: 'Piumi Perera', nic: '200680123456', email: 'piumi@students.example' },
        ...{ faculty, intake, programme },
      },
      null,
      { status: 'active' },
    ),
  )
  const [setup, other] = await Promise.all(
    [year, await anItem(db, 'x')].map((academic_year) =>
      anItem(db, 'students/subject-registration-setup', { data: { academic_year } }),
    ),
  )
  const subject = await anItem(db, 'setup/subject', { data: { code: 'MUS1103' } })
  const seatIn = (of: string | undefined) => ({ name: 'MUS1103', number: 1, student, subject, setup: of! })
  const seat = await within((on) => on.create(SEATS, seatIn(setup), null))
  await within((on) => on.create(SEATS, seatIn(other), null))
  const taken = () => db.transaction().execute((trx) => seatsOf(trx, student, year))
  const becomes = (status: string) =>
    within(async (on) => on.setStatus(await on.lock('platform/student', student), status, null))
  // Of this academic year only.
  expect(await taken()).toEqual([{ id: seat.id, subject, setup }])
  await becomes('suspended')
  expect(await taken()).toHaveLength(1)
  await becomes('deactivated')
  expect(await taken()).toEqual([])
})
