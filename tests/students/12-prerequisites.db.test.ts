import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { REGISTRATIONS, SEATS, codesRegistered, seatsOf } from '../../api/students/subject-seats.ts'
import { subjectsOfYear } from '../../api/students/year-subjects.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
let app: TestApp | undefined
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

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

test('what a student took on paper is imported by their own office and counts; what a case entered stays', async () => {
  const { db } = database
  app = await testApp(database)
  const [faculty, other] = [await anItem(db, 'platform/faculty'), await anItem(db, 'platform/faculty')]
  const student = await anItem(db, 'platform/student', { status: 'active', data: { reg_no: 'FOM/24/7', faculty } })
  const year = (name: string, ends_on: string) =>
    anItem(db, 'year-renewals/academic-year', { data: { starts_on: `${name}-01-06`, ends_on } })
  const [past, present] = [await year('2024', '2024-12-20'), await year('2026', '2026-12-20')]
  const subject = await anItem(db, 'setup/subject', { data: { code: 'MUS1204' } })
  const [ma, elsewhere] = await Promise.all(
    [faculty, other].map((id, at) => app!.person(`ma-${at}`, { role: 'MA', scope: { kind: 'faculty', id } })),
  )
  const TAKEN = '/api/registers/students/subject-registration'
  const wrong = async (who: Caller | undefined, codes: string, on: string) => {
    const csv = `student,academic_year,year,subjects,credits,source,source_on\nFOM/24/7,${past},1,"${codes}",3,Sheet 4,${on}`
    const { errors } = (await who!.send('POST', `${TAKEN}/imports`, { csv, commit: true })).json()
    return errors.map(({ column, code, value }: Record<string, string>) => [column, code, value])
  }
  expect(await wrong(elsewhere, 'MUS1204', '2025-01-10')).toEqual([['student', 'platform.item-unknown', 'FOM/24/7']])
  expect(await wrong(ma, 'MUS1204 MUS9999', '2025-01-10')).toEqual([['subjects', 'platform.item-unknown', 'MUS9999']])
  // The year must be over on the day of the source.
  expect(await wrong(ma, 'MUS1204', '2024-06-01')).toEqual([['source_on', 'platform.item-does-not-fit', '2024-06-01']])
  expect(await wrong(ma, 'mus1204', '2025-01-10')).toEqual([])
  expect(await wrong(ma, 'MUS1204', '2025-01-10')).toEqual([['student', 'platform.import.duplicated', 'FOM/24/7']])
  const met = await db.transaction().execute((trx) => codesRegistered(trx, student, { before: present }))
  expect(met).toEqual(new Set(['MUS1204']))

  const found = async () =>
    (await ma!.send('GET', `${TAKEN}/items?filter.${encodeURIComponent('/subjects/*/subject')}=${subject}`)).json()
      .items
  const [entry] = await found()
  expect(entry).toMatchObject({ title: past, data: { academic_year: past, source: 'Sheet 4' } })
  const changes = async (version: number) => {
    const match = { 'if-match': `"${version}"` }
    return ma!.send('PUT', `${TAKEN}/items/${entry.id}`, { data: { ...entry.data, credits: 4 } }, match)
  }
  expect((await changes(1)).statusCode).toBe(200)
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  await db.transaction().execute(async (trx) => {
    const on = registers(trx, library)
    await on.change(await on.lock(REGISTRATIONS, entry.id), { case_reference: 'SUB-2026-000001', source: null }, null)
  })
  expect((await changes(3)).json().code).toBe('platform.item-of-case')
  const direct = db.updateTable('register_item').set({ status: 'Cancelled' }).where('id', '=', entry.id).execute()
  await expect(direct).rejects.toMatchObject({ constraint: 'entry_of_case' })
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

test('the database takes no place beyond the limit of a subject', async () => {
  const { db } = database
  const subject = await anItem(db, 'setup/subject')
  const setup = await anItem(db, 'students/subject-registration-setup', { data: { limits: [{ subject, places: 1 }] } })
  const takes = async (number: number) => {
    const student = await anItem(db, 'platform/student', { status: 'active' })
    return anItem(db, SEATS, { status: 'Taken', data: { student, setup, subject, number } })
  }
  await takes(2)
  await expect(takes(1)).rejects.toThrow('no place is left')
})

test('a subject of a type without credits counts for none', async () => {
  const { db } = database
  const kinds = { counted: await anItem(db, 'x'), uncounted: await anItem(db, 'x', { data: { uncounted: true } }) }
  const subjects = await Promise.all(
    Object.entries(kinds).map(async ([code, kind]) => {
      const subject = await anItem(db, 'setup/subject', { data: { code, name: code, credits: 3 } })
      return { subject, kind, year: 1, semester: 1, credits: 2 }
    }),
  )
  const curriculum = await anItem(db, 'setup/curriculum', { data: { subjects } })
  const batch = await anItem(db, 'batches/batch', { data: { curriculum } })
  const read = await db.transaction().execute((trx) => subjectsOfYear(trx, batch, 1))
  const credits = Object.fromEntries(read.map((one) => [one.subject, one.credits]))
  expect(credits).toEqual({ 'counted counted': 2, 'uncounted uncounted': 0 })
})
