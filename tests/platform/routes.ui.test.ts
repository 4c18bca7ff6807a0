import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { aPaper, aTest } from '../aptitude-tests/application.ts'
import { aBooking, BOOKING, halls } from '../resource-reservation/booking.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { as } from './kit/people.ts'

interface Screen {
  guard: string | null
  route: string
  page: string
  title: string
  parameters?: {
    register?: string
    to?: string
    visitor?: string
    create?: boolean
    hole?: string
    within?: string
    holds?: Record<string, string>
    mine?: true
    list?: string
  }
  menu?: object
  sealed?: true
  built: boolean
}

/** Reads the sealed records of the medical unit. */
const DOCTOR = 'doctor.mohan'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const screens = library.screens as readonly Screen[]
const english = library.texts.en
const titleOf = ({ title }: Screen): string => english[title]!

let visitors: Visitors
let admin: Visitor
/** The same person on another device: two visit the pages in parallel. */
let other: Visitor
/** A booking that waits for a head of department. */
let booking: { id: string; reference: string; task: string; head: string }

beforeAll(async () => {
  const [student, hall] = [await as('student.selvi'), (await halls({ cost: false }))[0]!]
  const { id, reference } = await student.submit(BOOKING, aBooking(hall))
  const head = await as(hall.head)
  booking = { id, reference, task: (await head.task({ id, reference })).id, head: hall.head }
  await aPaper(await aTest())
  visitors = await openBrowser()
  ;[admin, other] = [await visitors.arrives(), await visitors.arrives()]
  for (const one of [admin, other]) await one.signsIn('admin', '/myprofile')
  for (const one of [admin, other]) await one.page.getByRole('heading', { level: 1 }).waitFor()
})

afterAll(() => visitors?.close())

afterEach(() => expect([...admin.troubles(), ...other.troubles()]).toEqual([]))

/** Two visitors process a list, each taking the next one when done. */
async function sideBySide<T>(what: readonly T[], looks: (one: T, by: Visitor) => Promise<void>): Promise<void> {
  const left = [...what]
  const walks = async (by: Visitor) => {
    for (let one = left.shift(); one; one = left.shift()) await looks(one, by)
  }
  await Promise.all([walks(admin), walks(other)])
}

/** The address of a screen with its parameters filled in. */
async function addressOf({ route, page, parameters, sealed }: Screen): Promise<string> {
  const register =
    parameters?.register ??
    (page === 'setup/compare-curriculums' ? 'setup/curriculum' : 'resource-reservation/resource')
  const reader = await as(sealed ? DOCTOR : 'admin')
  const holes: Record<string, string> =
    page === 'start' ? names('flow', BOOKING) : names('name', page === 'report' ? 'vouchers/cash-book' : register)
  if (/^case(s|-desk)?$|^audit-case$|reserved-reservation/.test(page)) holes['id'] = booking.id
  if (page === 'task') holes['id'] = booking.task
  if (page === 'recruitment/job-vacancies' || page === 'catalogue') {
    const shown = parameters?.register ?? 'recruitment/vacancy'
    const { items } = await (await as('admin')).get(`/api/public/registers/${shown}/items?limit=1`)
    holes['id'] = items[0].id
  }
  const showsOne = /register-item|resource-calendar|compare-curriculums/.test(page) && !parameters?.create
  if (showsOne && route.includes('{')) {
    const { items } = await reader.get(`/api/registers/${register}/items?limit=1`)
    holes['id'] = items[0].id
    for (const [hole, pointer] of Object.entries(parameters?.holds ?? {})) holes[hole] = items[0].data[pointer.slice(1)]
  }
  if (parameters?.within) {
    const listed = page === 'students/password-links' ? 'platform/student' : register
    const { item } = await reader.get(`/api/registers/${listed}`)
    const around = item.properties[parameters.within.slice(1)]['x-register']
    holes['id'] = (await reader.get(`/api/registers/${around}/items?limit=1`)).items[0].id
  }
  if (page === 'medical/dispense')
    holes['id'] = (await reader.get('/api/registers/medical/prescription/items?limit=1')).items[0].id
  if (page === 'person') holes['id'] = (await as('admin')).id
  if (page === 'post') holes['id'] = (await (await as('admin')).get('/api/posts?limit=1')).items[0].id
  if (page === 'group') holes['name'] = 'roleSetup'
  if (page.startsWith('studio-')) holes['process'] = 'year-end'
  // Opens an existing draft of this flow again.
  if (page === 'studio-draft') await (await as('admin')).send('POST', '/api/studio/models/year-end/draft', {})
  if (parameters?.hole && holes['id']) holes[parameters.hole] = holes['id']
  return route.replace(/\{(\w+)\}/g, (_, hole: string) => holes[hole] ?? '5')
}

function names(last: string, of: string): Record<string, string> {
  const [area, name] = of.split('/') as [string, string]
  return { area, [last]: name }
}

/** Runs in the page: search fields that differ in height from their button, and clipped focus rings. */
function searchesAndRings(): { uneven: string[]; cut: string[] } {
  const box = (element: Element) => element.getBoundingClientRect()
  const uneven = [...document.querySelectorAll('.ant-input-search')].flatMap((search) => {
    const [field, button] = [search.querySelector('.ant-input-affix-wrapper'), search.querySelector('.ant-btn')]
    return field && button && box(field).height !== box(button).height ? [search.outerHTML.slice(0, 200)] : []
  })
  const looked = new Map<Element, boolean>()
  const clips = (around: Element) => {
    const before = looked.get(around)
    if (before !== undefined) return before
    const { overflowX, overflowY, contentVisibility } = getComputedStyle(around)
    const is = overflowX !== 'visible' || overflowY !== 'visible' || contentVisibility === 'auto'
    looked.set(around, is)
    return is
  }
  // Of the many that are alike, as in the rows of a table, a few tell of all.
  const alike = new Map<string, number>()
  const isOneMore = ({ className, parentElement }: HTMLElement) => {
    const kind = `${className} in ${parentElement?.className} in ${parentElement?.parentElement?.className}`
    alike.set(kind, (alike.get(kind) ?? 0) + 1)
    return (alike.get(kind) ?? 0) <= 3
  }
  const cut = [...document.querySelectorAll<HTMLElement>('a[href], button')].filter(isOneMore).flatMap((element) => {
    element.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
    const { outlineWidth, outlineOffset } = getComputedStyle(element)
    const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
    const own = box(element)
    if (document.activeElement !== element || own.width === 0) return []
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
      if (!clips(around)) continue
      const { left, right, top, bottom } = box(around)
      // Elements scrolled out of view do not count.
      if (own.top < top || own.bottom > bottom || own.left < left || own.right > right) return []
      if (own.left - ring < left || own.right + ring > right || own.top - ring < top || own.bottom + ring > bottom)
        return [`${element.outerHTML.slice(0, 160)} in ${around.className}`]
    }
    return []
  })
  return { uneven, cut: cut.slice(0, 3) }
}

const loading = 'main output[aria-label=Loading], main [role=status][aria-label=Loading]'

/** Goes to an address within the app and waits until its page has loaded; returns its heading and any errors. */
async function visit(visitor: Visitor, path: string): Promise<{ heading: string; trouble: string[] }> {
  const { page } = visitor
  // The previous page's heading may look the same.
  await page.evaluate(() => document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-left', '')))
  await visitor.goes(path)
  const heading = page.locator('main h1:visible:not([data-left])').first()
  await heading.waitFor()
  await page.waitForFunction((selector) => !document.querySelector(selector), loading)
  return {
    heading: (await heading.textContent()) ?? '',
    trouble: await page.locator('main [role=alert]').allTextContents(),
  }
}

describe('every route of the portal', () => {
  test('opens without errors, if its area is built', async () => {
    // Everybody with a link to a decision or an answer can open it; the same holds for a document's code.
    const elsewhere = ['redirect', 'signin', 'start', 'decide', 'answer', 'verify']
    const built = screens.filter((one) => one.built && !elsewhere.includes(one.page) && !one.sealed)
    await sideBySide(built, async (screen, by) => {
      const path = await addressOf(screen)
      const seen = await visit(by, path)
      // The menu uses the page's heading; the dashboard has a greeting instead.
      const heading = screen.menu && screen.page !== 'front' ? titleOf(screen) : /\S/
      expect({ path, ...seen }).toEqual({ path, trouble: [], heading: expect.stringMatching(heading) })
      expect({ path, ...(await by.page.evaluate(searchesAndRings)) }).toEqual({ path, uneven: [], cut: [] })
      // The desk of a case that the address does not name leads to the list of cases.
      expect(new URL(by.page.url()).pathname).toBe(screen.parameters?.list ?? path)
    })
    expect(built.length).toBeGreaterThan(25)
  }, 300_000)

  test('opens for its readers, if its records are sealed', async () => {
    const doctor = await visitors.arrives()
    await doctor.signsIn(DOCTOR, '/myprofile')
    await doctor.page.getByRole('heading', { level: 1 }).waitFor()
    const sealed = screens.filter((one) => one.sealed && one.built && !['redirect', 'case-desk'].includes(one.page))
    for (const screen of sealed) {
      const path = await addressOf(screen)
      expect({ path, ...(await visit(doctor, path)) }).toEqual({
        path,
        trouble: [],
        heading: expect.stringMatching(/\S/),
      })
    }
    expect(sealed.length).toBeGreaterThan(5)
    const { heading } = await visit(admin, '/medicalunit/patients')
    expect(heading).toBe(english['platform.not-allowed.title'])
    expect(doctor.troubles()).toEqual([])
  })

  // screens-matching.unit.test.ts tests that each of them is found, and who may open it.
  test('shows its own name and that it is not available yet, if its area is not built, and no menu names it', async () => {
    const unbuilt = screens.filter(({ built }) => !built)
    const some = [unbuilt.find(({ guard }) => guard === 'public')!, unbuilt.find(({ route }) => route.includes('{'))!]
    for (const screen of some) {
      const path = await addressOf(screen)
      const { heading } = await visit(admin, path)
      expect({ path, heading }).toEqual({ path, heading: titleOf(screen) })
      await admin.page.getByRole('main').getByText(english['platform.not-built.mark']!, { exact: true }).waitFor()
      expect(await admin.page.title()).toContain(titleOf(screen))
    }
    await admin.goes('/dashboard')
    const nav = admin.page.getByRole('navigation', { name: 'Menu' })
    for (const folded of (await nav.getByRole('button', { expanded: false }).all()).toReversed()) await folded.click()
    const menu = await nav.getByRole('link').all()
    await admin.page.evaluate(() => localStorage.removeItem('prakriya.menu-groups'))
    const offered = await Promise.all(menu.map((link) => link.getAttribute('href')))
    expect(offered.length).toBeGreaterThan(50)
    expect(unbuilt.filter(({ route }) => offered.includes(route))).toEqual([])
  })

  test('shows the columns of a wide list that fit and the number of hidden ones; the menu marks the current page', async () => {
    const { page } = admin
    const more = page.getByText(/^\d+ more columns$/)
    // A stored choice that is unreadable, or no choice of columns, is ignored.
    for (const kept of ['{"', '{"status":null}']) {
      await page.evaluate(
        (of) => localStorage.setItem('prakriya.list-columns./resource_reservation/all_requests', of),
        kept,
      )
      await admin.goes('/dashboard')
      await admin.goes('/resource_reservation/all_requests')
      await page.getByRole('heading', { name: /^All requests/ }).waitFor()
      await page.getByRole('link', { name: booking.reference }).waitFor()
      await more.waitFor()
    }
    const frame = page.locator('main .ant-table-content')
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const entry = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'All requests' })
    const [{ y, height }, menu] = [(await entry.boundingBox())!, (await page.locator('aside nav').boundingBox())!]
    expect([y >= menu.y, y + height <= menu.y + menu.height]).toEqual([true, true])
    // The reader's choice stays, even if it needs scrolling.
    await more.click()
    await page.locator('.ant-tree-treenode').filter({ hasText: 'Requested by' }).locator('.ant-tree-checkbox').click()
    await page.getByRole('columnheader', { name: 'Requested by' }).waitFor()
    await admin.opens('/resource_reservation/all_requests')
    await page.getByRole('columnheader', { name: 'Requested by' }).waitFor()
    await page.evaluate(() => localStorage.removeItem('prakriya.list-columns./resource_reservation/all_requests'))
  })

  test('is found in a long menu by part of its name, and opens by its number, also on a phone', async () => {
    for (const width of [undefined, NARROW]) {
      const visitor = await visitors.arrives(width === undefined ? {} : { width })
      const { page } = visitor
      await visitor.signsIn('admin', '/registers')
      await page.getByRole('heading', { level: 1, name: 'Registers and lists' }).waitFor()
      await page.keyboard.press('m')
      const nav = page.getByRole('navigation', { name: 'Menu' })
      const field = nav.getByRole('searchbox', { name: 'Find a page' })
      await field.waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'search')
      // Folded, except for the current group.
      expect(await nav.getByRole('link', { name: 'Working calendar' }).count()).toBe(1)
      expect(await nav.getByRole('link', { name: 'Cash book' }).count()).toBe(0)
      await nav.getByRole('button', { name: 'Votes and payments', expanded: false }).click()
      await nav.getByRole('link', { name: 'Cash book' }).waitFor()
      await visitor.picture('menu-folded')
      await nav.getByRole('button', { name: 'Votes and payments', expanded: true }).click()
      await field.fill('nothing of this name')
      await nav.getByText('No page that you can open has this name.').waitFor()
      await field.fill('BOOK pay')
      await nav.getByRole('link', { name: 'Cash book' }).waitFor()
      await visitor.picture('menu-search')
      const found = await nav.getByRole('listitem').getByRole('link').allTextContents()
      const at = found.findIndex((name) => name.startsWith('Cash book'))
      await field.press(String(at + 1))
      await page.getByRole('heading', { level: 1, name: 'Cash book' }).waitFor()
      expect(visitor.troubles()).toEqual([])
    }
  })

  test('redirects where it only points elsewhere', async () => {
    const visitor = await visitors.arrives()
    await visitor.opens('/public/home')
    for (const { route, parameters } of screens.filter(({ page }) => page === 'redirect')) {
      await visitor.goes(route)
      const to = (parameters!.visitor ?? parameters!.to!).split('?')[0]!
      const open = screens.find((screen) => screen.route === to)!.guard === 'public'
      // Visitors are redirected to the sign-in, unless the page is public.
      await visitor.page.waitForURL((at) => at.pathname === (open ? to : '/session/signin'))
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    }
    await admin.goes('/')
    await admin.page.waitForURL('**/dashboard')
    await admin.goes(await addressOf(screens.find(({ page, parameters }) => page === 'start' && !parameters)!))
    await admin.page.waitForURL('**/all_resoures')
  })

  test('is matched strictly, and every other address leads to /session/404, which names it', async () => {
    const nowhere = ['/nowhere', '/All_resoures', '/all_resoures/', '/INBOX', '/inbox/', '/cases/', '/tasks/1/2']
    for (const path of nowhere) {
      await admin.goes(path)
      await admin.page.waitForURL('**/session/404')
      await reads(admin.page, `There is no page at ${path}.`)
    }
    const typed = await visitors.arrives()
    await typed.opens('/All_resoures/')
    await typed.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await typed.picture('not-found')
    expect(new URL(typed.page.url()).pathname).toBe('/session/404')
    await typed.page.getByRole('link', { name: 'Back to dashboard' }).click()
    await typed.page.waitForURL('**/session/signin')
    await typed.page.goBack()
    await typed.page.getByRole('link', { name: 'Go to the front page' }).click()
    await typed.page.waitForURL('**/public/home')
    expect(typed.troubles()).toEqual([])
  })
})

test('a malformed id is not found, without another try', async () => {
  const reader = await visitors.arrives()
  await reader.signsIn('admin', '/myprofile')
  for (const [page, path] of [
    ['/people/nonsense', '/api/people/nonsense'],
    ['/posts/nonsense', '/api/posts/nonsense'],
  ] as const) {
    reader.expects(400, path)
    await reader.goes(page)
    await reader.page.getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await reader.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  }
  expect(reader.troubles()).toEqual([])
})

describe('the current person', () => {
  test('a protected page asks for a sign-in and opens right after it, with its filters', async () => {
    const head = await visitors.arrives()
    const { page } = head
    const target = '/resource_reservation/all_requests?search=drums'
    head.expects(401, '/api/auth/token')
    await head.opens(target)
    await reads(page, 'The page you asked for needs a sign-in.')
    await page.getByLabel('Username').fill(booking.head)
    await page.getByLabel('Password').fill('not this')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('Username or password is not right').waitFor()
    await head.fillsInSignIn(booking.head)
    await page.getByRole('heading', { name: 'All requests', level: 1 }).waitFor()
    expect(page.url().endsWith(target)).toBe(true)
    expect(head.troubles()).toEqual([])
  })

  test('a page for others says that it is not open to this person, and names the account', async () => {
    const student = await visitors.arrives()
    await student.signsIn('student.nuwan', '/resource_reservation/all_requests')
    await student.page.getByRole('heading', { name: 'This page is not open to you' }).waitFor()
    await reads(student.page, 'You are signed in as Nuwan Jayawardena')
    const menu = student.page.getByRole('navigation', { name: 'Menu' })
    expect(await menu.getByRole('link', { name: 'All requests' }).count()).toBe(0)
    expect(student.troubles()).toEqual([])
  })

  test('a page that creates something is closed to people without that right, at any address', async () => {
    const closed = {
      'student.nuwan': ['/intake/create', '/registers/intakes/intake/new', '/start/vouchers/payment-voucher'],
      'ma.western-music': ['/resource_reservation/new_resource', '/vouchers/for_fma', '/registers/intakes/intake/new'],
      'ma.administration': ['/ma/student/all'],
    }
    for (const [username, paths] of Object.entries(closed)) {
      const reader = await visitors.arrives()
      await reader.signsIn(username, '/myprofile')
      for (const path of paths) {
        await visit(reader, '/inbox')
        const { heading } = await visit(reader, path)
        expect({ username, path, heading }).toEqual({ username, path, heading: 'This page is not open to you' })
        expect(await reader.page.getByRole('button', { name: /^(Save|Send)$/ }).count()).toBe(0)
      }
      expect(reader.troubles()).toEqual([])
    }
    // A list that many may read offers to start something only to those who may.
    const offered = ['shroff', 'ma.western-music'].map(async (username) => {
      const reader = await visitors.arrives()
      // The permission to start is a separate request, which may finish after the list.
      const told = reader.page.waitForResponse((response) => new URL(response.url()).pathname === '/api/flows')
      await reader.signsIn(username, '/vouchers/all_voucher_requests')
      await reader.page.getByRole('button', { name: 'Export' }).waitFor()
      await told
      return reader.page.getByRole('button', { name: 'New voucher' })
    })
    const [no, yes] = await Promise.all(offered)
    await yes!.waitFor()
    expect(await no!.count()).toBe(0)
  })

  test('available requests are found by everyday words of each language, and no others', async () => {
    const student = await visitors.arrives()
    await student.signsIn('student.nuwan', '/dashboard')
    const { page } = student
    const field = page.getByRole('searchbox', { name: 'What do you need?' })
    const offered = page.getByRole('main').getByRole('link', { name: /^(Resource booking|Book a resource)/i })
    await offered.waitFor()
    for (const words of ['venue', 'Concert  STAGE', 'කාමරය', 'மண்டபம்']) {
      await field.fill('nothing')
      await reads(page, 'Nothing to start matches these words.')
      await field.fill(words)
      await offered.waitFor()
    }
    await student.picture('start-search')
    // Vouchers are not for students, resignations are for employees.
    for (const words of ['invoice', 'resign', 'பதவி விலகல்']) {
      await field.fill(words)
      await reads(page, 'Nothing to start matches these words.')
    }
    expect(student.troubles()).toEqual([])
  })

  test.each([
    { language: 'en', words: 'supplier invoice' },
    { language: 'si', words: 'සැපයුම්කරු  බිල' },
    { language: 'ta', words: 'வழங்குநர் காசோலை' },
  ] as const)(
    'everyday words find what one may ask for on a page in $language, and lead to its form',
    async (given) => {
      const { language, words } = given
      const says = (key: string) => library.texts[language][key]!
      const assistant = await visitors.arrives({ language })
      const { page } = assistant
      await assistant.signsIn('ma.western-music', '/dashboard')
      const start = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: says('platform.front.start') }) })
      const anotherFlow = start.getByRole('link', { name: says('resource-reservation.booking') })
      await anotherFlow.waitFor()
      await start.getByRole('searchbox', { name: says('platform.front.search') }).fill(words)
      await anotherFlow.waitFor({ state: 'detached' })
      expect(await start.getByRole('link').count()).toBe(1)
      await start.getByRole('link', { name: says('vouchers.payment-voucher') }).click()
      await page.waitForURL('**/vouchers/new_request')
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(assistant.troubles()).toEqual([])
    },
  )

  test('a Management Assistant reads the students of their own unit', async () => {
    const assistant = await visitors.arrives()
    const { page } = assistant
    await assistant.signsIn('ma.music', '/dashboard')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await menu.getByRole('button', { name: 'Staff and students' }).click()
    await menu.getByRole('link', { name: 'All students, MA' }).click()
    await page.waitForURL('**/ma/student/all')
    await assistant.goes('/ma/student/all?search=Nuwan')
    await page.getByRole('link', { name: 'Nuwan Jayawardena' }).click()
    await page.getByRole('heading', { level: 1, name: /Nuwan Jayawardena/ }).waitFor()
    expect(assistant.troubles()).toEqual([])
    const [own, all] = await Promise.all(
      ['ma.music', 'admin'].map(async (username) => {
        const path = '/api/registers/platform/student/items?limit=100'
        return (await (await as(username)).get(path)).items as { id: string; data: Record<string, unknown> }[]
      }),
    )
    const [music] = own!.map(({ data }) => data['faculty'])
    expect(new Set(own!.map(({ data }) => data['faculty']))).toEqual(new Set([music]))
    expect(JSON.stringify(own)).not.toContain('"nic"')
    const elsewhere = all!.find(({ data }) => data['faculty'] !== music)!
    expect(elsewhere).toBeDefined()
    const answer = await (await as('ma.music')).send('GET', `/api/registers/platform/student/items/${elsewhere.id}`)
    expect(answer.status).toBe(404)
  })

  test('an expired session says so, and signing in returns to the page', async () => {
    const student = await visitors.arrives()
    const { page } = student
    await student.signsIn('student.nuwan', '/cases')
    await page.getByRole('heading', { name: 'My cases', level: 1 }).waitFor()
    await page.context().clearCookies()
    student.expects(401, '/api/auth/token')
    student.expects(401, '/api/mailbox')
    await page.clock.setSystemTime(Date.now() + 20 * 60_000)
    await page.getByRole('link', { name: 'Mailbox' }).click()
    await reads(page, 'Your session has ended. Sign in again and you return to where you were.')
    await student.picture('session-ended')
    await student.fillsInSignIn('student.nuwan')
    await page.getByRole('heading', { name: 'Mailbox', level: 1 }).waitFor()
    expect(student.troubles()).toEqual([])
  })

  test('a session that expired while the page was closed says so, and three failures lead to a new password', async () => {
    const student = await visitors.arrives()
    const { page } = student
    await student.signsIn('student.nuwan', '/cases')
    await page.getByRole('heading', { name: 'My cases', level: 1 }).waitFor()
    await page.context().clearCookies()
    student.expects(401, '/api/auth/token')
    await student.opens('/cases')
    await reads(page, 'Your session has ended. Sign in again and you return to where you were.')
    for (let refusal = 1; refusal <= 3; refusal += 1) {
      expect(await page.getByRole('alert').getByRole('link').count()).toBe(0)
      await page.getByLabel('Username').fill('nobody.here')
      await page.getByLabel('Password').fill(`not this ${refusal}`)
      const answer = page.waitForResponse('**/api/auth/token')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await answer
      await page.getByRole('alert').getByText('Username or password is not right').waitFor()
    }
    await page.getByRole('alert').getByRole('link', { name: 'Forgot password?' }).waitFor()
    expect(student.troubles()).toEqual([])
  })

  test('a page that loses its connection says that it is offline, and since when', async () => {
    const student = await visitors.arrives()
    const { page } = student
    await student.signsIn('student.nuwan', '/inbox')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await page.context().setOffline(true)
    await reads(page, /You are offline\. What you see is from \d\d:\d\d\. Nothing you send now is saved\./)
    await student.picture('offline')
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    // The list may have been in transit when the connection was cut.
    const cut = (trouble: string) => trouble.endsWith('net::ERR_INTERNET_DISCONNECTED')
    expect(student.troubles().filter((trouble) => !cut(trouble))).toEqual([])
  })
})

describe('in the other languages', () => {
  for (const [language, heading, font] of [
    ['si', /[\u0D80-\u0DFF]/, 'Noto Sans Sinhala'],
    ['ta', /[\u0B80-\u0BFF]/, 'Noto Sans Tamil'],
  ] as const) {
    for (const width of [undefined, NARROW]) {
      test(`the public page is in ${language}${width ? ' on a phone' : ''}, completely`, async () => {
        const reader = await visitors.arrives({ language, ...(width ? { width } : {}) })
        const { page } = reader
        await reader.opens('/all_resoures')
        const cards = page.locator('main ul > li[aria-labelledby]')
        await cards.first().waitFor()
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(heading)
        await page.waitForFunction(
          (name) => [...document.fonts].some((face) => face.family.includes(name) && face.status === 'loaded'),
          font,
        )
        await reader.picture(`all-resources-${language}`)
        expect(await rawKeys(reader)).toEqual([])
        expect(await clipped(reader)).toEqual([])
        expect(await tooWide(reader)).toEqual([])

        for (const dialog of ['view', 'calendar', 'book']) {
          const id = (await cards.first().getAttribute('aria-labelledby'))!.replace('resource-', '')
          await reader.goes(`/all_resoures?${dialog}=${id}`)
          await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
          expect(await rawKeys(reader)).toEqual([])
          expect(await tooWide(reader)).toEqual([])
          await reader.picture(`${dialog}-${language}`)
        }
        expect(reader.troubles()).toEqual([])
      })
    }
  }
})

test('no page is wider than a phone', async () => {
  const reader = await visitors.arrives({ width: NARROW })
  await reader.opens('/all_resoures')
  for (const path of ['/all_resoures', '/public/home', '/session/signin', '/session/404', '/session/signup']) {
    await reader.goes(path)
    await reader.page.getByRole('heading', { level: 1 }).waitFor()
    await reader.page.waitForFunction((selector) => !document.querySelector(selector), loading)
    expect({ path, tooWide: await tooWide(reader) }).toEqual({ path, tooWide: [] })
    await reader.picture(`narrow${path.replaceAll('/', '-')}`)
  }
  await reader.signsIn(booking.head)
  const pages = {
    front: '/dashboard',
    inbox: '/inbox',
    'inbox-task': `/inbox?task=${booking.task}`,
    task: `/tasks/${booking.task}`,
    case: `/cases/${booking.id}`,
    cases: '/cases',
    start: `/start/${BOOKING}`,
    mailbox: '/mailbox',
    profile: '/myprofile',
    requests: '/resource_reservation/all_requests',
    register: '/resource_reservation/all_resoures',
    unbuilt: '/convocation',
  }
  for (const [name, path] of Object.entries(pages)) {
    await visit(reader, path)
    expect({ path, tooWide: await tooWide(reader) }).toEqual({ path, tooWide: [] })
    await reader.picture(`narrow-${name}`)
  }
  expect(reader.troubles()).toEqual([])
})

/** Text keys shown in place of texts. */
function rawKeys({ page }: Visitor): Promise<string[]> {
  return page.evaluate(
    () => document.body.innerText.match(/\b(?:platform|resource-reservation|session)\.[a-z][\w.-]*/g) ?? [],
  )
}

/** Text in the cards that is cut off above or below. */
function clipped({ page }: Visitor): Promise<string[]> {
  return page
    .locator('main li :is(h2, p, button)')
    .evaluateAll((all) =>
      all.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).map(({ textContent }) => textContent),
    )
}

/** Elements beyond the right edge of the screen, unless they scroll in their own place. */
function tooWide({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= edge) return []
    return [...document.body.querySelectorAll('*')]
      .filter((each) => each.getBoundingClientRect().right > edge + 1)
      .map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 40)}`)
      .slice(0, 5)
  })
}
