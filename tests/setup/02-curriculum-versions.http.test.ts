import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { until } from '../platform/kit/poll.ts'
import { anItem } from '../platform/kit/rows.ts'

const itemsOf = (register: string) => `/api/registers/${register}/items`

let database: TestDatabase
let own: TestApp
let ma: Caller
let admin: Caller
let faculty: string
let program: string
let intake: string
let from: string
let kind: string

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  faculty = await anItem(db, 'platform/faculty')
  program = await anItem(db, 'setup/degree-program', { data: { faculty } })
  intake = await anItem(db, 'intakes/intake')
  from = await anItem(db, 'year-renewals/academic-year')
  kind = await anItem(db, 'course-management/course-type', { data: { name: 'Main' } })
  ma = await own.person('ma', { role: 'MA', scope: { kind: 'faculty', id: faculty } })
  admin = await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const adds = async (who: Caller, register: string, data: object) =>
  (await who.send('POST', itemsOf(register), { data })).json()

async function changes(who: Caller, register: string, id: string, more: object): Promise<any> {
  const { data, version } = (await who.send('GET', `${itemsOf(register)}/${id}`)).json()
  const match = { 'if-match': `"${version}"` }
  return (await who.send('PUT', `${itemsOf(register)}/${id}`, { data: { ...data, ...more } }, match)).json()
}

const aSubject = async (code: string): Promise<string> =>
  (await adds(ma, 'setup/subject', { code, name: `Theory ${code}`, faculty, credits: 3 })).id

const row = (subject: string, more: object = {}) => ({ year: 1, semester: 1, subject, kind, ...more })

/** A version in use, whose approval is of no interest here. */
async function aVersion(version: number, subjects: object[]): Promise<string> {
  const data = { name: `Music ${version} of ${program}`, program, version, from, subjects }
  const { id } = await adds(ma, 'setup/curriculum', data)
  const approved = await admin.send('POST', `${itemsOf('setup/curriculum')}/${id}/status`, { status: 'Approved' })
  expect(approved.json()).toMatchObject({ status: 'Approved' })
  return id
}

test('a version that an intake follows never changes, and neither does the batch once it has students', async () => {
  const [first, second] = [await aSubject('MUS1'), await aSubject('MUS2')]
  const curriculum = await aVersion(1, [row(first)])
  // Until an intake follows it, it may change.
  const free = await changes(ma, 'setup/curriculum', curriculum, { subjects: [row(first), row(second)] })
  expect(free.data.subjects).toHaveLength(2)
  await admin.send('POST', `${itemsOf('setup/curriculum')}/${curriculum}/status`, { status: 'Approved' })

  const batch = { name: 'Music 2025/2026', intake, programme: program, year: 1 }
  const { id } = await adds(ma, 'batches/batch', batch)
  expect(await changes(ma, 'batches/batch', id, { curriculum })).toMatchObject({ data: { curriculum } })
  const refused = await changes(ma, 'setup/curriculum', curriculum, { subjects: [row(first)] })
  expect(refused.errors).toMatchObject([{ field: '/subjects', code: 'platform.item-frozen' }])
  expect(refused.errors[0].message).toContain('Music 2025/2026')
  const direct = database.db
    .updateTable('register_item')
    .set({ data: JSON.stringify({ name: 'Music 1', program, version: 1, from, subjects: [] }) })
    .where('id', '=', curriculum)
    .execute()
  await expect(direct).rejects.toMatchObject({ constraint: 'entry_frozen' })
  // Credits of a subject that a curriculum names are those of the curriculum.
  const credits = await changes(ma, 'setup/subject', first, { credits: 4 })
  expect(credits.errors).toMatchObject([{ field: '/credits', code: 'platform.item-frozen' }])
  // Registrations under way find it by its code.
  const renamed = await changes(ma, 'setup/subject', first, { code: 'MUS9999' })
  expect(renamed.errors).toMatchObject([{ field: '/code', code: 'platform.item-frozen' }])
  // No prerequisites says that there are none.
  const needs = await changes(ma, 'setup/subject', second, { prerequisites: [{ subject: first }] })
  expect(needs.errors).toMatchObject([{ field: '/prerequisites', code: 'platform.item-frozen' }])
  const chosen = await changes(admin, 'course-management/course-type', kind, { chosen: true })
  expect(chosen.errors).toMatchObject([{ field: '/chosen', code: 'platform.item-frozen' }])

  const newer = await aVersion(2, [row(first)])
  expect(await changes(ma, 'batches/batch', id, { curriculum: newer })).toMatchObject({ data: { curriculum: newer } })
  const student = {
    reg_no: 'FOM/25/1',
    full_name: 'Nuwan Perera',
    nic: '200012345678',
    email: 'nuwan.p@students.prakriya.example',
    ...{ faculty, programme: program, intake, batch: id },
  }
  expect(await adds(admin, 'platform/student', student)).toMatchObject({ status: 'unregistered' })
  const kept = await changes(ma, 'batches/batch', id, { curriculum })
  expect(kept.errors).toMatchObject([{ field: '/curriculum', code: 'platform.item-frozen' }])
  expect(await changes(ma, 'batches/batch', id, { year: 2 })).toMatchObject({ data: { year: 2, curriculum: newer } })
})

test('a batch waits for a change of the version that it names, and then follows what was stored', async () => {
  program = await anItem(database.db, 'setup/degree-program', { data: { faculty } })
  const curriculum = await aVersion(1, [row(await aSubject('W1'))])
  const batch = { name: 'Dance 2025/2026', intake, programme: program, year: 1 }
  const { id } = await adds(ma, 'batches/batch', batch)
  const waits = `select from pg_locks join pg_stat_activity using (pid)
    where not granted and pg_stat_activity.datname = current_database()`
  let naming: Promise<unknown> = Promise.resolve()
  await database.db.transaction().execute(async (trx) => {
    await trx.selectFrom('register_item').select('id').where('id', '=', curriculum).forNoKeyUpdate().execute()
    naming = changes(ma, 'batches/batch', id, { curriculum })
    await until('the batch waits', async () => (await database.owner.pool.query(waits)).rowCount === 1, { seconds: 5 })
  })
  expect(await naming).toMatchObject({ data: { curriculum } })
})

test('two versions are compared: subjects added, removed and moved, and other credits', async () => {
  const [gone, moved, heavier, same, added] = await Promise.all(['C1', 'C2', 'C3', 'C4', 'C5'].map(aSubject))
  program = await anItem(database.db, 'setup/degree-program', { data: { faculty } })
  const before = await aVersion(1, [row(gone!), row(moved!), row(heavier!), row(same!)])
  const alone = (await ma.send('GET', `/api/setup/curriculums/${before}/comparison`)).json()
  expect(alone).toMatchObject({ before, after: null, credits: { before: 12 }, rows: Array(4).fill({ after: null }) })
  expect(alone.totals).toEqual([
    { year: 1, semester: 1, before: 12, after: 0 },
    { year: 1, semester: null, before: 12, after: 0 },
  ])
  const data = [row(moved!, { semester: 2 }), row(heavier!, { credits: 4 }), row(same!), row(added!)]
  const { id: after } = await adds(ma, 'setup/curriculum', {
    name: 'Music next',
    program,
    version: 2,
    from,
    subjects: data,
  })
  const compared = (await ma.send('GET', `/api/setup/curriculums/${after}/comparison`)).json()
  expect(compared).toMatchObject({ before, after, credits: { before: 12, after: 13 } })
  const found = Object.fromEntries(compared.rows.map((one: any) => [one.subject.title.split(' ')[0], one.is]))
  expect(found).toEqual({ C1: 'removed', C2: 'changed', C3: 'changed', C4: 'same', C5: 'added' })
  const stranger = await ma.send('GET', `/api/setup/curriculums/${after}/comparison?with=${intake}`)
  expect(stranger.statusCode).toBe(404)
})

test('a curriculum names a subject once, and each after what it needs; a subject does not need itself', async () => {
  program = await anItem(database.db, 'setup/degree-program', { data: { faculty } })
  const [first, second] = [await aSubject('N1'), await aSubject('N2')]
  const needing = await changes(ma, 'setup/subject', second, { prerequisites: [{ subject: first }] })
  expect(needing).toMatchObject({ data: { prerequisites: [{ subject: first }] } })
  const itself = await changes(ma, 'setup/subject', first, { prerequisites: [{ subject: first }] })
  expect(itself.errors).toMatchObject([{ field: '/prerequisites/0/subject', code: 'platform.names-itself' }])

  const data = { name: `Order of ${program}`, program, version: 1, from }
  const wrong = async (...subjects: object[]) =>
    (await adds(ma, 'setup/curriculum', { ...data, subjects })).errors.map(
      ({ field, message }: { field: string; message: string }) => [field, message],
    )
  expect(await wrong(row(first), row(first, { semester: 2 }))).toEqual([
    ['/subjects', 'Row 2 names a subject that an earlier row has already'],
  ])
  expect((await adds(ma, 'setup/curriculum', { ...data, subjects: [null, row(first)] })).status).toBe(422)
  expect(await wrong(row(second))).toEqual([
    ['/subjects/0/subject', 'Row 1: N2 Theory N2 needs N1 Theory N1, which no row names'],
  ])
  expect(await wrong(row(first), row(second))).toEqual([
    ['/subjects/1/subject', 'Row 2: N2 Theory N2 needs N1 Theory N1, which does not come earlier'],
  ])
  const right = await aVersion(1, [row(first), row(second, { semester: 2 })])
  const { rows } = (await ma.send('GET', `/api/setup/curriculums/${right}/comparison`)).json()
  expect(rows.map((one: any) => one.before.needs)).toEqual(['', 'N1'])
  const directly = (subjects: object[]) =>
    database.db
      .updateTable('register_item')
      .set({ data: JSON.stringify({ ...data, subjects }) })
      .where('id', '=', right)
      .execute()
  await expect(directly([row(first), row(first)])).rejects.toMatchObject({ constraint: 'item_within_bounds' })
  // Both are in the first year, and the order of the rows is that of the rule.
  const rules = { earlier: { list: 'prerequisites', names: 'subject', by: ['year'] } }
  const late = database.owner.pool.query(
    "update app.register_reference set rules = $2 where item_id = $1 and path = '/subjects/1/subject'",
    [right, JSON.stringify(rules)],
  )
  await expect(late).rejects.toMatchObject({ constraint: 'reference_earlier' })
  const selfNaming = database.owner.pool.query(
    'insert into app.register_reference (item_id, path, target_id, rules) values ($1, $2, $1, $3)',
    [right, '/other', JSON.stringify({ another: true })],
  )
  await expect(selfNaming).rejects.toMatchObject({ constraint: 'reference_another' })
})

test('a batch follows no curriculum that is taught from a later year than its intake', async () => {
  const { db } = database
  program = await anItem(db, 'setup/degree-program', { data: { faculty } })
  const [earlier, later] = [
    await anItem(db, 'year-renewals/academic-year', { data: { starts_on: '2025-01-06' } }),
    await anItem(db, 'year-renewals/academic-year', { data: { starts_on: '2026-01-05' } }),
  ]
  const began = await anItem(db, 'intakes/intake', { data: { academic_year: earlier } })
  from = later
  const curriculum = await aVersion(1, [row(await aSubject('L1'))])
  const batch = { name: `Late ${program}`, intake: began, programme: program, year: 1 }
  const { errors } = await adds(ma, 'batches/batch', { ...batch, curriculum })
  expect(errors).toMatchObject([{ field: '/curriculum', code: 'batches.curriculum-later' }])
  expect(await adds(ma, 'batches/batch', { ...batch, intake: 'x', curriculum })).toMatchObject({ status: 422 })
  from = earlier
  const fitting = await aVersion(2, [row(await aSubject('L2'))])
  const { id } = await adds(ma, 'batches/batch', { ...batch, curriculum: fitting })
  const rules = { notLater: { at: '/from#/data/starts_on', than: '/intake#/data/academic_year#/data/starts_on' } }
  const direct = database.owner.pool.query(
    'insert into app.register_reference (item_id, path, target_id, rules) values ($1, $2, $3, $4)',
    [id, '/other', curriculum, JSON.stringify(rules)],
  )
  await expect(direct).rejects.toMatchObject({ constraint: 'reference_not_later' })
  const moved = await changes(admin, 'intakes/intake', began, { academic_year: later })
  expect(moved.errors).toContainEqual(
    expect.objectContaining({ field: '/academic_year', code: 'platform.item-frozen' }),
  )
})

test('a set-up limits subjects of its year of study alone, and two of a batch and year are not open on one day', async () => {
  const { db } = database
  program = await anItem(db, 'setup/degree-program', { data: { faculty } })
  from = await anItem(db, 'year-renewals/academic-year', { data: { starts_on: '2025-01-06' } })
  const [first, second, stranger] = [await aSubject('S1'), await aSubject('S2'), await aSubject('S3')]
  const curriculum = await aVersion(1, [row(first), row(second, { year: 2 })])
  const began = await anItem(db, 'intakes/intake', { data: { academic_year: from } })
  const batch = (
    await adds(ma, 'batches/batch', { name: 'Set up', intake: began, programme: program, year: 1, curriculum })
  ).id
  const SETUPS = 'students/subject-registration-setup'
  const asked = (name: string, more: object = {}) => ({
    ...{ name, batch, academic_year: from, year: 2, min_credits: 1, max_credits: 30 },
    ...{ opens: '2026-01-01', closes: '2026-01-31', ...more },
  })
  const wrong = async (more: object) =>
    (await adds(ma, SETUPS, asked('Wrong', more))).errors.map((one: any) => [one.field, one.message])
  const limits = (...subjects: string[]) => ({ limits: subjects.map((subject) => ({ subject, places: 5 })) })
  const elsewhere = (at: number, of: string) => [
    `/limits/${at}/subject`,
    `Row ${at + 1}: ${of} Theory ${of} is no subject of this year of study in the curriculum of the batch`,
  ]
  expect(await wrong(limits(second!, first!, stranger!))).toEqual([elsewhere(1, 'S1'), elsewhere(2, 'S3')])
  const year = await adds(ma, SETUPS, asked('Year 2', limits(second!)))
  expect(year).toMatchObject({ status: 'Active' })
  const moved = await changes(ma, SETUPS, year.id, { year: 1 })
  expect(moved.errors).toMatchObject([{ field: '/limits/0/subject', code: 'students.limit-elsewhere' }])
  const direct = database.owner.pool.query(
    "update app.register_reference set target_id = $2 where item_id = $1 and path = '/limits/0/subject'",
    [year.id, first],
  )
  await expect(direct).rejects.toMatchObject({ constraint: 'reference_listed' })

  const later = await anItem(db, 'year-renewals/academic-year', { data: { starts_on: '2026-01-05' } })
  expect(await wrong({ academic_year: later, opens: '2026-01-31', closes: '2026-03-01' })).toEqual([
    [
      '/closes',
      'In these days Year 2 is open for the same students already: two set-ups of a batch and year do not overlap',
    ],
  ])
  expect(await wrong({ academic_year: later, opens: '2026-02-31', closes: 'soon' })).toHaveLength(2)
  const next = await adds(
    ma,
    SETUPS,
    asked('Next', { academic_year: later, opens: '2026-02-01', closes: '2026-03-01' }),
  )
  expect(next).toMatchObject({ status: 'Active' })
  const last = await anItem(db, 'year-renewals/academic-year', { data: { starts_on: '2027-01-04' } })
  // One from before the rule, which overlaps, keeps its days, and gets no others that overlap.
  const older = await adds(
    ma,
    SETUPS,
    asked('Older', { opens: '2026-03-10', closes: '2026-03-20', academic_year: last }),
  )
  const begins = `with before as (delete from app.register_span where item_id = $1)
    update app.register_item set data = data || '{"opens": "2026-02-20"}' where id = $1`
  await database.owner.pool.query(begins, [older.id])
  expect(await changes(ma, SETUPS, older.id, { min_credits: 2 })).toMatchObject({ data: { min_credits: 2 } })
  const wider = await changes(ma, SETUPS, older.id, { opens: '2026-02-19' })
  expect(wider.errors).toMatchObject([{ field: '/closes', code: 'students.setups-overlap' }])
  expect(await changes(ma, SETUPS, older.id, { opens: '2026-03-10' })).toMatchObject({ status: 'Active' })
  // At the same time, both see nothing of each other.
  const both = { academic_year: later, opens: '2026-05-01', closes: '2026-05-31', year: 1 }
  const answers = await Promise.all([
    adds(ma, SETUPS, asked('Both A', { ...both, academic_year: from })),
    adds(admin, SETUPS, asked('Both B', both)),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([422, 'Active'])
  const [refused] = answers.filter(({ status }) => status === 422)
  expect(refused.errors[0].message).toMatch(/^In these days Both [AB] is open/)
  const apart = database.owner.pool.query(
    `insert into app.register_span (register, field, value, span, item_id)
       select register, field, value, span, $2 from app.register_span where item_id = $1`,
    [next.id, later],
  )
  await expect(apart).rejects.toMatchObject({ constraint: 'register_span_apart' })
  // Who enters one that a second person approves hears of it, and not who approves it.
  const REGISTRATIONS = 'students/registration-setup'
  const { year: _, ...registration } = asked('Registration', { fee: 100, bank_account: 'Demonstration Bank' })
  const agreed = await adds(ma, REGISTRATIONS, registration)
  await admin.send('POST', `${itemsOf(REGISTRATIONS)}/${agreed.id}/status`, { status: 'Active' })
  const overlaps = await adds(ma, REGISTRATIONS, { ...registration, name: 'Registration again', academic_year: later })
  expect(overlaps.errors).toMatchObject([{ field: '/closes', code: 'students.setups-overlap' }])
  // Who is out of use is in nobody's way, and comes back only once the days are free.
  const sets = async (status: string) =>
    (await admin.send('POST', `${itemsOf(SETUPS)}/${year.id}/status`, { status })).json()
  await sets('Inactive')
  expect(await changes(ma, SETUPS, next.id, { opens: '2026-01-15' })).toMatchObject({ status: 'Active' })
  expect((await sets('Active')).errors).toMatchObject([{ field: '/closes', code: 'students.setups-overlap' }])
})

test('the register says how a new version is made from an entry', async () => {
  const { versions } = (await ma.send('GET', '/api/registers/setup/curriculum')).json()
  expect(versions).toMatchObject({ next: '/version', clears: ['/name'] })
})
