import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import type { RegisterDefinition } from '../../api/platform/model/definitions/register.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'
import { anItem } from './kit/rows.ts'

const STUDENTS = '/api/registers/platform/student'
/** A register that heads of departments maintain. */
const hall: RegisterDefinition = {
  title: 't.halls',
  item: {
    type: 'object',
    required: ['name', 'department'],
    properties: {
      name: { type: 'string' },
      department: { type: 'string', format: 'uuid', 'x-register': 'platform/department' },
    },
  },
  titleField: '/name',
  statuses: ['Active'],
  changedBy: ['HOD@department'],
  seenBy: ['*'],
}

let database: TestDatabase
let own: TestApp
let admin: Caller
beforeAll(async () => {
  database = await freshDatabase()
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  own = await testApp(database, {
    library: { ...library, registers: new Map([...library.registers, ['t/hall', hall]]) },
  })
  admin = await own.person('admin', { role: 'ADMIN' })
  for (const [register, code, name, status] of [
    ['platform/faculty', 'FOM', 'Faculty of Music', 'Active'],
    ['platform/faculty', 'OLD', 'Faculty of Yesterday', 'Inactive'],
    ['intakes/intake', '', '2025/2026', 'Active'],
    ['intakes/intake', '', '2025', 'Active'],
  ] as const)
    await database.db
      .insertInto('register_item')
      .values({
        id: randomUUID(),
        register,
        status,
        title: name,
        data: JSON.stringify({ code, name }),
      })
      .execute()
  await sql`insert into register_item (id, register, title, data)
    select gen_random_uuid(), 'setup/degree-program', 'Music', jsonb_build_object('code', 'MUS', 'name', 'Music', 'faculty', id)
    from register_item where title = 'Faculty of Music'`.execute(database.db)
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const header = 'reg_no,full_name,nic,email,faculty,programme,intake,year'
const aLine = (regNo: string, more: { nic?: string; faculty?: string; year?: string } = {}) => {
  const { nic = `2001${randomInt(10_000_000, 99_999_999)}`, faculty = 'FOM', year = '2' } = more
  return `${regNo},"Perera, Nuwan",${nic},${regNo}@example.lk,${faculty},Music,2025/2026,${year}`
}
const lines = (...all: string[]) => [header, ...all].join('\n')
const send = (csv: string, commit = true, by = admin) => by.send('POST', `${STUDENTS}/imports`, { csv, commit })
const counted = async () => (await admin.send('GET', `${STUDENTS}/items`)).json().count.value
const errorsOf = async (csv: string) =>
  (await send(csv)).json().errors.map((one: any) => [one.line, one.column, one.message])

test('people who may not add items import none, and get no template', async () => {
  const lecturer = await own.person('lecturer', { role: 'Lecturer' })
  expect((await send(lines(aLine('N1')), true, lecturer)).statusCode).toBe(404)
  const faculties = '/api/registers/platform/faculty'
  expect((await lecturer.send('POST', `${faculties}/imports`, { csv: 'name,code', commit: true })).statusCode).toBe(403)
  expect((await lecturer.send('GET', `${faculties}/template.csv`)).statusCode).toBe(403)
  expect((await own.send('POST', `${STUDENTS}/imports`, { csv: '', commit: false })).statusCode).toBe(401)
})

test('all errors are listed at once by line, column and reason, and nothing is added', async () => {
  const before = await counted()
  const csv = lines(
    aLine('W1', { nic: '200112345678' }),
    '',
    aLine('W1', { nic: '12', faculty: 'Faculty of Nothing', year: '9' }),
    ',"two\nlines",,,OLD,Music,2025,many',
    aLine('W4', { nic: '200112345678' }),
  )
  const answer = await send(csv)
  expect([answer.statusCode, answer.json().added, answer.json().rows]).toEqual([200, 0, 4])
  expect(answer.json().errors.map((one: any) => [one.line, one.column, one.message, one.value])).toEqual([
    [4, 'reg_no', 'Duplicated value', 'W1'],
    [4, 'nic', expect.stringContaining('Please enter a valid NIC Number'), '12'],
    [4, 'email', 'Duplicated value', 'W1@example.lk'],
    [4, 'faculty', 'This entry does not exist', 'Faculty of Nothing'],
    [4, 'programme', 'This does not belong to the choice above', 'Music'],
    [4, 'year', 'At most 6', '9'],
    [5, 'reg_no', 'Value is empty', ''],
    [5, 'full_name', expect.stringContaining('Remove the invisible control or direction characters'), 'two\nlines'],
    [5, 'nic', 'Value is empty', ''],
    [5, 'email', 'Value is empty', ''],
    [5, 'faculty', 'This entry is not in use', 'OLD'],
    [5, 'programme', 'This does not belong to the choice above', 'Music'],
    [5, 'year', 'This is the wrong kind of value', 'many'],
    [7, 'nic', 'Duplicated value', '200112345678'],
  ])
  expect(await counted()).toBe(before)
})

test('a check adds nothing; imported items exist, with the first status, and are recorded', async () => {
  const csv = lines(aLine('A1'), aLine('A2', { faculty: 'faculty of music' }))
  const looked = (await send(csv, false)).json()
  expect(looked).toMatchObject({ rows: 2, errors: [], errorCount: 0, added: 0 })
  expect(looked.preview[1]).toEqual({
    line: 3,
    cells: expect.objectContaining({ full_name: 'Perera, Nuwan', faculty: 'Faculty of Music', year: '2' }),
  })
  expect((await admin.send('GET', `${STUDENTS}/items?search=A1`)).json().items).toEqual([])
  expect((await send(csv)).json()).toMatchObject({ added: 2, errors: [] })
  const [item] = (await admin.send('GET', `${STUDENTS}/items?search=A1`)).json().items
  expect(item).toMatchObject({
    status: 'unregistered',
    version: 1,
    title: 'Perera, Nuwan',
    data: { reg_no: 'A1', year: 2 },
  })
  const { rows } = await database.pool.query(
    `select action, object from app.audit_entry where actor = $1 and (object = $2 or action = 'register.imported')`,
    [admin.id, `platform/student:${item.id}`],
  )
  expect(rows.map(({ action }) => action).toSorted()).toEqual(['register-item.created', 'register.imported'])
  // The same file again: every line exists already.
  expect((await send(csv)).json()).toMatchObject({ added: 0, errorCount: 6 })
})

test('cells that a file leaves empty, or has no column for, can be filled in; others stay', async () => {
  const [names = '', line = ''] = lines(aLine('F1')).split('\n')
  const at = names.split(',').indexOf('intake')
  // The name of a line has a comma of its own.
  const without = (text: string) =>
    text
      .split(/,(?! )/)
      .toSpliced(at, 1)
      .join(',')
  const csv = [names, line].map(without).join('\n')
  const sent = (body: object) => admin.send('POST', `${STUDENTS}/imports`, { commit: false, ...body })
  expect((await sent({ csv })).json().errors).toMatchObject([{ column: 'intake' }])
  const filled = (await sent({ csv, fill: { intake: '2025' } })).json()
  expect(filled).toMatchObject({ errors: [], preview: [{ cells: { intake: expect.stringContaining('2025') } }] })
  expect((await sent({ csv, fill: { intake: 'none' } })).json().errors).toMatchObject([{ line: 2, column: 'intake' }])
  const empty = `${header}\n${aLine('F1').replace(',2025/2026,', ',,')}`
  expect((await sent({ csv: empty, fill: { intake: '2025' } })).json()).toMatchObject({ errors: [] })
  const named = (await sent({ csv: lines(aLine('F1')), fill: { intake: '2025' } })).json()
  expect(named.preview).toMatchObject([{ cells: { intake: '2025/2026' } }])
  expect((await sent({ csv, fill: { intakes: '2025' } })).json().errors).toMatchObject([{ field: '/fill/intakes' }])
})

test('files come as spreadsheets write them: with a mark, semicolons, CRLF, labels as headers, blanks and empty ends', async () => {
  const csv = [
    '\uFEFFRegistration No;Full name;NIC;Email;Faculty;Programme;Intake;Status;;',
    ` S1 ;"Fernando; Kasun";${`2001${randomInt(10_000_000, 99_999_999)}`};s1@example.lk;FOM;Music;2025;SUSPENDED;;`,
    ';;;;;;;;;',
    '',
  ].join('\r\n')
  expect((await send(csv)).json()).toMatchObject({ rows: 1, added: 1, errors: [] })
  const [item] = (await admin.send('GET', `${STUDENTS}/items?search=S1`)).json().items
  expect(item).toMatchObject({ status: 'suspended', data: { reg_no: 'S1', full_name: 'Fernando; Kasun' } })
  const gone = (await send(csv.replaceAll('S1', 'S2').replace('s1@', 's2@').replace('SUSPENDED', 'deactivated'))).json()
  expect(gone.errors).toMatchObject([{ column: 'nic' }, { column: 'status' }])
})

test('dates, choices and yes or no are read as people write them', async () => {
  const csv = 'date,name,kind,until\n05/11/2027,Founders,Half day,12:00\n2027-11-06,Fair,special WORKING day,\n'
  const url = '/api/registers/platform/holiday'
  expect((await admin.send('POST', `${url}/imports`, { csv, commit: true })).json()).toMatchObject({ added: 2 })
  const { items } = (await admin.send('GET', `${url}/items?search=f`)).json()
  expect(items.map(({ data }: any) => [data.date, data.kind])).toEqual([
    ['2027-11-06', 'Working day'],
    ['2027-11-05', 'Half day'],
  ])
  const post = 'name,code,role,head,faculty\nDean of Music,DM,dean,Yes,FOM\nOther,OT,Cook,maybe,FOM\n'
  const { errors } = (
    await admin.send('POST', '/api/registers/platform/post/imports', { csv: post, commit: true })
  ).json()
  expect(errors.map((one: any) => [one.line, one.column])).toEqual([
    [3, 'role'],
    [3, 'head'],
  ])
})

test('recipients are found by registration number and NIC together, and the others are named by line and column', async () => {
  const students = [
    { reg_no: 'MR1', nic: '199912304567' },
    { reg_no: 'MR2', nic: '200111112222' },
    { reg_no: 'MR3', nic: '200233334444' },
  ]
  const [first] = await Promise.all(
    students.map((data) => anItem(database.db, 'platform/student', { status: 'active', data })),
  )
  await anItem(database.db, 'mahapola/scheme', { data: { code: 'GOV', name: 'Government', method: 'transfer' } })
  const url = '/api/registers/mahapola/recipient'
  const head = 'number,scheme,Registration No,NIC,from,documents_complete'
  const look = async (rows: string[], commit: boolean) =>
    (await admin.send('POST', `${url}/imports`, { csv: [head, ...rows].join('\n'), commit })).json()
  // The old form of an NIC names the same person.
  const good = 'G1,GOV,MR1,991234567v,2026-01,yes'
  const wrong = await look(
    [good, 'G2,GOV,MR2,200233334444,2026-01,yes', 'G3,GOV,MR9,200233334444,2026-01,yes', 'G4,GOV,MR3,,2026-01,yes'],
    true,
  )
  expect(wrong.errors.map((one: any) => [one.line, one.column, one.message, one.value])).toEqual([
    [3, 'nic', 'This does not belong to the entry that the line names', '200233334444'],
    [4, 'student', 'This entry does not exist', 'MR9'],
    [5, 'nic', 'Value is empty', ''],
  ])
  expect(wrong).toMatchObject({ added: 0, right: 1 })
  expect(await look([good], true)).toMatchObject({
    added: 1,
    errors: [],
    titles: { student: 'platform.register.student.item', nic: 'platform.register.person.nic' },
    preview: [{ line: 2, cells: { nic: '991234567v' } }],
  })
  const [entry] = (await admin.send('GET', `${url}/items?search=G1`)).json().items
  expect(entry.data).toMatchObject({ student: first, from: '2026-01' })
  expect(entry.data).not.toHaveProperty('nic')
  expect((await admin.send('GET', `${url}/template.csv`)).body).toContain('student,nic,')
  const withoutNic = { csv: 'number,scheme,student,from,documents_complete\nG6,GOV,MR2,2026-01,yes', commit: true }
  expect((await admin.send('POST', `${url}/imports`, withoutNic)).json().errors[0].message).toBe(
    'The column nic is missing',
  )
})

test('lines with errors are left out on request, such as of a suspended student, and the others are imported', async () => {
  for (const [reg_no, status] of [
    ['LO1', 'active'],
    ['LO2', 'suspended'],
    ['LO3', 'active'],
    ['LO4', 'active'],
  ] as const)
    await anItem(database.db, 'platform/student', { status, data: { reg_no, nic: `19991230${reg_no.slice(2)}000` } })
  await anItem(database.db, 'mahapola/scheme', { data: { code: 'LEFT', name: 'Left out', method: 'transfer' } })
  const lineOf = (n: number) => `L${n},LEFT,LO${n},19991230${n}000,2026-01,yes`
  const csv = ['number,scheme,student,nic,from,documents_complete', lineOf(1), lineOf(2), lineOf(3)].join('\n')
  const url = '/api/registers/mahapola/recipient/imports'
  const all = (await admin.send('POST', url, { csv, commit: true })).json()
  const some = (await admin.send('POST', url, { csv, commit: true, leaveOut: true })).json()
  const errors = [expect.objectContaining({ line: 3, column: 'student', message: 'This entry is not in use' })]
  expect(all).toMatchObject({ added: 0, right: 2, errors })
  expect(some).toMatchObject({ added: 2, right: 2, errors })
  const wrong = [lineOf(4), 'L5,LEFT,LO3,199912309999,2026-01,yes'].join('\n')
  const tried = `number,scheme,student,nic,from,documents_complete\n${wrong}`
  const { added } = (await admin.send('POST', url, { csv: tried, commit: true, leaveOut: true })).json()
  // One line that is right does not hide the numbers that were tried beside it.
  const { rows } = await database.pool.query(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.actor = $1 and e.action = 'register.import-checked' order by e.id desc limit 1`,
    [admin.id],
  )
  expect([added, rows[0].payload]).toEqual([1, expect.objectContaining({ confirmed: 1, others: 1 })])
})

test('files that try out NICs compare nothing, are limited, and stand in the audit trail', async () => {
  const welfare = await own.person('welfare', { role: 'SSW MA' })
  const student = await anItem(database.db, 'platform/student', {
    status: 'active',
    data: { reg_no: 'TRY1', nic: '199811223344' },
  })
  await anItem(database.db, 'mahapola/scheme', { data: { code: 'TRY', name: 'Tries', method: 'transfer' } })
  const tries = (...given: string[]) => {
    const tried = given.map((nic, n) => `T${n},TRY,TRY1,${nic},2026-01,yes`)
    const csv = ['number,scheme,student,nic,from,documents_complete', ...tried].join('\n')
    return welfare.send('POST', '/api/registers/mahapola/recipient/imports', { csv, commit: false })
  }
  const codes = (answer: any) => answer.json().errors.flatMap((one: any) => (one.column === 'nic' ? [one.code] : []))
  const unclear = 'platform.import.named-twice'
  expect(codes(await tries('199811223344', '199811223345'))).toEqual([unclear, unclear])
  expect(codes(await tries('199811223345'))).toEqual(['platform.import.not-of-entry'])
  const { rows } = await database.pool.query(
    `select p.payload from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.actor = $1 and e.action = 'register.import-checked'`,
    [welfare.id],
  )
  expect(rows.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ rows: 1, confirmed: 0, others: 1, entries: [student] }),
  ])
  await database.pool.query(`update app.throttle set count = 30 where key like 'import:%'`)
  const refused = await tries('199811223344')
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'platform.import-too-many'])
  expect((await admin.send('POST', `${STUDENTS}/imports`, { csv: '', commit: false })).statusCode).toBe(200)
})

test('a department imports the attendance of its own students only', async () => {
  const department = await anItem(database.db, 'platform/department')
  const head = await own.person('attendance', { role: 'HOD', scope: { kind: 'department', id: department } })
  const recipientOf = async (data: object) =>
    anItem(database.db, 'mahapola/recipient', {
      data: { student: await anItem(database.db, 'platform/student', { status: 'active', data }) },
    })
  const [mine, others] = [await recipientOf({ department }), await recipientOf({})]
  const template = (await head.send('GET', '/api/registers/mahapola/attendance/template.csv')).body
  expect(template.replace('\uFEFF', '').trim().split('\r\n')).toEqual([
    'month,recipient,owner,attendance,status',
    expect.stringContaining(`,${mine},`),
  ])
  const csv = ['month,recipient,attendance', `2026-09,${mine},Present`, `2026-09,${others},Absent`].join('\n')
  const answer = await head.send('POST', '/api/registers/mahapola/attendance/imports', { csv, commit: true })
  expect(answer.json()).toMatchObject({
    added: 0,
    errors: [{ line: 3, column: 'recipient', code: 'platform.item-unknown' }],
  })
  // The check shows no name of somebody elsewhere either.
  await database.pool.query(`update app.register_item set title = 'Somebody elsewhere' where id = $1`, [others])
  const checked = await head.send('POST', '/api/registers/mahapola/attendance/imports', { csv, commit: false })
  expect(checked.json().preview.map((row: any) => row.cells.recipient)).toEqual([mine, others])
  const filled = template.replace(`,${mine},`, `2026-09,${mine},`).replace(/,,\r\n$/, ',Present,\r\n')
  const done = await head.send('POST', '/api/registers/mahapola/attendance/imports', { csv: filled, commit: true })
  expect(done.json()).toMatchObject({ added: 1, errors: [] })
})

test('a file that cannot be read as a table is refused with an explanation', async () => {
  for (const [csv, line, message] of [
    ['', 1, 'There are no rows under the header'],
    [header, 1, 'There are no rows under the header'],
    ['1,2,3\n4,5,6', 1, 'The first line must hold the names of the columns'],
    [lines('X1,"open,1'), 2, expect.stringContaining('quotation mark')],
    [lines(aLine('X\uFFFD')), 1, expect.stringContaining('UTF-8')],
    [`${header},colour\n${aLine('X1')},red`, 1, 'There is no such column: colour'],
    [`${header},reg_no\n${aLine('X1')},X2`, 1, 'The column reg_no appears twice'],
    [`reg_no\nX1`, 1, 'The column full_name is missing'],
    [lines(`${aLine('X1')},more`), 2, expect.stringContaining('more values than')],
    [lines(...Array.from({ length: 5001 }, (_, n) => `${n}`)), 1, expect.stringContaining('The file has 5001 rows')],
  ] as const)
    expect((await errorsOf(csv))[0]).toEqual([line, expect.any(String), message])
  expect((await send('x'.repeat(5_000_000))).statusCode).toBe(413)
})

test('of two concurrent imports of the same file one adds everything and the other nothing', async () => {
  const csv = lines(...Array.from({ length: 50 }, (_, n) => aLine(`T${n}`)))
  const answers = (await Promise.all([send(csv), send(csv)])).map((answer) => answer.json())
  expect(answers.map(({ added }) => added).toSorted((a, b) => a - b)).toEqual([0, 50])
  expect(answers.find(({ added }) => added === 0).errors[0].message).toBe('Duplicated value')
})

test('five thousand lines are added at once, and a register whose items are not single lines accepts no file', async () => {
  const csv = lines(...Array.from({ length: 5000 }, (_, n) => aLine(`M${n}`, { nic: `2002${10_000_000 + n}` })))
  expect((await send(csv)).json()).toMatchObject({ added: 5000 })
  const { mayImport, mayCreate } = (await admin.send('GET', STUDENTS)).json()
  expect([mayImport, mayCreate]).toEqual([true, true])
  const template = await admin.send('GET', `${STUDENTS}/template.csv`)
  expect(template.headers['content-type']).toContain('text/csv')
  expect(template.body).toMatch(/^\uFEFFreg_no,full_name,.*,status\r\n$/)
})

test('a long import tells its sender, and nobody else, how far it is, and shows nothing before its end', async () => {
  const csv = lines(...Array.from({ length: 5000 }, (_, n) => aLine(`P${n}`, { nic: `2003${10_000_000 + n}` })))
  const progress = randomUUID()
  const other = await own.person('other', { role: 'ADMIN' })
  const asked = async (who: Caller) => (await who.send('GET', `${STUDENTS}/imports/${progress}`)).json().progress
  const added = async () =>
    Number(
      (await database.pool.query(`select count(*) from register_item where data ->> 'reg_no' ~ '^P[0-9]'`)).rows[0]
        .count,
    )
  let over = false
  const imported = admin
    .send('POST', `${STUDENTS}/imports`, { csv, commit: true, progress })
    .finally(() => (over = true))
  const told: { step: string; done: number; total: number }[] = []
  const elsewhere: unknown[] = []
  const early: number[] = []
  const look = async () => {
    const now = await asked(admin)
    if (now && told.at(-1)?.done !== now.done) told.push(now)
    elsewhere.push(await asked(other))
    const rows = await added()
    // Counted between two answers: the import was under way.
    if (now && (await asked(admin))) early.push(rows)
    return over
  }
  await until('the import is over', look, { seconds: 60, everyMilliseconds: 20 })
  expect((await imported).json()).toMatchObject({ added: 5000, errors: [] })
  for (const step of ['check', 'add']) {
    const counts = told.flatMap((now) => (now.step === step && now.done > 0 && now.done < now.total ? [now.done] : []))
    expect(counts.length).toBeGreaterThan(1)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  }
  expect(new Set(told.map(({ total }) => total))).toEqual(new Set([5000]))
  expect(new Set(elsewhere)).toEqual(new Set([null]))
  expect([early.length > 0, new Set(early)]).toEqual([true, new Set([0])])
  expect([await asked(admin), await added()]).toEqual([null, 5000])
}, 90_000)

test('what is twice in a long file is named, however far apart', async () => {
  const apart = Array.from({ length: 600 }, (_, n) => aLine(`D${n}`, { nic: `2004${10_000_000 + n}` }))
  const csv = lines(...apart, aLine('D0', { nic: '200419999999' }))
  const { added, errors } = (await send(csv)).json()
  expect(added).toBe(0)
  expect(errors.map((one: any) => [one.line, one.column, one.message])).toEqual([
    [602, 'reg_no', 'Duplicated value'],
    [602, 'email', 'Duplicated value'],
  ])
})

test('the head of a department adds only what belongs to it', async () => {
  const departments = [
    await anItem(database.db, 'platform/department'),
    await anItem(database.db, 'platform/department'),
  ]
  const head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: departments[0]! } })
  const csv = ['name,department', `Mine,${departments[0]}`, `Theirs,${departments[1]}`].join('\n')
  const answer = await head.send('POST', '/api/registers/t/hall/imports', { csv, commit: true })
  expect(answer.json()).toMatchObject({ added: 0, errors: [{ line: 3, code: 'platform.import.elsewhere' }] })
  const mine = csv.split('\n').slice(0, 2).join('\n')
  expect((await head.send('POST', '/api/registers/t/hall/imports', { csv: mine, commit: true })).json().added).toBe(1)
})
