import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Kysely, sql } from 'kysely'
import { up as groups } from '../../api/platform/kernel/db/migrations/0082-groups-of-offices.ts'
import { up as programmes } from '../../api/platform/kernel/db/migrations/0083-frozen-programmes.ts'
import { up as cards } from '../../api/platform/kernel/db/migrations/0092-lost-cards.ts'
import { up as uncounted } from '../../api/platform/kernel/db/migrations/0109-subjects-without-credits.ts'
import { up as named } from '../../api/platform/kernel/db/migrations/0110-named-bursaries.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

/** Runs a migration again, on rows that are older than it; what it made is dropped before. */
async function again(up: (db: Kysely<unknown>) => Promise<void>, made: readonly string[] = []): Promise<void> {
  const { db } = database.owner
  for (const statement of made) await sql.raw(statement).execute(db)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a migration knows no tables
  await up(db as unknown as Kysely<unknown>)
}

const read = (id: string) =>
  database.db
    .selectFrom('register_item')
    .select(['status', 'version', 'data'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('0082 gives a group without roles those of its offices, unless somebody has changed it', async () => {
  const { db } = database.owner
  const set = (name: string, changed: string) =>
    sql
      .raw(
        `insert into app.permission_group (name, roles) values ('${name}', '{}')
         on conflict (name) do update set roles = '{}', ${changed}`,
      )
      .execute(db)
  await set('basicInfoView', `version = 1, changed_by = null`)
  await set('appicationView', `version = 2, changed_by = null`)
  await sql`update app.permission_group set version = 2 where name = 'appicationView'`.execute(db)
  await again(groups)
  const { rows } = await sql<{ name: string; roles: string[] }>`select name, roles from app.permission_group
    where name in ('basicInfoView', 'appicationView') order by name`.execute(db)
  expect(rows).toEqual([
    { name: 'appicationView', roles: [] },
    { name: 'basicInfoView', roles: ['Exam AR', 'Exam MA'] },
  ])
})

test('0083 gives degrees their stage, freezes programs, and drops what was written before one was chosen', async () => {
  const { db } = database
  const [bachelor, master] = [
    await anItem(db, 'setup/degree', { data: { level: 'Bachelor (Honours)' } }),
    await anItem(db, 'setup/degree', { data: { level: 'Master' } }),
  ]
  const programme = await anItem(db, 'setup/degree-program', { data: { degree: bachelor } })
  const student = await anItem(db, 'platform/student', { data: { programme, programme_before: 'Music' } })
  const words = await anItem(db, 'platform/student', { data: { programme_before: 'Music' } })
  await again(programmes, [
    'drop trigger student_keeps_stage on app.register_item',
    'drop function app.student_keeps_stage()',
    'drop function app.stage_of_programme(text)',
  ])
  expect((await read(bachelor)).data).toMatchObject({ stage: 'Undergraduate' })
  expect((await read(master)).data).toMatchObject({ stage: 'Postgraduate' })
  expect((await read(student)).data).toEqual({ programme })
  expect((await read(words)).data).toEqual({ programme_before: 'Music' })
  const { rows } = await sql<{ freezes: string[] | null }>`select freezes from app.register_reference
    where item_id = ${student}::uuid and path = '/programme'`.execute(database.owner.db)
  expect(rows).toEqual([{ freezes: ['faculty', 'department?', 'degree'] }])
})

test('0092 marks lost cards, and puts the cards and tickets of students who are not active out of use', async () => {
  const { db } = database
  const [active, suspended] = [
    await anItem(db, 'platform/student', { status: 'active' }),
    await anItem(db, 'platform/student', { status: 'suspended' }),
  ]
  const [lost, damaged] = [
    await anItem(db, 'id-cards/reason', { data: { name: 'Lost' } }),
    await anItem(db, 'id-cards/reason', { data: { name: 'Damaged' } }),
  ]
  const kept = await anItem(db, 'id-cards/card', { data: { student: active, number: 'C-1' } })
  const ended = await anItem(db, 'id-cards/card', { data: { student: suspended, number: 'C-2' } })
  const ticket = await anItem(db, 'season-tickets/ticket', { status: 'Issued', data: { student: suspended } })
  await again(cards, ['drop index app.register_item_card_number', 'drop index app.register_item_card_replaces'])
  expect(await read(lost)).toMatchObject({ version: 2, data: { lost: true } })
  expect((await read(damaged)).data).toEqual({ name: 'Damaged' })
  expect(await read(kept)).toMatchObject({ status: 'Active', version: 1 })
  for (const id of [ended, ticket])
    expect(await read(id)).toMatchObject({ status: 'Not In Use', data: { reason: 'student-not-active' } })
  const { rows } = await sql<{ status: string }>`select status from app.register_item_version
    where item_id = ${ended}::uuid`.execute(database.owner.db)
  expect(rows).toEqual([{ status: 'Not In Use' }])
})

test('0109 says of the type of subjects without credits that it counts for none', async () => {
  const [none, core] = await Promise.all(
    ['Non Credit Compulsory', 'Core'].map((name) =>
      anItem(database.db, 'course-management/course-type', { data: { name } }),
    ),
  )
  await again(uncounted)
  expect(await read(none!)).toMatchObject({ version: 2, data: { uncounted: true } })
  expect(await read(core!)).toMatchObject({ version: 1, data: { name: 'Core' } })
})

test('0110 keeps the name of a bursary with a value', async () => {
  const { db } = database
  const scheme = await anItem(db, 'bursary/scheme', { data: { name: 'Full Bursary', code: 'FULL' } })
  await anItem(db, 'bursary/installment-value', { data: { scheme } })
  const renames = (name: string) =>
    sql`update register_item set data = data || ${JSON.stringify({ name })}::jsonb where id = ${scheme}`.execute(db)
  await renames('Whole Bursary')
  await again(named)
  await expect(renames('Full Bursary')).rejects.toMatchObject({ constraint: 'entry_frozen' })
})
