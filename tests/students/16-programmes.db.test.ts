import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Kysely } from 'kysely'
import { join } from 'node:path'
import withoutProgramme from '../../api/students/without-programme.report.ts'
import { up } from '../../api/platform/kernel/db/migrations/0081-programmes-of-students.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))

let database: TestDatabase
let faculty: string
let western: string
let oriental: string
let batch: string
let intake: string

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  faculty = await anItem(db, 'platform/faculty')
  intake = await anItem(db, 'intakes/intake')
  const degree = await anItem(db, 'setup/degree', { data: { name: 'Bachelor of Arts', code: 'BA', level: 'Bachelor' } })
  const program = (name: string, of: string) =>
    anItem(db, 'setup/degree-program', { data: { name, code: name.slice(0, 3), degree, faculty: of } })
  western = await program('Western Music', faculty)
  oriental = await program('Oriental Music', faculty)
  await program('Painting', await anItem(db, 'platform/faculty'))
  batch = await anItem(db, 'batches/batch', { data: { programme: oriental, intake } })
})
afterAll(() => database.drop())

const programmeOf = async (id: string) => {
  const { data } = await database.db
    .selectFrom('register_item')
    .select('data')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { programme: data['programme'], before: data['programme_before'] }
}

test('a programme in words becomes the entry of that name; what names none is kept, and listed', async () => {
  const { db, owner } = database
  const written: [string, object, unknown][] = [
    ['Western Music', {}, western],
    ['  bachelor of ARTS in  Western Music ', {}, western],
    ['BA in Oriental Music', {}, oriental],
    ['Ori', {}, oriental],
    ['Music', { batch }, oriental],
    // Of another faculty, of two programs, of none.
    ['Painting', {}, undefined],
    ['Bachelor of Arts', {}, undefined],
    ['Arts', {}, undefined],
  ]
  const ids: string[] = []
  for (const [programme, more] of written)
    ids.push(
      await anItem(db, 'platform/student', {
        status: 'active',
        data: { reg_no: `S/${ids.length}`, full_name: 'Student', faculty, intake, programme, ...more },
      }),
    )
  const setup = await anItem(db, 'students/registration-setup', { data: { batch, programme: 'Music' } })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a migration knows no tables
  await up(owner.db as unknown as Kysely<unknown>)
  for (const [index, [words, , found]] of written.entries())
    expect([words, await programmeOf(ids[index]!)]).toEqual([
      words,
      { programme: found, before: found === undefined ? words : undefined },
    ])
  expect(await programmeOf(setup)).toEqual({})
  // The references go with the values, so that lists, deletions and rules see them.
  const named = await db
    .transaction()
    .execute((trx) => registers(trx, library).list('platform/student', { filters: { programme: oriental } }))
  expect(named.items).toHaveLength(3)
  const listed = await withoutProgramme.rows({ db, filter: { faculty }, limit: 10 } as never)
  expect(listed.map(({ number, written: words }) => [number, words])).toEqual([
    ['S/5', 'Painting'],
    ['S/6', 'Bachelor of Arts'],
    ['S/7', 'Arts'],
  ])
})

test('a student is of an existing programme of their faculty, and of a batch of that programme', async () => {
  const { db, owner } = database
  let n = 0
  const made = (more: object) =>
    db.transaction().execute((trx) =>
      registers(trx, library).create(
        'platform/student',
        {
          ...{ reg_no: `N/${(n += 1)}`, full_name: 'New', nic: `20011234560${n}`, email: `new${n}@example.lk` },
          ...{ faculty, intake, ...more },
        },
        null,
      ),
    )
  const refused = (field: string, code: string) => ({ fields: [expect.objectContaining({ field, code })] })
  await expect(made({})).rejects.toMatchObject(refused('/programme', 'platform.field-required'))
  await expect(made({ programme: 'Music' })).rejects.toMatchObject({ fields: [{ field: '/programme' }] })
  const elsewhere = await anItem(db, 'setup/degree-program', {
    data: { faculty: await anItem(db, 'platform/faculty') },
  })
  await expect(made({ programme: elsewhere })).rejects.toMatchObject(refused('/programme', 'platform.item-not-within'))
  await expect(made({ programme: faculty })).rejects.toMatchObject(refused('/programme', 'platform.item-unknown'))
  await expect(made({ programme: western, batch })).rejects.toMatchObject({ fields: [{ field: '/programme' }] })
  const student = await made({ programme: oriental, batch })
  await db.transaction().execute((trx) => registers(trx, library).setStatus(student, 'active', null))
  const other = await anItem(db, 'batches/batch', { data: { programme: western, intake } })
  // An active student's batch is one of their programme; the database says so too.
  const moved = `update app.register_reference set target_id = $2 where item_id = $1 and path = '/batch'`
  await expect(owner.pool.query(moved, [student.id, other])).rejects.toThrow('does not agree')
})
