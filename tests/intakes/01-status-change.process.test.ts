import { beforeAll, expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { statusChange } from '../../processes/intakes/status-change.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, giveStatus } from '../platform/kit/owner.ts'
import { as, type Case, type Person, send, signIn, PASSWORD } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aReference } from '../platform/kit/payments.ts'

const { flow: FLOW, desks } = statusChange
const STUDENTS = '/api/registers/platform/student/items'
const CHANGES = '/api/registers/intakes/student-change/items'
const NAME = 'student.tharindu'

let ma: Person, ar: Person, registrar: Person, affairs: Person, admin: Person
let faculties: Item[]
interface Item {
  id: string
  title: string
  status: string
  version: number
  data: Record<string, string>
}

beforeAll(async () => {
  ;[ma, ar, registrar, affairs, admin] = await Promise.all(
    ['ma.music', 'ar.music', 'registrar', 'ma.welfare', 'admin'].map(as) as [
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
      Promise<Person>,
    ],
  )
  faculties = (await ma.get('/api/registers/platform/faculty/items')).items
})

const faculty = (name: string) => faculties.find(({ title }) => title.includes(name))!.id
const studentsOf = async (facultyId: string, status: string): Promise<Item[]> =>
  (await admin.get(`${STUDENTS}?filter.faculty=${facultyId}&status=${status}&limit=50`)).items
const read = (id: string): Promise<Item> => admin.get(`${STUDENTS}/${id}`)

/** Students of the Faculty of Music without an account that no other running change names. */
async function some(count: number, status = 'active'): Promise<Item[]> {
  const rows = await asOwner<{ id: string }>(
    `select i.id from app.register_item i where i.register = 'platform/student' and i.status = $1
       and i.data ->> 'faculty' = $2 and not exists (select from app.account a where a.record_id = i.id)
       and not exists (select from app.case_claim c where c.item_id = i.id) order by i.id limit $3`,
    [status, faculty('Music'), count],
  )
  return Promise.all(rows.map(({ id }) => read(id)))
}

const proposal = (students: readonly { id: string }[], more: object = {}) => ({
  kind: 'Status',
  becomes: 'suspended',
  faculty: faculty('Music'),
  students: students.map(({ id }) => ({ student: id })),
  reason: 'Decision 12 of the Board of Residence and Discipline',
  effective_on: day(0),
  ...more,
})

async function refusedFor(who: Person, data: object): Promise<[string, string][]> {
  const { body } = await who.send('POST', '/api/cases', { flow: FLOW, data })
  return (body.errors ?? []).map(({ field, code }: { field: string; code: string }) => [field, code])
}

const changesOf = async (student: string): Promise<Item[]> =>
  (await affairs.get(`${CHANGES}?filter.student=${student}`)).items

async function inEffect(of: Case): Promise<void> {
  await expectCase(of).toBe('In Effect')
  await expectEnded(of)
}

/** The code of a character certificate that this account got earlier, on a case of theirs. */
async function aCharacterCertificate(account: string): Promise<string> {
  const code = randomBytes(16).toString('hex')
  await asOwner(
    `with kind as (select id from app.register_item where register = 'students/request-kind'
         and data ->> 'concerns' = 'conduct' limit 1),
       about as (update app.flow_case c set data = c.data || jsonb_build_object('kind', kind.id) from kind
         where c.id = (select id from app.flow_case where requester_id = $1 limit 1) returning c.id),
       made as (insert into app.document (id, case_id, kind, number, data)
         select gen_random_uuid(), id, 'students/letter', 'SL-2020-000001', '{}' from about returning id, case_id)
     insert into app.document_verification (document_id, case_id, kind, code, holder, signed_by, pdf, sha256)
       select id, case_id, 'students/letter', $2, 'Somebody', '[]', 'x', encode(sha256('x'), 'hex') from made`,
    [account, code],
  )
  expect((await send('GET', `/api/public/documents/${code}`)).body).toMatchObject({ state: 'valid' })
  return code
}

test('a proposal names students of one faculty, of the proposer, in one status, and each once', async () => {
  const [one, two] = await some(2)
  const [foreign] = await studentsOf(faculty('Visual'), 'active')
  const [suspended] = await some(1, 'suspended')
  const [gone] = await some(1, 'deactivated')
  const first = '/students/0/student'
  const second = '/students/1/student'
  expect(await refusedFor(ma, proposal([foreign!]))).toEqual([[first, 'intakes.student-elsewhere']])
  const elsewhere = proposal([foreign!], { faculty: faculty('Visual') })
  expect(await refusedFor(ma, elsewhere)).toEqual([[first, 'intakes.student-elsewhere']])
  const western = await as('ma.western-music')
  const { items: programs } = await admin.get('/api/registers/setup/degree-program/items?search=Western')
  const westernPrograms: string[] = programs.map(({ id }: Item) => id)
  const other = (await studentsOf(faculty('Music'), 'active')).find(
    ({ data }) => !westernPrograms.includes(data['programme']!),
  )
  expect(await refusedFor(western, proposal([other!]))).toEqual([[first, 'intakes.student-elsewhere']])
  expect(await refusedFor(ma, proposal([one!, two!, one!]))).toEqual([
    ['/students/2/student', 'platform.check-uniqueItems'],
  ])
  expect(await refusedFor(ma, proposal([one!], { becomes: 'active' }))).toEqual([[first, 'intakes.already-so']])
  expect(await refusedFor(ma, proposal([gone!]))).toEqual([[first, 'intakes.only-reinstated']])
  // Who was never on the roll registers: with fee, documents and subjects.
  const [fresh] = await some(1, 'unregistered')
  const taken = { becomes: 'active' }
  expect(await refusedFor(ma, proposal([fresh!], taken))).toEqual([[first, 'intakes.never-registered']])
  const noted = { student: fresh!.id, status_was: 'unregistered', status_becomes: 'active' }
  await expect(
    asOwner(
      `with changed as (update app.register_item set status = 'active', version = version + 1 where id = $1
         returning id, version, status, data),
       kept as (insert into app.register_item_version (item_id, version, status, data)
         select id, version, status, data from changed)
       insert into app.register_item (id, register, status, title, data)
         values (gen_random_uuid(), 'intakes/student-change', 'Active', 'A day', $2)`,
      [fresh!.id, JSON.stringify(noted)],
    ),
  ).rejects.toThrow('has never registered')
  expect(await refusedFor(ma, proposal([one!, suspended!], { becomes: 'deactivated' }))).toEqual([
    [second, 'intakes.one-status'],
  ])
  const intake = suspended!.data['intake']
  expect(await refusedFor(ma, proposal([suspended!], { kind: 'Intake', intake }))).toEqual([
    [first, 'intakes.not-active'],
  ])
  const past = await refusedFor(ma, proposal([one!], { effective_on: day(-1) }))
  expect(past.map(([field]) => field)).toEqual(['/effective_on'])
  const { status } = await (
    await as('lecturer.perera')
  ).send('POST', '/api/cases', { flow: FLOW, data: proposal([one!]) })
  expect(status).toBe(403)
})

test('a suspended student is signed out, cannot sign in, and reads why; the reinstatement opens the account again', async () => {
  const signedIn = await as(NAME)
  const { recordId } = (
    await asOwner<{ recordId: string }>(`select record_id as "recordId" from app.account where username = $1`, [NAME])
  )[0]!
  const student = await read(recordId)
  const certificate = await aCharacterCertificate(signedIn.id)
  const change = await affairs.submit(FLOW, proposal([student], { effective_on: day(7), for_conduct: true }))
  await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(change).toBe('Approved')
  expect((await read(recordId)).status).toBe('active')
  const [loan] = await asOwner<{ id: string; instrument: string }>(
    `with made as (insert into app.register_item (id, register, status, title, data)
       select gen_random_uuid(), 'instruments/loan', 'Open', 'A loan', jsonb_build_object('student', $1::text, 'instrument', id)
       from app.register_item where register = 'instruments/instrument' limit 1 returning id, data),
     named as (insert into app.register_reference (item_id, path, target_id) select id, '/student', $1::uuid from made)
     select made.id, i.title as instrument from made
       join app.register_item i on i.id::text = made.data ->> 'instrument'`,
    [recordId],
  )
  const [place] = await asOwner<{ id: string }>(
    `with made as (insert into app.register_item (id, register, status, title, data)
       values (gen_random_uuid(), 'hostel/stay', 'Taken', 'HA-2026-999999', jsonb_build_object('student', $1::text)) returning id)
     insert into app.register_reference (item_id, path, target_id) select id, '/student', $1::uuid from made returning item_id as id`,
    [recordId],
  )
  expect((await signedIn.send('GET', '/api/me')).status).toBe(200)
  // Who decides sees what is still lent.
  const { shows } = await ar.get(`/api/cases/${change.id}`)
  // Not where somebody lives, which is not theirs to know.
  const lent = { data: { title: expect.stringContaining('A loan'), person: student.title } }
  expect(shows).toMatchObject([{ name: 'instruments', items: [lent] }])

  await clock.passes('P8D', change)
  await inEffect(change)
  expect((await read(recordId)).status).toBe('suspended')
  // A certificate of a good character does not outlive it.
  expect((await send('GET', `/api/public/documents/${certificate}`)).body).toMatchObject({ state: 'withdrawn' })
  await until('the session has ended', async () => (await signedIn.send('GET', '/api/me')).status === 401)
  const body = new URLSearchParams({ grant_type: 'password', username: NAME, password: PASSWORD })
  expect((await send('POST', '/api/auth/token', { body })).status).toBe(401)
  expect(await changesOf(recordId)).toMatchObject([
    { data: { status_was: 'active', status_becomes: 'suspended', case_reference: change.reference } },
  ])
  // Student affairs proposed it, too, and get one mail.
  const { items: mails } = await affairs.get('/api/mailbox')
  const about = ({ template, caseId }: { template: string; caseId: string }) =>
    template === 'intakes.mail.in-effect' && caseId === change.id
  expect(mails.filter(about)).toHaveLength(1)
  // Who keeps accounts, payments and books is told who it is, and not why.
  for (const name of ['head.information-technology', 'finance', 'head.library']) {
    const told = (await (await as(name)).get('/api/mailbox')).items.find(
      ({ template, caseId }: { template: string; caseId: string }) =>
        template === 'intakes.mail.area-told' && caseId === change.id,
    )
    expect([name, told?.body]).toEqual([name, expect.stringContaining(`${student.data['reg_no']} ${student.title}`)])
    expect(told.body).not.toContain('Board of Residence')
    const { items } = await (await as(name)).get('/api/notification')
    expect(items.find(({ title }: { title: string }) => title === told.subject)).toMatchObject({ path: null })
  }
  const keeper = await as('store.keeper')
  const { body: asked } = await expectMail(keeper).about('intakes.mail.holds-instruments', change)
  expect(asked).toContain(`${student.title}: ${loan!.instrument}`)
  for (const welfare of ['ma.welfare', 'head.welfare']) {
    const { body: told } = await expectMail(await as(welfare)).about('intakes.mail.holds-place', change)
    expect(told).toContain(`${student.title}: HA-2026-999999`)
  }
  for (const id of [loan!.id, place!.id]) {
    await asOwner('delete from app.register_reference where item_id = $1', [id])
    await asOwner('delete from app.register_item where id = $1', [id])
  }

  const back = await affairs.submit(FLOW, proposal([student], { becomes: 'active' }))
  await ar.decides(back, 'approve', {}, desks.approveByFacultyAR)
  await inEffect(back)
  const again = new URLSearchParams({ grant_type: 'password', username: NAME, password: PASSWORD })
  expect((await send('POST', '/api/auth/token', { body: again })).status).toBe(200)
  expect(await changesOf(recordId)).toHaveLength(2)
})

test('who leaves the roll is decided by the Registrar as well; one case names a student at a time', async () => {
  const students = await some(3)
  const change = await ma.submit(FLOW, proposal(students, { becomes: 'deactivated' }))
  expect(await refusedFor(affairs, proposal([students[1]!]))).toEqual([
    ['/students/0/student', 'platform.item-claimed'],
  ])
  const twice = `insert into app.case_claim (case_id, item_id, flow) select id, $2, $3 from app.flow_case where id <> $1 limit 1`
  await expect(asOwner(twice, [change.id, students[1]!.id, FLOW])).rejects.toThrow('case_claim_once')
  await ar.decides(change, 'return', { reason: 'Which decision?' }, desks.approveByFacultyAR)
  const correction = await ma.task(change, desks.correct)
  const corrected = proposal(students.slice(0, 2), { becomes: 'deactivated', reason: 'Senate, 14 May' })
  await ma.ok('POST', `/api/tasks/${correction.id}/complete`, { data: corrected })
  const freed = await affairs.submit(FLOW, proposal([students[2]!]))
  await affairs.withdraws(freed)
  await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(change).toBe('Recommended')
  await registrar.decides(change, 'approve', {}, desks.approveByRegistrar)
  await inEffect(change)
  for (const { id } of students.slice(0, 2)) expect((await read(id)).status).toBe('deactivated')
  expect((await read(students[2]!.id)).status).toBe('active')
})

test('who gave up does not register again by themself: the Registrar takes them back', async () => {
  const own = `select record_id as id from app.account where username = $1`
  const [{ id } = { id: '' }] = await asOwner<{ id: string }>(own, [NAME])
  const decided = async (becomes: string, reason: string) => {
    const change = await affairs.submit(FLOW, proposal([{ id }], { becomes, reason }))
    await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
    await registrar.decides(change, 'approve', {}, desks.approveByRegistrar)
    await inEffect(change)
  }
  await decided('unregistered', 'Gave up the studies')
  // Staff who study as well keep their account.
  await asOwner('update app.account set active = true where username = $1', [NAME])
  const student = await signIn(NAME)
  const { message } = await student.get('/api/flows/students/registration/opening')
  expect(message).toContain('Please ask the office of your faculty')
  const { items: setups } = await student.get('/api/registers/students/registration-setup/items')
  const fee = { setup: setups[0].id, bank_reference: aReference(), paid_on: day(0), declaration: true }
  await expect(student.submit('students/registration', fee)).rejects.toThrow('students.left-the-roll')
  await decided('active', 'Decision 14 of the Senate')
})

test('students move to another intake, and to a batch of it; who has changed meanwhile stops all of them', async () => {
  const students = await some(2)
  const { items: intakes } = await ma.get('/api/registers/intakes/intake/items')
  const intake = intakes.find(({ id }: Item) => students.every(({ data }) => data['intake'] !== id)).id
  const into = { kind: 'Intake', becomes: undefined, intake }
  const move = await ma.submit(FLOW, proposal(students, into))
  await ar.decides(move, 'approve', {}, desks.approveByFacultyAR)
  await inEffect(move)
  const moved = await read(students[0]!.id)
  expect(moved).toMatchObject({ status: 'active', data: { intake } })
  expect(moved.data).not.toHaveProperty('batch')

  const late = await ma.submit(FLOW, proposal(students, { effective_on: day(7) }))
  await ar.decides(late, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(late).toBe('Approved')
  await giveStatus(students[1]!.id, 'unregistered')
  await clock.passes('P8D', late)
  await expectCase(late).toBe('Not Carried Out')
  expect((await expectMail(ma).about('intakes.mail.not-carried-out', late)).body).toContain(students[1]!.title)
  expect((await read(students[0]!.id)).status).toBe('active')
  await expectEnded(late)
})

test('a batch of another faculty or department is refused', async () => {
  const [student] = await some(1)
  const { items: programs } = await admin.get('/api/registers/setup/degree-program/items')
  const own = programs.filter(({ data }: Item) => data['department'] === student!.data['department'])
  const { items: batches } = await admin.get('/api/registers/batches/batch/items?limit=50')
  const { intake } = batches.find(({ data }: Item) => data['intake'] !== student!.data['intake']).data
  const elsewhere: Item[] = batches.filter(
    ({ data }: Item) => data['intake'] === intake && !own.some(({ id }: Item) => id === data['programme']),
  )
  expect(elsewhere.length).toBeGreaterThan(1)
  for (const { id: batch } of elsewhere) {
    const into = proposal([student!], { kind: 'Intake', becomes: undefined, intake, batch })
    expect(await refusedFor(ma, into)).toEqual([['/batch', 'intakes.batch-elsewhere']])
  }
})

test('an intake that is closed by the effective date ends the change, and frees its students', async () => {
  const [student] = await some(1)
  const INTAKES = '/api/registers/intakes/intake/items'
  const years = await admin.get('/api/registers/year-renewals/academic-year/items?search=2027')
  const data = { name: `T ${Date.now()}`, academic_year: years.items[0].id, starts_on: day(30) }
  const { id: intake } = await admin.ok('POST', INTAKES, { data })
  const into = { kind: 'Intake', becomes: undefined, intake, effective_on: day(7) }
  const change = await ma.submit(FLOW, proposal([student!], into))
  await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(change).toBe('Approved')
  await admin.ok('POST', `${INTAKES}/${intake}/status`, { status: 'Inactive' })
  await clock.passes('P8D', change)
  await expectCase(change).toBe('Not Carried Out')
  const { body } = await expectMail(ma).about('intakes.mail.not-carried-out', change)
  expect(body).toContain(student!.title)
  await expectEnded(change)
  expect(await asOwner('select from app.case_claim where item_id = $1', [student!.id])).toEqual([])
})

test('an approved change can be withdrawn until its day; an MA elsewhere sees none of it', async () => {
  const change = await ma.submit(FLOW, proposal(await some(1), { effective_on: day(7) }))
  await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await expectCase(change).toBe('Approved')
  const elsewhere = await as('ma.western-music')
  expect((await elsewhere.send('GET', `/api/cases/${change.id}`)).status).toBe(404)
  await until('it can be withdrawn', async () => (await ma.get(`/api/cases/${change.id}`)).withdrawable)
  await ma.withdraws(change)
  await expectEnded(change)
})

test('Head and Management Assistant of a department are told of its own students, and not of others', async () => {
  const { items: departments } = await admin.get('/api/registers/platform/department/items?search=Western')
  const students = await some(100)
  const isWestern = ({ data }: Item) => data['department'] === departments[0].id
  const [western, other] = [students.find(isWestern)!, students.find((one) => !isWestern(one))!]
  const change = await affairs.submit(FLOW, proposal([western, other]))
  await ar.decides(change, 'approve', {}, desks.approveByFacultyAR)
  await inEffect(change)
  for (const name of ['hod.western-music', 'ma.western-music']) {
    const { body } = await expectMail(await as(name)).about('intakes.mail.area-told', change)
    expect([name, body]).toEqual([name, expect.stringContaining(western.title)])
    expect(body).not.toContain(String(other.data['reg_no']))
    expect(body).not.toContain('Board of Residence')
  }
})
