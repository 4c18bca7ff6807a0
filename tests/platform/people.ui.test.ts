import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { aBooking, BOOKING, type Hall, halls } from '../resource-reservation/booking.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { as, type Case, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { day } from './kit/days.ts'

const GROUP = 'batchView'
const REASON = 'Decided by the council at its meeting in May'

let visitors: Visitors
let administrator: Visitor, lecturer: Visitor, dean: Visitor
let admin: Person
let hall: Hall
/** The post of the head who decides on the hall, and its holder before the story. */
let post: { id: string; title: string; holder: { account: { id: string; name: string } } }
let booking: Case
/** Restores the initial state at the end: other stories start with the same people. */
const undo: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  admin = await as('admin')
  hall = (await halls({ cost: false }))[0]!
  const head = await as(hall.head)
  const posts = await admin.get('/api/posts?limit=100')
  post = posts.items.find((one: typeof post) => one.holder?.account.id === head.id)
  booking = await (await as('student.selvi')).submit(BOOKING, aBooking(hall))
  // The head has claimed it.
  const { id } = await head.task(booking)
  await head.ok('POST', `/api/tasks/${id}/claim`)
  visitors = await openBrowser()
  ;[administrator, lecturer, dean] = await Promise.all([
    visitors.arrives(),
    visitors.arrives(),
    visitors.arrives({ width: NARROW }),
  ])
  await administrator.signsIn('admin', '/people')
})

afterAll(async () => {
  for (const one of undo.reverse()) await one()
  await visitors?.close()
})

const expectNoTrouble = () =>
  expect([administrator, lecturer, dean].flatMap((visitor) => visitor.troubles())).toEqual([])

const dialogOf = ({ page }: Visitor) => page.getByRole('dialog')

/** Types into a search field, and selects the result. */
async function chooses(visitor: Visitor, label: string, words: string, option: string | RegExp): Promise<void> {
  await dialogOf(visitor).getByLabel(label, { exact: true }).fill(words)
  await visitor.page.getByTitle(option).last().click()
}

/** Ends the administrators that other stories on the same product have left. */
async function endsOtherAdministrators(): Promise<void> {
  const { items } = await admin.get('/api/people?role=ADMIN&limit=100')
  for (const { id } of items.filter((one: { id: string }) => one.id !== admin.id)) {
    const { grants } = await admin.get(`/api/people/${id}`)
    for (const grant of grants)
      if (grant.role === 'ADMIN' && grant.state === 'current' && grant.endsAt === null)
        await admin.ok('POST', `/api/grants/${grant.id}/end`, { reason: REASON })
  }
}

/** Opens somebody's page from the list, found by name. */
async function opensPerson({ page }: Visitor, name: string): Promise<void> {
  await page.goto(`/people?search=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

test('an administrator finds people by words, role and state, and the address keeps the query', async () => {
  const { page } = administrator
  await page.getByRole('link', { name: 'Amaya Ranasinghe', exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByPlaceholder('Name, username or address').fill('perera')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Amaya Ranasinghe', exact: true }).waitFor({ state: 'detached' })
  await page.getByLabel('Role', { exact: true }).fill('Lecturer')
  await page.getByTitle('Lecturer', { exact: true }).last().click()
  await page.getByRole('link', { name: 'Nadeesha Perera', exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?search=perera&role=Lecturer')

  await page.getByLabel('State', { exact: true }).click()
  await page.getByTitle('Inactive').click()
  await page.getByRole('heading', { name: 'Nobody found' }).waitFor()
  await administrator.picture('people-nobody')
  expectNoTrouble()
})

test('nobody gives roles to themselves: their own page says so', async () => {
  const { page } = administrator
  await opensPerson(administrator, 'Ruwan Jayasekara')
  await reads(page, 'Somebody else gives you roles and takes them back.')
  expect(await page.getByRole('button', { name: 'Give a role' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^End/ }).count()).toBe(0)
  await expectAccessible(page)
  expectNoTrouble()
})

test('while a flow has a second owner nobody is offered to become its owner, and the dialog says why', async () => {
  const { page } = administrator
  const owner = await as('owner.flows')
  const [{ process, title }] = (await owner.get('/api/studio/models')).items
  const settings = `/api/studio/models/${process}/settings`
  await owner.ok('PUT', settings, { secondOwner: true })
  undo.push(async () => {
    const { id } = await admin.ok('POST', `${settings}/waivers`, { reason: REASON })
    await owner.ok('POST', `${settings}/waivers/${id}`, { accept: true, note: REASON })
  })
  await opensPerson(administrator, 'Nadeesha Perera')
  await page.getByRole('button', { name: 'Give a role' }).click()
  await chooses(administrator, 'Role', 'Process Owner', 'Process Owner')
  await dialogOf(administrator)
    .getByText(/This flow needs a second owner, so nobody can become its owner now/)
    .waitFor()
  await expectAccessible(page)
  await dialogOf(administrator).getByLabel('Where').fill(title)
  await page.locator('.ant-select-item-option-disabled', { hasText: title }).waitFor()
  await administrator.picture('people-give-owner')
  await page.keyboard.press('Escape')
  await dialogOf(administrator).getByRole('button', { name: 'Cancel' }).click()
  expectNoTrouble()
})

test('a role is given with a reason, after a preview; the person’s browser is notified', async () => {
  const { page } = administrator
  await lecturer.signsIn('lecturer.perera', '/people')
  await lecturer.page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()

  await opensPerson(administrator, 'Nadeesha Perera')
  await page.getByRole('button', { name: 'Give a role' }).click()
  await page.waitForFunction(() => document.activeElement?.id === 'role')
  await chooses(administrator, 'Role', 'ADMIN', 'ADMIN')
  await dialogOf(administrator).getByLabel('Where').click()
  await page.getByTitle('The whole university').last().click()
  const effect = dialogOf(administrator).getByLabel('What this changes')
  await effect.getByText(/^Nadeesha Perera can open \d+ more pages:/).waitFor()
  await effect.getByText(/waiting tasks? (is|are) offered to Nadeesha Perera as well\./).waitFor()
  // A temporary administrator does not count as a remaining one.
  await dialogOf(administrator)
    .getByLabel('Until (optional)')
    .fill(dayjs(day(0)).add(30, 'day').format('DD/MM/YYYY'))
  await page.keyboard.press('Enter')
  await administrator.picture('people-give')
  await expectAccessible(page)

  await dialogOf(administrator).getByRole('button', { name: 'Give a role' }).click()
  await dialogOf(administrator).getByText('This field is required').waitFor()
  await dialogOf(administrator).getByLabel('Reason').fill(REASON)
  await dialogOf(administrator).getByRole('button', { name: 'Give a role' }).click()
  await reads(page, 'Nadeesha Perera has the role ADMIN from now on')
  await page.getByRole('row', { name: /ADMIN.+Ruwan Jayasekara.+Decided by the council/ }).waitFor()
  await lecturer.page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  expectNoTrouble()
})

test('the last administrator stays: the refusal is explained, before and after', async () => {
  const { page } = lecturer
  await endsOtherAdministrators()
  await opensPerson(lecturer, 'Ruwan Jayasekara')
  const words = /At least one administrator without an end date must remain/
  lecturer.expects(409, `/api/people/${admin.id}/effect`)
  await page.getByRole('button', { name: 'End ADMIN' }).click()
  await dialogOf(lecturer).getByLabel('What this changes').getByText(words).waitFor()
  await dialogOf(lecturer).getByLabel('Reason').fill(REASON)
  const { grants } = await admin.get(`/api/people/${admin.id}`)
  const { id } = grants.find(({ role }: { role: string }) => role === 'ADMIN')
  lecturer.expects(409, `/api/grants/${id}/end`)
  await dialogOf(lecturer).getByRole('button', { name: 'End ADMIN' }).click()
  await dialogOf(lecturer).getByRole('alert').getByText(words).waitFor()
  await lecturer.picture('people-last-administrator')
  await page.keyboard.press('Escape')
  expectNoTrouble()
})

test('a role is ended with a reason, and the pages that it opened close by themselves', async () => {
  const { page } = administrator
  await page.getByRole('button', { name: 'End ADMIN' }).click()
  await dialogOf(administrator)
    .getByLabel('What this changes')
    .getByText(/can no longer open \d+ pages:/)
    .waitFor()
  await dialogOf(administrator).getByLabel('Reason').fill('The time is over')
  await dialogOf(administrator).getByRole('button', { name: 'End ADMIN' }).click()
  await reads(page, 'Nadeesha Perera no longer has ADMIN')
  await page.getByText(/roles? in the past$/).click()
  await page
    .getByRole('row', { name: /ADMIN.+Ended: The time is over/ })
    .first()
    .waitFor()
  await administrator.picture('people-person')
  await expectAccessible(page)
  await lecturer.page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
  // Requests in progress when the role ended are rightly refused.
  lecturer.troubles()
  expectNoTrouble()
})

test('a new head is appointed: assigned tasks are free again, and go to the successor', async () => {
  const { page } = administrator
  const [before, after] = [post.holder.account.name, 'Lakmal Fernando']
  await page.goto(`/posts?search=${encodeURIComponent(post.title)}`)
  await page.getByRole('link', { name: post.title, exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: post.title, exact: true }).click()
  await page.getByRole('button', { name: 'Appoint', exact: true }).click()
  await chooses(administrator, 'Person', 'Lakmal', /^Lakmal Fernando/)
  const effect = dialogOf(administrator).getByLabel('What this changes')
  await effect.getByText(/^(One|\d+) waiting tasks? goe?s? to Lakmal Fernando\./).waitFor()
  await effect.getByText(`${before} no longer has the post, and its role ends.`).waitFor()
  await effect.getByText(/taken (is|are) open again/).waitFor()
  await administrator.picture('posts-appoint')
  await expectAccessible(page)

  await dialogOf(administrator).getByLabel('Reason').fill(REASON)
  undo.push(() =>
    admin.ok('POST', `/api/posts/${post.id}/holders`, {
      accountId: post.holder.account.id,
      acting: false,
      reason: 'The story is over',
    }),
  )
  await dialogOf(administrator).getByRole('button', { name: 'Appoint', exact: true }).click()
  await reads(page, `${after} is appointed: ${post.title}`)
  await page.getByRole('row', { name: new RegExp(`${after}.+Holder.+–`) }).waitFor()
  await page
    .getByRole('row', { name: new RegExp(`^${before}`) })
    .first()
    .waitFor()
  await administrator.picture('posts-post')
  await expectAccessible(page)

  const task = await (await as('lecturer.fernando')).task(booking)
  expect(task.assignee).toBeNull()
  const { items } = await (await as(hall.head)).get(`/api/tasks?search=${booking.reference}`)
  expect(items).toEqual([])
  expectNoTrouble()
})

test('a dean sees the post, and why the dean cannot fill it', async () => {
  const { page } = dean
  await dean.signsIn('dean.music', `/posts/${post.id}`)
  await page.getByRole('heading', { level: 1, name: post.title }).waitFor()
  await reads(page, /^An administrator appoints to this post, or somebody who has the role HOD there\.$/)
  expect(await page.getByRole('button', { name: 'Appoint', exact: true }).count()).toBe(0)
  await dean.picture('posts-dean')
  await expectAccessible(page)
  expectNoTrouble()
})

test('a dean gives only their own roles, in their own faculty', async () => {
  const { page } = dean
  await opensPerson(dean, 'Nadeesha Perera')
  await page.getByRole('button', { name: 'Give a role' }).click()
  await dialogOf(dean).getByLabel('Role', { exact: true }).click()
  const options = page.locator('.ant-select-item-option')
  await options.first().waitFor()
  expect((await options.allTextContents()).toSorted()).toEqual(['Dean', 'Professor'])
  await page.getByTitle('Professor').last().click()
  await dialogOf(dean).getByLabel('Where').click()
  await page.getByTitle('Department of Western Music').last().waitFor()
  expect(await page.getByTitle('The whole university').count()).toBe(0)
  expect(await page.getByTitle('Department of Painting').count()).toBe(0)
  await page.keyboard.press('Escape')
  await dean.picture('people-dean')
  await page.keyboard.press('Escape')
  await dean.goes('/groups')
  await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
  expectNoTrouble()
})

test('a group gets another role, after a preview of who gains access', async () => {
  const { page } = administrator
  await page.goto('/groups')
  await page.getByPlaceholder('Group, role or page').fill(GROUP)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: GROUP, exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: GROUP, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: GROUP }).waitFor()
  await page.getByRole('button', { name: 'Change the roles' }).click()
  await chooses(administrator, 'Roles', 'Lecturer', /^Lecturer \(/)
  await page.keyboard.press('Escape')
  const effect = dialogOf(administrator).getByLabel('What this changes')
  await effect.getByText(/\d+ people can open these pages from then on:.+/).waitFor()
  await administrator.picture('groups-change')
  await expectAccessible(page)
  await dialogOf(administrator).getByLabel('Reason').fill(REASON)
  const { items } = await admin.get('/api/groups')
  const { roles } = items.find(({ name }: { name: string }) => name === GROUP)
  undo.push(async () => {
    const now = await admin.get('/api/groups')
    const { version } = now.items.find(({ name }: { name: string }) => name === GROUP)
    await admin.ok(
      'PUT',
      `/api/groups/${GROUP}`,
      { roles, reason: 'The story is over' },
      { 'if-match': `"${version}"` },
    )
  })
  await dialogOf(administrator).getByRole('button', { name: 'Change the roles' }).click()
  await reads(page, `The roles of ${GROUP} are changed`)
  await page.getByRole('link', { name: 'Lecturer', exact: true }).waitFor()
  await reads(page, /by Ruwan Jayasekara/)
  const me = await (await as('lecturer.fernando')).get('/api/me')
  expect(me.groups).toContain(GROUP)
  expectNoTrouble()
})

test('a file with errors gives nothing and names line and column; without errors all its roles are given', async () => {
  const { page } = administrator
  const header = 'username,role,scope_kind,scope_code,starts,ends,reason'
  const ends = dayjs(day(0)).add(1, 'year').format('DD/MM/YYYY')
  const right = `lecturer.sivakumar,Demonstrator,,,,${ends},${REASON}`
  const csv = (...lines: string[]) => [header, ...lines].join('\n')
  const given = async () => {
    const { items } = await admin.get('/api/people?search=lecturer.sivakumar')
    const { grants } = await admin.get(`/api/people/${items[0].id}`)
    return grants.filter(({ role, state }: any) => role === 'Demonstrator' && state === 'current')
  }

  await page.goto('/people')
  await page.getByRole('link', { name: 'Import roles' }).click()
  await page
    .getByLabel('Or paste the lines here')
    .fill(csv(right, 'admin,Lecturer,,,,,Mine', 'nobody.here,Emperor,,,,,'))
  await page.getByRole('button', { name: 'Check the file' }).click()
  await reads(page, /There are \d+ mistakes in the file\. Nothing was given\./)
  await page.getByRole('row', { name: /^3 username You cannot change your own roles.+ admin$/ }).waitFor()
  await page.getByRole('row', { name: /^4 role There is no such role Emperor$/ }).waitFor()
  await page.getByRole('row', { name: /^4 reason Value is empty/ }).waitFor()
  await administrator.picture('people-import')
  await expectAccessible(page)
  expect(await given()).toEqual([])

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'roles.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(right)) })
  await reads(page, 'One role would be given.')
  const effect = page.getByRole('region', { name: 'What this changes' })
  await effect.getByText('One person is given something.').waitFor()
  await effect
    .getByText(/Sivakumar/)
    .first()
    .waitFor()
  expect(await given()).toEqual([])
  await page.getByRole('button', { name: 'Give one role' }).click()
  await reads(page, 'One role is given')
  const [grant] = await until('the role', async () => {
    const found = await given()
    return found.length > 0 ? found : undefined
  })
  undo.push(() => admin.ok('POST', `/api/grants/${grant.id}/end`, { reason: 'The story is over' }))
  expectNoTrouble()
})

test('a person is added, and deactivated with the consequences named', async () => {
  const { page } = administrator
  const [name, email] = ['Sachini Amarasinghe', `sachini.${Date.now()}@prakriya.example`]
  await page.goto('/people')
  await page.getByRole('button', { name: 'Add a person' }).click()
  await dialogOf(administrator).getByLabel('Name', { exact: true }).fill(name)
  await dialogOf(administrator).getByLabel('Email').fill('admin@prakriya.example')
  await dialogOf(administrator).getByLabel('Reason').fill(REASON)
  administrator.expects(409, '/api/people')
  await dialogOf(administrator).getByRole('button', { name: 'Add a person' }).click()
  await dialogOf(administrator).locator('.ant-form-item-explain-error').waitFor()
  await dialogOf(administrator).getByLabel('Email').fill(email)
  await dialogOf(administrator).getByRole('button', { name: 'Add a person' }).click()
  await reads(page, `${name} is added; the link to set a password is on its way to ${email}`)
  await reads(page, `${name} has no role now.`)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await dialogOf(administrator)
    .getByText(/cannot sign in again/)
    .waitFor()
  await dialogOf(administrator).getByLabel('Reason').fill('Added by mistake')
  await dialogOf(administrator).getByRole('button', { name: 'Deactivate' }).click()
  await reads(page, 'This account is deactivated: nobody can sign in with it')
  expect(await page.getByRole('button', { name: 'Give a role' }).count()).toBe(0)
  await expectAccessible(page)
  expectNoTrouble()
})
