import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { previewGathered, startGathered } from '../../api/platform/features/batches/gathered.ts'
import { getPerson } from '../../api/platform/people/identity/accounts.ts'
import { mayOpen } from '../../forms/platform/may-open.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem, aProgramme } from '../platform/kit/rows.ts'

const STUDENTS = '/api/registers/platform/student/items'
const LINKS = '/api/students/password-links'
const library = loadLibrary(join(import.meta.dirname, '../..'))
const { screens } = library

let database: TestDatabase
let own: TestApp
let admin: Caller
let affairs: Caller
let it: Caller
let ma: Caller
let intake: string
let year: string
/** Students of the assistant's faculty, and of another. */
let mine: string[]
let others: string[]
/** What is private of each student. */
const SECRETS = ['nic', 'mobile_no', 'email'] as const
const particulars = new Map<string, Record<(typeof SECRETS)[number], string>>()

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  const [faculty, far] = [await anItem(db, 'platform/faculty'), await anItem(db, 'platform/faculty')]
  year = await anItem(db, 'year-renewals/academic-year', { data: { name: '2027' } })
  const name = '2027/2028'
  intake = await anItem(db, 'intakes/intake', { data: { name, academic_year: year, starts_on: '2027-01-05' } })
  admin = await own.person('admin', { role: 'ADMIN' })
  affairs = await own.person('affairs', { role: 'SSW AR' })
  it = await own.person('it', { role: 'Head of IT' })
  ma = await own.person('ma', { role: 'MA', scope: { kind: 'faculty', id: faculty } })
  const programmes = new Map([
    [faculty, await aProgramme(db, { faculty })],
    [far, await aProgramme(db, { faculty: far })],
  ])
  const aStudent = async (n: number, of: string) => {
    const secret = { nic: `200530123${n}0`, mobile_no: `0771234${n}9`, email: `s${n}@students.example.lk` }
    const data = {
      reg_no: `R/${n}`,
      full_name: `Student ${n}`,
      faculty: of,
      programme: programmes.get(of),
      intake,
      ...secret,
    }
    const { statusCode, ...made } = await admin.send('POST', STUDENTS, { data })
    expect(statusCode).toBe(201)
    particulars.set(made.json().id, secret)
    return made.json().id
  }
  mine = [await aStudent(11, faculty), await aStudent(12, faculty)]
  others = [await aStudent(13, far)]
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const ofIntake = async (who: Caller, path: string) => {
  const { statusCode, body } = await who.send('GET', path)
  const ids = statusCode === 200 ? JSON.parse(body).items.map(({ id }: { id: string }) => id) : []
  return { statusCode, ids: ids.toSorted(), body }
}
const all = () => [...mine, ...others].toSorted()
/** The pages of intakes that somebody may open. */
const pagesOf = async (who: Caller): Promise<string[]> => {
  const me = (await who.send('GET', '/api/me')).json()
  const pages = screens.filter(({ title }) => title.startsWith('intakes.'))
  return pages.flatMap((screen) => (mayOpen(me, screen) ? [screen.route] : []))
}
/** The page to which the list of intakes leads people who may open these pages: the first of the declared ones. */
const leadsFrom = (pages: readonly string[]) => {
  const list = screens.find(({ route }) => route === '/intake/all')
  return (list!.parameters!['itemPage'] as string[]).find((page) => pages.includes(page))
}
const starts = async (who: Caller): Promise<boolean> =>
  (await who.send('GET', '/api/flows'))
    .json()
    .items.some(({ flow }: { flow: string }) => flow === 'intakes/status-change')

test('student affairs see every student of an intake, change it, add to it, and propose changes of status', async () => {
  expect((await ofIntake(affairs, `${STUDENTS}?filter.intake=${intake}`)).ids).toEqual(all())
  const one = (await affairs.send('GET', `${STUDENTS}/${others[0]}`)).json()
  expect(one).toMatchObject({ mayChange: true, data: particulars.get(others[0]!) })
  const there = (await affairs.send('GET', `/api/registers/intakes/intake/items/${intake}`)).json()
  expect(there.mayChange).toBe(true)
  const note = await affairs.send(
    'PUT',
    `/api/registers/intakes/intake/items/${intake}`,
    { data: { ...there.data, note: 'Orientation on the first day' } },
    { 'if-match': `"${there.version}"` },
  )
  expect(note.statusCode).toBe(200)
  expect(await starts(affairs)).toBe(true)
  const pages = await pagesOf(affairs)
  for (const page of ['/intake/all', '/intake/create', '/intake/edit/{id}', '/intake/studentlist/{id}'])
    expect(pages).toContain(page)
  for (const page of ['/intake/addstudents/{id}', '/studentaffairs/viewIntake/{id}']) expect(pages).toContain(page)
  expect(pages).not.toContain('/ma/viewIntake/{id}')
  expect(leadsFrom(pages)).toBe('/studentaffairs/viewIntake/{id}')
  // How far each faculty is; nobody is named.
  const progress = await affairs.send('GET', `/api/reports/intakes/progress?filter.intake=${intake}`)
  const { rows, totals } = progress.json()
  expect(rows.map(({ students }: { students: number }) => students).toSorted()).toEqual([1, 2])
  expect(totals).toMatchObject({ students: 3, unregistered: 3, active: 0, password: 3, admission: 3, documents: 0 })
  expect(progress.body).not.toContain('Student 1')
  // Administrators see everything.
  expect((await ofIntake(admin, `${STUDENTS}?filter.intake=${intake}`)).ids).toEqual(all())
})

test('the IT unit sees accounts and links of all, sends again, and reads nothing private', async () => {
  const listed = async (more = '') => ofIntake(it, `${LINKS}?intake=${intake}${more}`)
  const first = await listed()
  expect(first.ids).toEqual(all())
  expect(Object.keys(JSON.parse(first.body).items[0]).toSorted()).toEqual([
    'department',
    'faculty',
    'id',
    'intake',
    'link',
    'name',
    'regNo',
    'status',
    'year',
  ])
  // Sent, then used: each is found by its state.
  const [sent, used] = mine as [string, string]
  expect((await it.send('POST', LINKS, { items: [sent, used] })).json()).toMatchObject({ sent: 2, skipped: [] })
  await database.db.updateTable('account').set({ password_hash: 'x' }).where('record_id', '=', used).execute()
  expect((await listed('&link=again')).ids).toEqual([sent])
  expect((await listed('&link=has-password')).ids).toEqual([used])
  expect((await listed('&link=first')).ids).toEqual(others)
  const again = (await it.send('POST', LINKS, { filter: { intake, link: 'again' } })).json()
  expect(again).toEqual({ sent: 0, resent: 1, skipped: [] })
  expect((await it.send('POST', LINKS, { items: [used] })).json().skipped).toMatchObject([{ reason: 'has-password' }])
  expect((await it.send('GET', `${LINKS}?intake=${intake}&link=lost`)).statusCode).toBe(400)

  const told = await Promise.all(
    [`${LINKS}?intake=${intake}`, `${STUDENTS}?filter.intake=${intake}`, `${STUDENTS}/${sent}`, '/api/registers'].map(
      async (path) => (await it.send('GET', path)).body,
    ),
  )
  for (const secret of [...particulars.values()].flatMap((of) => SECRETS.map((name) => of[name])))
    for (const body of told) expect(body).not.toContain(secret)
  expect((await it.send('GET', `${STUDENTS}/${sent}`)).statusCode).toBe(404)
  expect((await it.send('POST', `${STUDENTS}`, { data: {} })).statusCode).toBe(404)
  expect(await starts(it)).toBe(false)
  const pages = await pagesOf(it)
  expect(pages).toEqual(expect.arrayContaining(['/itunit/Intakes', '/itunit/viewIntake/{id}']))
  expect(leadsFrom(pages)).toBe('/itunit/viewIntake/{id}')
  expect(pages).not.toContain('/ma/viewIntake/{id}')
  expect(pages).not.toContain('/intake/studentlist/{id}')
  expect(pages).not.toContain('/intake/addstudents/{id}')
})

test('a Management Assistant sees the students of the own faculty in an intake, and no other', async () => {
  const listed = await ofIntake(ma, `${STUDENTS}?filter.intake=${intake}`)
  expect(listed.ids).toEqual(mine.toSorted())
  expect(listed.body).not.toContain('Student 13')
  expect((await ofIntake(ma, `${STUDENTS}?filter.intake=${intake}&search=Student%2013`)).ids).toEqual([])
  expect((await ofIntake(ma, `${STUDENTS}?filter.intake=${intake}&search=200530123130&whole=true`)).ids).toEqual([])
  expect((await ma.send('GET', `${STUDENTS}/${others[0]}`)).statusCode).toBe(404)
  expect((await ma.send('GET', `${STUDENTS}/${mine[0]}`)).json()).toMatchObject({ mayChange: false })
  const links = await ma.send('GET', `${LINKS}?intake=${intake}`)
  expect(links.statusCode).toBe(403)
  // The intake is read and not written, and nobody is added to it.
  const there = (await ma.send('GET', `/api/registers/intakes/intake/items/${intake}`)).json()
  expect(there).toMatchObject({ mayChange: false, data: { academic_year: year } })
  expect((await ma.send('POST', STUDENTS, { data: {} })).statusCode).toBe(403)
  expect(await starts(ma)).toBe(true)
  const pages = await pagesOf(ma)
  expect(pages).toEqual(expect.arrayContaining(['/intake/all', '/ma/viewIntake/{id}', '/intake/studentlist/{id}']))
  for (const page of ['/itunit/viewIntake/{id}', '/intake/edit/{id}', '/intake/addstudents/{id}', '/intake/create'])
    expect(pages).not.toContain(page)
  expect(leadsFrom(pages)).toBe('/ma/viewIntake/{id}')
  expect(pages).not.toContain('/studentaffairs/viewIntake/{id}')
  expect((await ma.send('GET', `/api/reports/intakes/progress?filter.intake=${intake}`)).statusCode).toBe(404)
})

test('the page of a Management Assistant counts what waits for it among the own students, and nothing of others', async () => {
  const page = screens.find(({ route }) => route === '/ma/viewIntake/{id}')
  const numbers = page?.parameters?.['numbers'] as { for: string[]; title: string; reads: { path: string } }[]
  const counted = async (who: Caller) =>
    Object.fromEntries(
      await Promise.all(
        numbers.map(async ({ title, reads: { path } }) => {
          const answer = (await who.send('GET', path.replace('{id}', intake))).json()
          return [title.replace('intakes.number.', ''), answer.count.value]
        }),
      ),
    )
  const none = { registrations: 0, documents: 0 }
  expect(await counted(ma)).toEqual({ ...none, unregistered: 2, 'without-admission': 2 })
  expect(await counted(admin)).toEqual({ ...none, unregistered: 3, 'without-admission': 3 })
  await anItem(database.db, 'students/admission', { data: { student: mine[0] } })
  await anItem(database.db, 'students/admission', { data: { student: mine[1] }, status: 'Inactive' })
  await anItem(database.db, 'students/admission', { data: { student: others[0] } })
  expect(await counted(ma)).toEqual({ ...none, unregistered: 2, 'without-admission': 1 })
  const lacking = await ofIntake(ma, `${STUDENTS}?filter.intake=${intake}&lacks=students/admission`)
  expect(lacking.ids).toEqual([mine[1]])
  // Who has left needs none, as the report of the intake says.
  const left = { status: 'deactivated' }
  await database.db.updateTable('register_item').set(left).where('id', '=', mine[1]!).execute()
  expect(await counted(ma)).toEqual({ ...none, unregistered: 1, 'without-admission': 0 })
  // Only of a list that is wanted, and that the reader sees.
  for (const [who, list] of [
    [ma, 'id-cards/card'],
    [await own.person('finance', { role: 'Finance MA' }), 'students/admission'],
  ] as const)
    expect((await who.send('GET', `${STUDENTS}?lacks=${list}`)).statusCode).toBe(400)
})

test('a change for many reads what it begins with over the connection of its transaction alone', async () => {
  const { db } = database
  const person = await getPerson(db, affairs.id)
  const choice = { filters: { intake } }
  /** Begins nothing; says what would be begun. */
  const submitMany = (_: unknown, { all: begins }: { all(trx: unknown): Promise<unknown[]> }) =>
    db
      .transaction()
      .execute(async (trx) => (await begins(trx)).map((one) => ({ ...(one as object), id: '', reference: '' })))
  const context = (of: object) => ({ db: of, library, cases: { submitMany } }) as never
  const { stamp, cases } = await previewGathered(context(db), person, 'intakes/status-change', choice)
  // A request that waits for another connection, with all of them in transactions like its own, waits for ever.
  const elsewhere = new Proxy(
    {},
    {
      get: (_, name) => {
        throw new Error(`another connection: ${String(name)}`)
      },
    },
  )
  const asked = { choice, stamp, data: {}, key: undefined }
  const begun = await startGathered(context(elsewhere), person, 'intakes/status-change', asked)
  expect(begun.map(({ count }) => count)).toEqual(cases.map(({ count }) => count))
})
