import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { mayOpen } from '../../forms/platform/may-open.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { NARROW, openBrowser, type Language, type Visitor, type Visitors } from './kit/browser.ts'
import { as, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'
import { wordsIn } from './kit/words.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const LANGUAGES: readonly Language[] = ['en', 'si', 'ta']

const CLERK = 'ma.welfare'
const REGISTRAR = 'head.welfare'
/** A student with a paid month, an application for a bursary, and applications for scholarships. */
const STUDENT = 'student.selvi'

/** What a page has to show: the id of its address, if it has one, and a value of the demo data by language. */
interface Shown {
  id?: string
  value: Record<Language, string>
}
interface Row {
  by: string
  shows(person: Person): Promise<Shown>
}

const inAll = (value: string): Shown['value'] => ({ en: value, si: value, ta: value })
const query = (params: Record<string, string>) => new URLSearchParams(params).toString()
const firstOf = async <T = any>(person: Person, path: string): Promise<T> => (await person.get(path)).items[0]

/** The first entry of a register, as its list shows it: by its title in each language, or by one of its columns. */
const entries =
  (register: string, value?: (item: any) => string): Row['shows'] =>
  async (person) => {
    const path = `/api/registers/${register}/items?limit=1`
    const found = await firstOf(person, path)
    if (value) return { id: found.id, value: inAll(value(found)) }
    const said = await Promise.all(
      LANGUAGES.map(async (language) => {
        const { body } = await person.send('GET', path, undefined, { 'accept-language': language })
        return [language, body.items[0].title] as const
      }),
    )
    return { id: found.id, value: Object.fromEntries(said) as Shown['value'] }
  }

/** The first case of a flow, by its reference. */
const cases =
  (flow: string, ...status: string[]): Row['shows'] =>
  async (person) => {
    const params = { flow, limit: '1', ...(status.length > 0 && { status: status.join() }) }
    const { id, reference } = await firstOf(person, `/api/cases?${query(params)}`)
    return { id, value: inAll(reference) }
  }

/** The first case that waits at a desk, by what the list names of its subject. */
const tasks =
  (flow: string, of: (task: any) => string, desk?: string): Row['shows'] =>
  async (person) => {
    const task = await firstOf(person, `/api/tasks?${query({ flow, limit: '1', ...(desk && { desk }) })}`)
    return { id: task.caseId, value: inAll(of(task)) }
  }

const report =
  (name: string, of: (row: any) => string): Row['shows'] =>
  async (person) => {
    const { rows } = await person.get(`/api/reports/${name}`)
    return { value: inAll(of(rows[0])) }
  }

/** A form that is still empty: the name of one of its fields. */
const field =
  (key: string): Row['shows'] =>
  () =>
    Promise.resolve({ value: Object.fromEntries(LANGUAGES.map((one) => [one, wordsIn(one)(key)])) as Shown['value'] })

const SUBMISSION = 'scholarships/scholarship-submission'
const APPLICATION = 'bursary/bursary-application'
const RUN = 'bursary/bursary-installment'
const named = (task: any) => task.title
const reference = (task: any) => task.reference

/** Every route that the sources name in these areas. */
const table: Record<string, Row> = {
  '/welfare/scholarships/all_scholarship': { by: CLERK, shows: entries('scholarships/scholarship') },
  '/welfare/scholarship/new-scholarship': { by: CLERK, shows: field('scholarships.scholarship.awards') },
  '/welfare/scholarship/scholarship-view/{id}': { by: CLERK, shows: entries('scholarships/scholarship') },
  '/welfare/scholarship/scholarship-edit/{id}': { by: CLERK, shows: entries('scholarships/scholarship') },
  '/welfare/scholarship/new_scholarships_selections': {
    by: CLERK,
    shows: tasks(SUBMISSION, named, 'userTask_select'),
  },
  '/welfare/scholarship/all_awarded_scholarships': { by: CLERK, shows: entries('scholarships/award') },
  '/welfare/scholarship/student_selections': {
    by: CLERK,
    shows: report('scholarships/ranking', ({ application }) => application.text),
  },
  '/welfare/scholarship/scholarships-approve/{id}': {
    by: REGISTRAR,
    shows: tasks(SUBMISSION, reference, 'userTask_approvePC'),
  },
  '/welfare/scholarship/pc_approval': { by: REGISTRAR, shows: tasks(SUBMISSION, named, 'userTask_approvePC') },
  '/welfare/scholarship/edit_approve_scholarship/{id}': {
    by: CLERK,
    shows: tasks(SUBMISSION, reference, 'userTask_select'),
  },
  '/welfare/scholarship/all_approval_scholarships': {
    by: REGISTRAR,
    shows: cases(SUBMISSION, 'Pending for AR Approval'),
  },

  '/welfare/bursary/bursary-application': { by: STUDENT, shows: field('bursary.field.guardian_name') },
  '/welfare/bursary/view-application': { by: STUDENT, shows: cases(APPLICATION) },
  '/welfare/bursary/all-new-applicants': { by: CLERK, shows: cases(APPLICATION, 'submitted', 'incomplete') },
  '/welfare/bursary/check-application/{bursary_application_id}': {
    by: CLERK,
    shows: tasks(APPLICATION, reference, 'userTask_check'),
  },
  '/welfare/bursary/eligibility-list': { by: REGISTRAR, shows: cases(APPLICATION, 'checked') },
  '/welfare/bursary/Agreement': { by: CLERK, shows: cases(APPLICATION, 'agreement issued') },
  '/welfare/bursary/all-bursary-recipient-list': { by: CLERK, shows: entries('bursary/recipient') },
  '/welfare/bursary/check-Recipient/{ref_no}': { by: CLERK, shows: entries('bursary/recipient') },
  '/welfare/bursary/edit-Recipient/{ref_no}': { by: REGISTRAR, shows: entries('bursary/recipient') },
  '/welfare/bursary/all-monthly-installments': { by: CLERK, shows: cases(RUN) },
  '/welfare/bursary/bursary-recipients/installment/{ins_no}': { by: REGISTRAR, shows: cases(RUN) },
  '/welfare/bursary/all-payment-criteria': { by: CLERK, shows: entries('bursary/payment-criterion') },
  '/welfare/bursary/payment-criteria/{ins_no}': { by: CLERK, shows: entries('bursary/payment-criterion') },
  '/welfare/bursary/all-singed-recipients': {
    by: REGISTRAR,
    shows: report('bursary/signed-recipients', ({ regNo }) => regNo),
  },
  '/welfare/bursary/DocumentSetup': { by: CLERK, shows: entries('bursary/document') },
  '/welfare/bursary/bank-details': { by: REGISTRAR, shows: entries('platform/student-account') },
  '/welfare/bursary/installment-value-setup': {
    by: REGISTRAR,
    shows: entries('bursary/installment-value', ({ data }) => data.from),
  },

  '/mahapola/recipients': { by: REGISTRAR, shows: entries('mahapola/recipient') },
  '/mahapola/recipients_attendance': { by: CLERK, shows: entries('mahapola/attendance', ({ data }) => data.month) },
  '/mahapola/monthly_installments': { by: REGISTRAR, shows: cases('mahapola/monthly-installment') },
  '/mahapola/recipients_create': { by: REGISTRAR, shows: field('mahapola.recipient.number') },
  '/mahapola/installment_create': { by: CLERK, shows: field('mahapola.field.month') },
  '/mahapola/installment/value_setup': {
    by: REGISTRAR,
    shows: entries('mahapola/installment-value', ({ data }) => data.from),
  },
  '/mahapola/annexures': {
    by: REGISTRAR,
    shows: report('mahapola/annexures', ({ instalment }) => instalment.text),
  },
  '/mahapola/approval_recommend': { by: REGISTRAR, shows: tasks('mahapola/monthly-installment', named) },
  '/mahapola/student/payment_details': {
    by: STUDENT,
    shows: async (person) => ({ value: inAll((await firstOf(person, '/api/me/run-lines')).scheme) }),
  },

  '/students/payments': {
    by: STUDENT,
    shows: report('finance/student-payments', (row) => row.reference),
  },
}

const screenOf = (route: string) => library.screens.find((one) => one.route === route)!

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

/** Runs in the page: all that one can read in it, also what its fields hold. */
function whatIsRead(): string {
  const main = document.querySelector('main')!
  const fields = [...main.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value)
  return [main.innerText, ...fields].join('\n')
}

const KEY = /\b(?:platform|scholarships|bursary|mahapola|finance|students|vouchers)\.[a-z][\w-]*(?:\.[\w-]+)*\b/g

/** What is wrong with a page in a language, if anything. */
async function faultsOf(
  visitor: Visitor,
  route: string,
  { shown, language }: { shown: Shown; language: Language },
): Promise<string[]> {
  const { page } = visitor
  const { title: name, menu, page: kind } = screenOf(route)
  const [said, english] = [wordsIn(language)(name), wordsIn('en')(name)]
  const faults: string[] = []
  // The previous page's heading may look the same.
  await page.evaluate(() => document.querySelectorAll('h1').forEach((one) => one.setAttribute('data-left', '')))
  await visitor.goes(route.replace(/\{\w+\}/, shown.id ?? ''))
  const heading = page.locator('main h1:visible:not([data-left])').first()
  await heading.waitFor()
  const value = shown.value[language]
  const seen = () => page.evaluate(whatIsRead)
  await until(`“${value}”`, async () => (await seen()).includes(value), { seconds: 10 }).catch(async () =>
    faults.push(`does not show “${value}” but “${(await seen()).replaceAll(/\s+/g, ' ').slice(0, 300)}”`),
  )
  const heads = (await heading.textContent()) ?? ''
  // Pages of one item or case have its name as their heading.
  if (menu && kind !== 'case' && !heads.includes(said)) faults.push(`is called “${heads}” and not “${said}”`)
  if (language !== 'en') {
    if (said === english) faults.push('has a title that is not translated')
    for (const one of [heads, await page.title()]) if (one.includes(english)) faults.push(`is called “${one}”`)
  }
  const whole = await page.evaluate(() => document.body.innerText)
  for (const key of whole.match(KEY) ?? []) faults.push(`shows the key ${key}`)
  if (whole.includes(wordsIn(language)('platform.not-built.mark'))) faults.push('is a placeholder')
  for (const [width, height] of [
    [NARROW, 740],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    // The page is laid out again for its new width.
    await until('it fits', async () => (await tooWide()) <= 0, { seconds: 3 }).catch(async () =>
      faults.push(`is ${await tooWide()} px too wide at ${width}`),
    )
    await visitor.picture(`${route.replaceAll(/\W+/g, '-').slice(1)}-${language}`)
  }
  return [...faults, ...visitor.troubles()]
}

test('the table has every route that the sources name in these areas', () => {
  const areas: Record<string, number> = {}
  for (const route of Object.keys(table)) {
    const { title, built } = screenOf(route)
    expect({ route, built }).toEqual({ route, built: true })
    const area = title.split('.')[0]!
    areas[area] = (areas[area] ?? 0) + 1
  }
  expect(areas).toEqual({ scholarships: 11, bursary: 17, mahapola: 9, finance: 1 })
})

test('each opens with its name and real content for its readers, on a phone and wide, in three languages', async () => {
  const routes = Object.entries(table)
  const shown = new Map<string, Shown>()
  for (const [route, { by, shows }] of routes) {
    const person = await as(by)
    expect({ route, by, open: mayOpen(await person.get('/api/me'), screenOf(route)) }).toEqual({
      route,
      by,
      open: true,
    })
    // The demo data may still be on its way.
    shown.set(route, await until(`data of ${route}`, () => shows(person), { seconds: 120 }))
  }
  const faults: string[] = []
  const walks = async (by: string) => {
    const visitor = await visitors.arrives()
    await visitor.signsIn(by, '/myprofile')
    for (const language of LANGUAGES) {
      await visitor.opens(`/myprofile?hl=${language}`)
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
      for (const [route] of routes.filter(([, row]) => row.by === by))
        for (const fault of await faultsOf(visitor, route, { shown: shown.get(route)!, language }))
          faults.push(`${route} in ${language}: ${fault}`)
    }
  }
  await Promise.all([...new Set(routes.map(([, { by }]) => by))].map(walks))
  expect(faults).toEqual([])
}, 300_000)
