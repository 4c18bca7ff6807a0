import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitor, type Visitors } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
const SUBMISSION = 'students/document-submission'
const desks = { checkUploads: 'userTask_checkUploads', uploadDocuments: 'userTask_uploadDocuments' }

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const opens = async (username: string): Promise<Visitor> => {
  const visitor = await visitors.arrives()
  await visitor.signsIn(username)
  await visitor.page.getByRole('heading', { name: t('platform.front.start') }).waitFor()
  return visitor
}
const part = ({ page }: Visitor, title: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${t(title)}`) })
const numberOf = async (visitor: Visitor, title: string): Promise<number> => {
  const number = part(visitor, title).locator('em')
  await number.getByText(/^\d/).waitFor()
  return parseInt(await number.innerText(), 10)
}

/** The tasks that wait at a desk, by whether their case lies in the Faculty of Music. */
async function tasksAt(flow: string, desk: string): Promise<{ music: number; elsewhere: number }> {
  const [found] = await asOwner<{ music: number; elsewhere: number }>(
    `select count(*) filter (where f.title = 'Faculty of Music')::int as music,
       count(*) filter (where f.title is distinct from 'Faculty of Music')::int as elsewhere
     from app.task t join app.flow_case c on c.id = t.case_id left join app.register_item f on f.id::text = c.scope ->> 'faculty'
     where c.flow = $1 and t.desk = $2 and t.state in ('open', 'held')`,
    [flow, desk],
  )
  return found!
}

/** A student sends the documents of their intake, which then wait for the check. */
async function sendsDocuments(student: Person): Promise<void> {
  const { items } = await student.get('/api/registers/platform/student/items?mine=true')
  const sent = await student.submit(SUBMISSION, { intake: items[0].data.intake })
  const { id } = await student.task(sent, desks.uploadDocuments)
  const wanted: { name: string }[] = (await student.get(`/api/cases/${sent.id}`)).facts.wanted
  const documents = await Promise.all(
    wanted.map(async (row) => ({ ...row, file: await uploads(student, `${row.name}.pdf`) })),
  )
  await student.ok('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'send', documents } })
  await expectCase(sent).toBe('Uploaded')
}

test('a Management Assistant counts the documents of the own faculty that wait, and no others', async () => {
  await sendsDocuments(await as('student.selvi'))
  await sendsDocuments(await as('student.yalini'))
  const { music, elsewhere } = await tasksAt(SUBMISSION, desks.checkUploads)
  expect(music).toBeGreaterThan(0)
  expect(elsewhere).toBeGreaterThan(0)
  const ma = await opens('ma.music')
  expect(await numberOf(ma, 'dashboard.part.documents-to-check')).toBe(music)
  expect(await part(ma, 'dashboard.part.incidents').count()).toBe(0)
  expect(await part(ma, 'dashboard.part.without-password').count()).toBe(0)
  await looks(ma, 'dashboard-ma')
  await part(ma, 'dashboard.part.documents-to-check').click()
  await ma.page.waitForURL('**/ma/student/documents/check')
  const affairs = await opens('ma.welfare')
  expect(await numberOf(affairs, 'dashboard.part.documents-to-check')).toBe(music + elsewhere)
})

test('who looks after accounts counts the students without a password, and comes to these', async () => {
  const office = await opens('head.information-technology')
  const [{ students } = { students: 0 }] = await asOwner<{ students: number }>(
    `select count(*)::int as students from app.register_item s
     where s.register = 'platform/student' and s.status in ('active', 'unregistered') and not exists (
       select from app.account a where a.record_id = s.id and a.password_hash is not null)`,
  )
  expect(students).toBeGreaterThan(100)
  expect(await numberOf(office, 'dashboard.part.without-password')).toBe(students)
  await part(office, 'dashboard.part.without-password').click()
  await office.page.waitForURL('**/students/sendPasswordLink?link=without-password')
  await office.page.getByText(new RegExp(`^Send to all ${students} that match`)).waitFor()
})

test('a Head counts what is late at the desks of the department, an operator the incidents', async () => {
  const head = await opens('hod.music')
  const { desks: late } = await (await as('hod.music')).get('/api/team')
  const overdue = late.reduce((sum: number, one: { overdue: number }) => sum + one.overdue, 0)
  expect(await numberOf(head, 'dashboard.part.late')).toBe(overdue)
  expect(await part(head, 'dashboard.part.documents-to-check').count()).toBe(0)
  await looks(head, 'dashboard-head')
  const operator = await opens('system.analyst')
  const { items } = await (await as('system.analyst')).get('/api/operations')
  const incidents = items.reduce((sum: number, one: { count: number }) => sum + one.count, 0)
  expect(await numberOf(operator, 'dashboard.part.incidents')).toBe(incidents)
})

test('the Registrar sees what waits and what is late, an auditor the audits, each without the parts of others', async () => {
  const registrar = await opens('registrar')
  await registrar.page.getByRole('heading', { name: t('platform.front.for-me') }).waitFor()
  const { count } = await (await as('registrar')).get('/api/tasks?queue=open&limit=1')
  expect(count.value).toBeGreaterThan(0)
  await looks(registrar, 'dashboard-registrar')
  for (const title of ['incidents', 'documents-to-check', 'audits', 'without-password'])
    expect(await part(registrar, `dashboard.part.${title}`).count()).toBe(0)

  const auditor = await opens('assistant.auditor')
  const { count: audits } = await (
    await as('assistant.auditor')
  ).get('/api/cases?flow=audit/audit&running=true&limit=1')
  expect(await numberOf(auditor, 'dashboard.part.audits')).toBe(audits.value)
  for (const title of ['late', 'incidents', 'documents-to-check', 'student-requests'])
    expect(await part(auditor, `dashboard.part.${title}`).count()).toBe(0)
  await looks(auditor, 'dashboard-auditor')
})

test('a student sees the own registration, documents, results and card, and nothing of others', async () => {
  const student = await opens('student.nuwan')
  const { page } = student
  for (const title of ['registration', 'documents', 'results', 'card'])
    await page.getByRole('heading', { name: t(`dashboard.part.${title}`) }).waitFor()
  const [own] = (await (await as('student.nuwan')).get('/api/registers/platform/student/items?mine=true')).items
  await page.getByRole('link', { name: new RegExp(`${own.title}.*${t('platform.item-status.active')}`) }).waitFor()
  expect(await page.getByRole('heading', { name: t('dashboard.part.lists') }).count()).toBe(0)
  // Of many own entries the part counts those that wait, not those among the first.
  const documents = (await as('student.nuwan')).get(
    '/api/registers/students/document/items?mine=true&statuses=Pending%20Upload,Rejected&limit=4',
  )
  const [due] = await asOwner<{ count: number }>(
    `select count(*)::int from app.register_item d join app.account a on a.username = 'student.nuwan'
     where d.register = 'students/document' and d.data ->> 'student' = a.record_id::text
       and d.status in ('Pending Upload', 'Rejected')`,
  )
  expect((await documents).count.value).toBe(due!.count)
  await looks(student, 'dashboard-student')
})
