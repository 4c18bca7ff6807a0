import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { randomInt, randomUUID } from 'node:crypto'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { as } from './kit/people.ts'
import { anItem } from './kit/rows.ts'

const items = '/api/registers/platform/faculty/items'
let database: TestDatabase
let own: TestApp
let admin: Caller
let lecturer: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  admin = await own.person('admin', { role: 'ADMIN' })
  lecturer = await own.person('lecturer', { role: 'Lecturer' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const aFaculty = () => ({ name: `Faculty ${randomUUID()}`, code: `F${randomUUID().slice(0, 4).toUpperCase()}` })

test('an unknown register is not found', async () => {
  for (const url of [
    '/api/registers/platform/nothing',
    '/api/registers/platform/nothing/items',
    '/api/public/registers/a/b/items',
  ])
    expect((await admin.send('GET', url)).json().code).toBe('platform.not-found')
})

test('people who may see but not change are told so', async () => {
  const answer = await lecturer.send('POST', items, { data: aFaculty() })
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'platform.not-allowed'])
})

test('a scanned code leads to what its reader sees', async () => {
  const { name } = aFaculty()
  const code = String(randomInt(1000, 10_000))
  const { id } = (await admin.send('POST', items, { data: { name, code } })).json()
  const scans = async (who: Caller, of: string) =>
    (await who.send('GET', `/api/scanned?code=${encodeURIComponent(of)}`)).json().items
  const found = [expect.objectContaining({ id, register: 'platform/faculty', what: 'Faculty' })]
  for (const who of [admin, lecturer]) expect(await scans(who, ` ${code}`)).toEqual(found)
  expect(await scans(admin, code.slice(0, -1))).toEqual([])
  const bank = { name: `Bank ${code}`, code }
  const made = await admin.send('POST', '/api/registers/vouchers/bank/items', { data: bank })
  expect(made.json()).toMatchObject({ data: bank })
  expect(await scans(admin, code)).toHaveLength(2)
  expect(await scans(lecturer, code)).toEqual(found)
})

test('invalid fields are named with their errors', async () => {
  const answer = await admin.send('POST', items, { data: { name: '', colour: 'red' } })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ code: 'platform.form-invalid', title: 'Please correct the marked fields' })
  expect(answer.json().errors).toEqual(
    expect.arrayContaining([
      { field: '/name', code: 'platform.field-required', message: 'This field is required' },
      { field: '/colour', code: 'platform.check-additionalProperties', message: 'There is no such field' },
    ]),
  )
})

test('an item is created, read, changed on the version that was read, and deactivated', async () => {
  const data = aFaculty()
  const made = await admin.send('POST', items, { data })
  expect([made.statusCode, made.headers['etag']]).toEqual([201, '"1"'])
  const url = made.headers['location'] as string
  expect(made.json()).toMatchObject({ version: 1, status: 'Active', title: data.name, data, mayChange: true })

  const read = await lecturer.send('GET', url)
  expect(read.json()).toMatchObject({ data, mayChange: false })
  expect((await lecturer.send('GET', url, undefined, { 'if-none-match': '"1"' })).statusCode).toBe(304)

  const changed = { ...data, name: `${data.name} and Arts` }
  expect((await admin.send('PUT', url, { data: changed })).json().code).toBe('platform.version-wanted')
  expect((await admin.send('PUT', url, { data: changed }, { 'if-match': 'one' })).statusCode).toBe(400)
  expect((await admin.send('PUT', url, { data: changed }, { 'if-match': '"1"' })).json()).toMatchObject({
    version: 2,
    data: changed,
  })
  const late = await admin.send('PUT', url, { data }, { 'if-match': '"1"' })
  expect([late.statusCode, late.json().code]).toEqual([412, 'platform.changed-meanwhile'])

  expect((await lecturer.send('POST', `${url}/status`, { status: 'Inactive' })).statusCode).toBe(403)
  expect((await admin.send('POST', `${url}/status`, { status: 'Gone' })).json().errors[0].field).toBe('/status')
  expect((await admin.send('POST', `${url}/status`, { status: 'Inactive' })).json()).toMatchObject({
    version: 3,
    status: 'Inactive',
  })
})

test('the status of cases filters a list only together with their flow', async () => {
  const answer = await admin.send('GET', `${items}?caseStatus=approved`)
  expect([answer.statusCode, answer.json().errors]).toEqual([
    400,
    [expect.objectContaining({ field: 'query/casesOf', code: 'platform.field-required' })],
  ])
})

test('of two concurrent changes to one version one is refused', async () => {
  const made = await admin.send('POST', items, { data: aFaculty() })
  const change = () =>
    admin.send('PUT', made.headers['location'] as string, { data: aFaculty() }, { 'if-match': '"1"' })
  const answers = await Promise.all([change(), change(), change()])
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 412, 412])
})

test('the head of a department changes what belongs to it and nothing else', async () => {
  const [music, painting] = [
    await anItem(database.db, 'platform/department'),
    await anItem(database.db, 'platform/department'),
  ]
  const head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: music } })
  const hall = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Hall', department: painting },
  })
  const answer = await head.send(
    'PUT',
    `/api/registers/resource-reservation/resource/items/${hall}`,
    { data: {} },
    { 'if-match': '"1"' },
  )
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'platform.not-allowed'])
  const mine = await head.send('POST', '/api/registers/resource-reservation/resource/items', {
    data: { department: music },
  })
  expect(mine.statusCode).toBe(422) // allowed, but not yet a complete resource
})

describe('sensitive fields', () => {
  const students = '/api/registers/platform/student/items'
  const staff = '/api/registers/platform/employee/items'
  const nic = '200112345678'
  let [music, painting, faculty]: string[] = []
  let [nuwan, selvi]: string[] = []
  beforeAll(async () => {
    const unit = (register: string, data = {}) => anItem(database.db, `platform/${register}`, { data })
    faculty = await unit('faculty')
    music = await unit('department', { faculty })
    painting = await unit('department')
    const other = await unit('faculty')
    const student = async (name: string, department: string | undefined, of: string | undefined) =>
      anItem(database.db, 'platform/student', {
        status: 'active',
        data: {
          reg_no: name,
          full_name: name,
          nic,
          mobile_no: '0771234567',
          email: `${name}@example.lk`,
          faculty: of,
          department,
          programme: await anItem(database.db, 'setup/degree-program', { data: { faculty: of } }),
          intake: await anItem(database.db, 'intakes/intake'),
        },
      })
    nuwan = await student('nuwan', music, faculty)
    selvi = await student('selvi', painting, other)
  })
  const reads = async (by: Caller, item: string) => {
    const { rows } = await database.pool.query(
      `select e.acted_as, p.payload->'fields' as fields from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.actor = $1 and e.object = $2 and e.action = 'register-item.sensitive-read'`,
      [by.id, `platform/student:${item}`],
    )
    return rows
  }

  /** Makes a role the only holder of a permission group. */
  const holds = async (role: string, group: string) => {
    await database.db
      .insertInto('permission_group')
      .values({ name: group, roles: [role] })
      .onConflict((oc) => oc.column('name').doUpdateSet({ roles: [role] }))
      .execute()
  }

  test('are absent from lists, also for people who may read them', async () => {
    const answer = await admin.send('GET', `${students}?limit=100`)
    expect(answer.json().items.length).toBeGreaterThan(1)
    expect(answer.body).not.toContain(nic)
    expect(answer.body).not.toContain('0771234567')
    expect((await admin.send('GET', `${students}?search=${nic}`)).json().items).toEqual([])
    expect((await admin.send('GET', `${students}?filter.nic=${nic}`)).statusCode).toBe(400)
  })

  test('are absent from an item for people who may not change it, and nothing is recorded then', async () => {
    const head = await own.person('hod.music', { role: 'HOD', scope: { kind: 'department', id: music! } })
    const answer = await head.send('GET', `${students}/${nuwan}`)
    expect(answer.json()).toMatchObject({ mayChange: false, data: { full_name: 'nuwan' } })
    expect(answer.body).not.toContain(nic)
    expect(await reads(head, nuwan!)).toEqual([])
  })

  test('are readable by people who may change the item, and each reading is recorded with the role used', async () => {
    const answer = await admin.send('GET', `${students}/${nuwan}`)
    expect(answer.json().data).toMatchObject({ nic, mobile_no: '0771234567' })
    expect(await reads(admin, nuwan!)).toEqual([{ acted_as: 'ADMIN', fields: ['/nic', '/mobile_no'] }])
    const named = await admin.send('GET', `${students}/${nuwan}?sensitive=false`)
    expect(named.json().data).not.toHaveProperty('nic')
    expect((await reads(admin, nuwan!)).length).toBe(1)
  })

  test('are not returned by a change that did not include them', async () => {
    const data = { full_name: 'Kamala Perera', nic, email: 'kamala@example.lk' }
    const employee = await anItem(database.db, 'platform/temporary-employee', { data })
    const path = `/api/registers/platform/temporary-employee/items/${employee}/status`
    const made = await admin.send('POST', path, { status: 'Inactive' })
    expect(made.json()).toMatchObject({ status: 'Inactive', version: 2 })
    expect(made.body).not.toContain(nic)
  })

  test('are readable by holders of a group that the register names, who see all students', async () => {
    await holds('SSW MA', 'AllStudents')
    const welfare = await own.person('ssw', { role: 'SSW MA' })
    expect((await welfare.send('GET', students)).json().items.length).toBe(2)
    expect((await welfare.send('GET', `${students}/${selvi}`)).json()).toMatchObject({
      mayChange: false,
      data: { nic },
    })
    expect(await reads(welfare, selvi!)).toEqual([{ acted_as: 'group:AllStudents', fields: ['/nic', '/mobile_no'] }])
  })

  test('are read by finding an item by one of them, and that is recorded; other searches are not', async () => {
    await holds('Bursar', 'FinanceView')
    const bursar = await own.person('bursar', { role: 'Bursar' })
    const found = async (query: string) => (await bursar.send('GET', `${students}?${query}`)).json().items.length
    expect(await found('whole=true&search=nuwan')).toBe(1)
    expect(await found(`whole=true&search=${nic.slice(0, -1)}`)).toBe(0)
    expect(await found(`search=${nic}`)).toBe(0)
    expect(await reads(bursar, nuwan!)).toEqual([])
    expect(await found(`whole=true&search=%20${nic}`)).toBe(2)
    for (const student of [nuwan, selvi])
      expect(await reads(bursar, student!)).toEqual([{ acted_as: 'group:FinanceView', fields: ['/nic'] }])
  })

  test('are readable in one’s own entry, which others of that kind do not see', async () => {
    const student = await own.person('student', { role: 'Undergraduate Student' })
    expect((await student.send('GET', `${students}/${nuwan}`)).statusCode).toBe(404)
    expect((await student.send('GET', '/api/registers/platform/student')).statusCode).toBe(404)
    await database.db.updateTable('account').set({ record_id: nuwan! }).where('id', '=', student.id).execute()
    const mine = await student.send('GET', `${students}/${nuwan}`)
    // Their telephone, and nothing else.
    expect(mine.json()).toMatchObject({ mayChange: true, data: { full_name: 'nuwan', nic } })
    expect(await reads(student, nuwan!)).toEqual([])
    expect((await student.send('GET', '/api/registers/platform/student')).json().mayCreate).toBe(false)
    for (const path of [students, `${students}/${selvi}`])
      expect((await student.send('GET', path)).statusCode).toBe(404)
  })

  test('and the rest: a head sees the students of the department, a dean those of all in the faculty', async () => {
    const seen = async (username: string, role: string, kind: string, id: string) => {
      const person = await own.person(username, { role, scope: { kind, id } })
      const list = (await person.send('GET', students)).json()
      const other = await person.send('GET', `${students}/${selvi}`)
      return [list.items.map((item: { id: string }) => item.id), other.statusCode]
    }
    expect(await seen('hod.2', 'HOD', 'department', music!)).toEqual([[nuwan], 404])
    expect(await seen('dean.1', 'Dean', 'faculty', faculty!)).toEqual([[nuwan], 404])
    const unit = await anItem(database.db, 'platform/unit', { data: { department: music } })
    const clerk = await anItem(database.db, 'platform/employee', { data: { full_name: 'Clerk', unit } })
    const dean = await own.person('dean.2', { role: 'Dean', scope: { kind: 'faculty', id: faculty! } })
    expect((await dean.send('GET', staff)).json().items.map((item: { id: string }) => item.id)).toEqual([clerk])
    expect((await dean.send('GET', `${staff}/${clerk}`)).statusCode).toBe(200)
    expect((await lecturer.send('GET', staff)).statusCode).toBe(404)
  })

  test('of students come with the status of new students; nobody sets a status by hand', async () => {
    const programme = await anItem(database.db, 'setup/degree-program', { data: { faculty } })
    const by = { full_name: 'New', faculty, programme, intake: await anItem(database.db, 'intakes/intake') }
    const made = (n: number, status?: string) =>
      admin.send('POST', students, {
        data: { ...by, reg_no: `N/${n}`, nic: `20011234560${n}`, email: `new${n}@example.lk` },
        ...(status && { status }),
      })
    expect((await made(1)).json()).toMatchObject({ status: 'unregistered' })
    expect((await made(2, 'unregistered')).json()).toMatchObject({ status: 'unregistered' })
    expect((await made(3, 'active')).json()).toMatchObject({ code: 'platform.status-of-case' })
    const set = await admin.send('POST', `${students}/${nuwan}/status`, { status: 'suspended' })
    expect(set.json()).toMatchObject({ code: 'platform.status-of-case' })
  })
})

test('a register lists what belongs to its items, as far as the reader may see it', async () => {
  const related = async (by: Caller) =>
    (await by.send('GET', '/api/registers/platform/faculty')).json().related.map((one: any) => one.register)
  expect(await related(admin)).toContain('platform/student')
  expect(await related(lecturer)).toEqual([
    'setup/degree-program',
    'platform/department',
    'platform/post',
    'platform/committee',
  ])
})

test('the calendar has every day of a year with its hours and names', async () => {
  await anItem(database.db, 'platform/holiday', { data: { date: '2031-05-06', name: 'Vesak', kind: 'Public' } })
  await anItem(database.db, 'platform/working-week', {
    data: { name: 'Late', starts_on: '2031-07-01', tuesday: '10:00-18:00' },
  })
  const { items: days } = (await lecturer.send('GET', '/api/calendar?year=2031')).json()
  const on = (date: string) => days.find((day: { date: string }) => day.date === date)
  expect(days.length).toBe(365)
  expect(on('2031-05-06')).toEqual({ date: '2031-05-06', hours: null, special: [{ name: 'Vesak', kind: 'Public' }] })
  expect(on('2031-05-07').hours).toEqual({ from: '08:15', until: '16:15' })
  expect([on('2031-07-01').hours, on('2031-07-02').hours]).toEqual([{ from: '10:00', until: '18:00' }, null])
  expect((await own.send('GET', '/api/calendar?year=2031')).statusCode).toBe(401)
})

test('visitors see the public fields of public items, page by page', async () => {
  for (let n = 0; n < 3; n++)
    await anItem(database.db, 'resource-reservation/resource', {
      data: { name: `Open ${n}`, internal_use: true, contact_no: '0112345678' },
    })
  const closed = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Closed', internal_use: false },
  })
  const list = '/api/public/registers/resource-reservation/resource/items'
  const first = (await own.send('GET', `${list}?search=open&limit=2`)).json()
  expect([first.items.length, first.count]).toEqual([2, { value: 3, more: false }])
  expect(first.items[0].data).toEqual({ name: expect.stringMatching('Open'), internal_use: true })
  const second = (await own.send('GET', `${list}?search=open&limit=2&cursor=${first.next}`)).json()
  expect([second.items.length, second.next]).toEqual([1, null])
  expect((await own.send('GET', `${list}/${closed}`)).statusCode).toBe(404)
  expect((await own.send('GET', `${list}/${first.items[0].id}`)).json().data).not.toHaveProperty('contact_no')
  const filtered = await own.send('GET', `${list}?filter.contact_no=0112345678`)
  expect([filtered.statusCode, filtered.json().code]).toEqual([400, 'platform.filter-unknown'])
})

test('a register with `newestBy` lists the latest first, page by page', async () => {
  const days = ['2026-03-01', '2026-05-01', '2026-02-01', '2026-05-01', '2026-04-01']
  for (const [n, from] of days.entries())
    await anItem(database.db, 'hostel/notice', { data: { title: `Notice ${n}`, from } })
  const list = '/api/registers/hostel/notice/items?limit=2'
  interface Shown {
    items: { id: string; data: { from: string } }[]
    next: string | null
  }
  const seen: Shown['items'] = []
  for (let next: string | null = ''; next !== null;) {
    const page: Shown = (await admin.send('GET', next ? `${list}&cursor=${next}` : list)).json()
    seen.push(...page.items)
    next = page.next
  }
  expect(seen.map(({ data }) => data.from)).toEqual(days.toSorted().toReversed())
  expect(new Set(seen.map(({ id }) => id)).size).toBe(days.length)
})

test('holidays are public, in order and within the requested days', async () => {
  for (const [date, name] of [
    ['2027-05-01', 'May Day'],
    ['2027-02-04', 'Independence Day'],
    ['2026-12-25', 'Christmas'],
  ] as const)
    await anItem(database.db, 'platform/holiday', { data: { date, name, kind: 'Public' } })
  // These two are working days.
  for (const kind of ['Half day', 'Working day'])
    await anItem(database.db, 'platform/holiday', { data: { date: '2027-03-01', name: kind, kind } })
  const answer = await own.send('GET', '/api/public/holidays?from=2027-01-01&until=2027-05-01')
  expect(answer.json().items.map((one: { name: string }) => one.name)).toEqual(['Independence Day', 'May Day'])
})

test('lists of options keep their initial entries, and districts lie in provinces', async () => {
  const clerk = await as('ma.music')
  const listOf = async (register: string) => (await clerk.get(`/api/registers/${register}/items?limit=50`)).items
  const given: Record<string, string[]> = {
    'platform/language': ['English', 'Sinhala', 'Tamil'],
    'platform/gender': ['Male', 'Female', 'Other'],
    'platform/civil-status': ['Married', 'Unmarried'],
    'course-management/course-type': ['Core', 'Elective', 'Auxiliary', 'Non Credit Compulsory'],
    'aptitude-tests/test-mode': ['Online Written Test', 'Online Viva', 'E-Portfolio', 'On Site Practical'],
    'aptitude-tests/music-subject': ['Carnatic Music', 'Oriental Music', 'Western Music'],
    'aptitude-tests/degree-program-grade': ['A', 'B', 'C', 'S', 'W'],
    'aptitude-tests/other-subject-grade': ['A', 'B', 'C', 'S'],
    'students/student-type': ['Normal', 'Special Circumstance'],
    'medical/dose-quantity': ['1/2', '1', '2', '3', '4'],
    'medical/dose-frequency': ['bd', 'mane', 'nocte', 'Daily', 'stat', '6 hrs', '8 hrs', 'EOD'],
  }
  for (const [register, names] of Object.entries(given)) {
    const titles = (await listOf(register)).map(({ title }: { title: string }) => title)
    expect({ register, titles: titles.toSorted() }).toEqual({ register, titles: names.toSorted() })
  }
  const times = (await listOf('medical/dose-frequency')).map(({ data }: any) => [data.name, data.times_a_day])
  expect(Object.fromEntries(times)).toEqual({
    bd: 2,
    mane: 1,
    nocte: 1,
    Daily: 1,
    stat: 1,
    '6 hrs': 4,
    '8 hrs': 3,
    EOD: 0.5,
  })
  const provinces = (await listOf('platform/province')) as { id: string }[]
  const districts = (await listOf('platform/district')) as { data: { province: string } }[]
  expect([provinces.length, districts.length]).toEqual([9, 25])
  expect(new Set(districts.map(({ data }) => data.province))).toEqual(new Set(provinces.map(({ id }) => id)))
  for (const register of ['religion', 'ethnicity', 'title', 'citizenship', 'degree-class'])
    expect((await listOf(`platform/${register}`)).length).toBeGreaterThan(1)
  // Reading them does not include changing them.
  const refused = await clerk.send('POST', '/api/registers/platform/gender/items', { data: { name: 'Neither' } })
  expect(refused.status).toBe(403)
})

test('attendance is entered by the department of the student, and seen by welfare', async () => {
  const { db } = database
  const [mine, other] = [await anItem(db, 'platform/department'), await anItem(db, 'platform/department')]
  const criterion = await anItem(db, 'bursary/payment-criterion')
  const head = await own.person('head-attendance', { role: 'HOD', scope: { kind: 'department', id: mine } })
  const welfare = await own.person('welfare', { role: 'SSW MA' })
  for (const [register, entry] of [
    ['mahapola', { month: '2026-10', attendance: 'Present' }],
    ['bursary', { criterion, days_held: 20, days_present: 18 }],
  ] as const) {
    const recipientOf = async (department: string) => {
      const student = await anItem(db, 'platform/student', { status: 'active', data: { department } })
      await db
        .updateTable('register_item')
        .set({ title: `Student of ${department}` })
        .where('id', '=', student)
        .execute()
      return anItem(db, `${register}/recipient`, { data: { student } })
    }
    const [ours, others] = [await recipientOf(mine), await recipientOf(other)]
    const url = `/api/registers/${register}/attendance/items`
    const enter = (who: Caller, recipient: string) => who.send('POST', url, { data: { ...entry, recipient } })
    const made = (await enter(head, ours)).json()
    const theirs = (await enter(admin, others)).json()
    expect([made.version, theirs.version]).toEqual([1, 1])
    const refused = await enter(head, others)
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      [
        {
          field: '/recipient',
          code: 'platform.belongs-elsewhere',
          message: 'This belongs to a unit for which you may not enter anything',
        },
      ],
    ])
    expect((await enter(welfare, ours)).json().code).toBe('platform.not-allowed')
    // An entry of one's own cannot be turned into one of another department.
    const turned = { data: { ...entry, recipient: others } }
    expect((await head.send('PUT', `${url}/${made.id}`, turned, { 'if-match': '"1"' })).statusCode).toBe(422)
    const seen = async (who: Caller, at = url) =>
      (await who.send('GET', at)).json().items.map(({ id }: { id: string }) => id)
    expect(await seen(head)).toEqual([made.id])
    // Named, and found, by the student.
    const [found] = (await admin.send('GET', `${url}?search=${encodeURIComponent(`student of ${mine}`)}`)).json().items
    expect(found).toMatchObject({ id: made.id, owner: `Student of ${mine}` })
    expect(made.owner).toBe(`Student of ${mine}`)
    expect((await head.send('GET', `${url}/${theirs.id}`)).statusCode).toBe(404)
    expect(await seen(head, `/api/registers/${register}/recipient/items`)).toEqual([ours])
    expect((await seen(welfare)).toSorted()).toEqual([made.id, theirs.id].toSorted())
  }
  expect((await head.send('GET', `/api/registers/bursary/payment-criterion/items/${criterion}`)).statusCode).toBe(200)
})

test('a scanned code leads people to their own entry and to those entrusted to them, also if it is one per year', async () => {
  const { db } = database
  const scans = async (who: Caller, of: string): Promise<string[]> =>
    (await who.send('GET', `/api/scanned?code=${of}`)).json().items.map(({ id }: { id: string }) => id)
  const coded = async (register: string, field: string, value: string, data: object) => {
    const id = await anItem(db, register, { data })
    await db.insertInto('register_unique').values({ register, field, value, item_id: id }).execute()
    return id
  }
  const holder = await own.person('holder', { role: 'Lecturer' })
  const employee = await coded('platform/employee', '/employee_id', 'emp-77', { employee_id: 'EMP-77' })
  expect([await scans(holder, 'EMP-77'), await scans(admin, 'EMP-77')]).toEqual([[], [employee]])
  await db.updateTable('account').set({ record_id: employee }).where('id', '=', holder.id).execute()
  expect([await scans(holder, 'EMP-77'), await scans(lecturer, 'EMP-77')]).toEqual([[employee], []])

  const batch = await anItem(db, 'batches/batch', { data: {} })
  const student = await coded('platform/student', '/reg_no', 'fom/26/77', { batch })
  expect(await scans(holder, 'FOM/26/77')).toEqual([])
  const named = { item_id: batch, path: '/advisers/0/employee', target_id: employee }
  await db.insertInto('register_reference').values(named).execute()
  expect([await scans(holder, 'FOM/26/77'), await scans(lecturer, 'FOM/26/77')]).toEqual([[student], []])
  // Only who may be entrusted with students is led to a list of them.
  const registerOf = async (who: Caller) => (await who.send('GET', '/api/registers/platform/student')).json()
  expect(await registerOf(holder)).toMatchObject({ entrustedOnly: true })
  const herself = await own.person('herself', { role: 'Student' })
  await db.updateTable('account').set({ record_id: student }).where('id', '=', herself.id).execute()
  expect(await registerOf(herself)).toMatchObject({ register: 'platform/student' })
  expect(await registerOf(herself)).not.toHaveProperty('entrustedOnly')
  expect((await registerOf(lecturer)).code).toBe('platform.not-found')

  const votes = '/api/registers/vouchers/vote/items'
  const vote = async (number: string, year: number) =>
    (await admin.send('POST', votes, { data: { number, year, title: 'Instruments', budget: 1 } })).json().id
  const years = [await vote('77-1', 2026), await vote('77-1', 2027)]
  await vote('77-12', 2026)
  expect((await scans(admin, '77-1')).toSorted()).toEqual(years.toSorted())
  const plan = await database.owner.pool.query<{ 'QUERY PLAN': string }>(
    `explain select from app.register_unique where register = 'a' and field = 'b'
       and split_part(value, E'\\n', 1) = 'c' and value like E'%\\n%'`,
  )
  expect(plan.rows.map((row) => row['QUERY PLAN']).join(' ')).toContain('register_unique_first')
})
