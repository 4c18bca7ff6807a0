import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { jsonArtifact } from '../../api/platform/model/definitions/artifact.ts'
import type { FieldSchema } from '../../api/platform/model/definitions/register.ts'
import type { Flow, Form } from '../../api/platform/model/library/library.ts'
import { FLOW, library as twoDesks } from './fixtures/two-desks.ts'
import type { Caller } from './kit/app.ts'
import { day } from './kit/days.ts'
import { APTITUDE, type FlowWorld, anAptitudeApplication, anOpenTest, flowWorld, real } from './kit/flow-world.ts'
import { basicInformation } from './kit/own-record.ts'
import { writeAsStranger } from './kit/proof.ts'
import { anItem } from './kit/rows.ts'
import { aPdf, uploadsTo } from './kit/uploads.ts'
import { aReference } from './kit/payments.ts'

/** One of each class of texts that programs stumble over. */
const NAUGHTY = {
  'a control character': 'Ku\u0007mari',
  NUL: 'Ku\u0000mari',
  'half a surrogate pair': 'Ku\ud83dmari',
  'right to left, turned round': '\u202eKumari\u202c',
  'Arabic and a byte order mark': '\ufeffكماري',
  'an emoji of several characters': 'Kumari 👩🏽‍🎤',
  SQL: `Kumari'); drop table app.account; --`,
  'markup and templates': '<img src=x onerror=alert(1)> {{constructor}} ${7*7} %s',
  'a name of JavaScript': '__proto__',
  'a very long text': 'Kumari '.repeat(300).trim(),
}
type Data = Record<string, unknown>

const RECORD = 'applicant-accounts/applicant'
const schemaOf = (form: string): FieldSchema => real.forms.get(form)!.schema

/** Entries that good data names. */
interface Named {
  province: string
  district: string
  course_type: string
  course: string
  intake: string
  entry: Record<'vacancy' | 'designation' | 'faculty' | 'department' | 'panel' | 'admitted', string>
}

const slip = (outcome: string) => (_named: Named, file: string) => ({
  outcome,
  slip: file,
  paid_on: day(-1),
  amount: 150_000,
  bank_reference: aReference(),
})

const returned = (outcome: string) => () => ({ outcome, reason: 'Please name the faculty' })

/** Good data of forms that are tried as the start form of a flow of two desks, whatever their own flow does with them. */
const FORMS: Record<string, (named: Named, file: string) => Data> = {
  'courses-public/application': ({ course_type, course, intake }) => ({
    course_type,
    course,
    intake,
    fullName: 'Kumari Perera',
    contact_no: '0771231231',
    nic_passport: '200613500001',
  }),
  'courses-public/payment-slip': slip('send-slip'),
  'aptitude-tests/payment-slip': slip('send'),
  'recruitment/application': ({ entry }, file) => ({
    vacancy: entry.vacancy,
    documents: [{ title: 'Curriculum vitae', file }],
    slip: file,
    paid_on: day(-1),
    bank_reference: aReference(),
    declaration: true,
  }),
  'recruitment/vacancy-advertisement-request': ({ entry }, file) => ({
    designation: entry.designation,
    notice_subject: 'Accompanist',
    faculty: entry.faculty,
    department: entry.department,
    positions: 1,
    mandatory: 'A degree in the subject',
    scheme: [{ line: 'A degree in the subject', kind: 'mandatory' }],
    advertised_in: 'gazette',
    advertisement_reference: 'No. 2,470',
    documents: [{ title: 'Application', file }],
    closing_day: day(20),
    fee: 100_000,
    bank_account: 'Bank of Ceylon, 7701122',
    panel: entry.panel,
  }),
  'admissions/offer-answer': () => ({ outcome: 'decline' }),
  'recruitment/eligibility-check': () => ({
    outcome: 'not-eligible',
    lines: [{ line: 'A degree in the subject', kind: 'mandatory', met: 'no', note: 'None shown' }],
    reason: 'No degree',
  }),
  'recruitment/short-listing': () => ({ outcome: 'leave-out', reason: 'Too many applied' }),
  'recruitment/interview-schedule': () => ({
    outcome: 'schedule',
    at: `${day(9)}T09:30:00+05:30`,
    place: 'Board Room',
    members: [{ name: 'Chandra Herath', capacity: 'Chair' }],
  }),
  'recruitment/panel-marks': () => ({
    outcome: 'mark',
    marks: [{ name: 'Chandra Herath', capacity: 'Chair', marks: 70 }],
    total: 70,
    remarks: 'Calm and exact',
  }),
  'recruitment/result': () => ({
    outcome: 'demote',
    appointed_as: 'Accompanist',
    report_on: day(40),
    reason: 'Less experience than asked for',
  }),
  'recruitment/result-approval': returned('return-result'),
  'recruitment/vacancy-advertisement-decision': returned('return'),
  'recruitment/vacancy-reason': () => ({ reason: 'The post was filled' }),
  'courses-public/application-check': returned('return'),
  'courses-public/payment-check': () => ({ outcome: 'verify', receipt_no: 'CE-1' }),
  'aptitude-tests/payment-check': () => ({ outcome: 'verify', receipt_no: 'EX-1' }),
}

/** A flow of two desks that starts with a form. */
function flowOf(form: string): Flow {
  const flow = twoDesks.flows.get(FLOW)!
  const reference = `N${Object.keys(FORMS).indexOf(form)}-{yyyy}-{sequence:6}`
  const plain = { scope: {}, subject: {}, allocations: [], seenBy: ['ADMIN'] }
  const manifest = { ...flow.manifest, ...plain, start: form, reference }
  return { ...flow, key: `tests/${form.replace('/', '-')}`, manifest }
}

/** The form without copies of records, which have a test of their own. */
function withoutRecords(key: string): Form {
  const { properties = {}, ...rest } = schemaOf(key)
  const kept = Object.entries(properties).filter(([, field]) => !field['x-record'])
  const schema = { ...rest, properties: Object.fromEntries(kept) }
  return { key, schema, hash: jsonArtifact('form', key, schema).hash }
}

let world: FlowWorld
let applicant: Caller
let exam: string
let photo: string
let named: Named
beforeAll(async () => {
  const forms = new Map([...twoDesks.forms, ...Object.keys(FORMS).map((key) => [key, withoutRecords(key)] as const)])
  world = await flowWorld([APTITUDE], { more: Object.keys(FORMS).map(flowOf), forms })
  applicant = await world.own.person('applicant', { role: 'Temporary Employee' }, { role: 'Exam MA' })
  exam = await anOpenTest(world)
  const picture = sharp({ create: { width: 90, height: 90, channels: 3, background: '#7a1f2b' } })
  photo = await uploadsTo(applicant, 'me.png', await picture.png().toBuffer())
  named = await namedEntries()
})
afterAll(() => world?.close())

async function namedEntries(): Promise<Named> {
  const { db } = world.database
  const item = (register: string, data: object = {}, status = 'Active') => anItem(db, register, { data, status })
  const province = await item('platform/province')
  const district = await item('platform/district', { province })
  const course_type = await item('courses-public/course-type')
  const course = await item('courses-public/course', { type: course_type }, 'Approved')
  const intake = await item('courses-public/intake', { course })
  const entry = {
    // Its fee asks for the slip and the reference.
    vacancy: await item('recruitment/vacancy', { fee: 100_000 }),
    designation: await item('platform/designation'),
    faculty: await item('platform/faculty'),
    department: await item('platform/department'),
    panel: await item('platform/committee'),
    admitted: await item('intakes/intake'),
  }
  return { province, district, course_type, course, intake, entry }
}

/** Pointers of the plain text fields of a form, also of those in the first row of each list that the data has. */
const textsOf = ({ properties = {} }: FieldSchema, data: Data, base = ''): string[] =>
  Object.entries(properties).flatMap(([name, field]) => {
    const path = `${base}/${name}`
    const [row] = field.type === 'array' && Array.isArray(data[name]) ? (data[name] as Data[]) : []
    if (row && field.items) return textsOf(field.items, row, `${path}/0`)
    const plain = field.type === 'string' && !field.enum && !field['x-register'] && field['x-widget'] !== 'file'
    const asked = { never: false, 'when-required': name in data }[String(field['x-shown'])] ?? true
    return plain && asked ? [path] : []
  })

/** The data with a text at each of these pointers. */
function withText(data: Data, pointers: readonly string[], text: string): Data {
  const changed = structuredClone(data)
  for (const pointer of pointers) {
    const names = pointer.split('/').slice(1)
    const holder = names.slice(0, -1).reduce<any>((part, name) => part[name], changed)
    holder[names.at(-1)!] = text
  }
  return changed
}

/**
 * Sends a naughty text in every text field of otherwise good data. What is refused is named with a reason, and put right;
 * the rest is then accepted. Returns what was accepted, as sent.
 */
async function sent(
  good: Data,
  fields: readonly string[],
  text: string,
  send: (data: Data) => Promise<{ statusCode: number; json(): any }>,
): Promise<Data> {
  const bad = new Set<string>()
  for (;;) {
    const tried = withText(
      good,
      fields.filter((name) => !bad.has(name)),
      text,
    )
    const answer = await send(tried)
    if (answer.statusCode < 300) return tried
    const { status, errors } = answer.json()
    if (!errors?.length) throw new Error(`no field is named: ${JSON.stringify(answer.json())}`)
    expect(status).toBeLessThan(500)
    for (const { field, message } of errors) {
      expect(message).toMatch(/\S/)
      const name = fields.find((one) => field.endsWith(one))
      expect([field, name !== undefined && !bad.has(name)]).toEqual([field, true])
      bad.add(name!)
    }
  }
}

/** A good row of each step. */
const GOOD: Record<string, Data> = {
  qualifications: { kind: 'Diploma', name: 'Sitar', institute: 'Academy', effective_date: '2018-05-14' },
  working_experience: { institution: 'Academy', designation: 'Teacher', from: '2018-05-14' },
  creative_works: { title: 'Dawn', kind: 'Performance', year: 2019 },
  research: { title: 'Ragas', authors: 'K. Perera', published_in: 'Journal', year: 2019 },
  awards: { title: 'Festival', given_by: 'Academy', year: 2019 },
  referees: {
    name: 'Sunil Fernando',
    designation: 'Professor',
    address: 'Colombo',
    email: 'sunil@example.lk',
    contact_no: '0112903903',
  },
}

/** Good data of a step: of Basic Information with all its texts, of the others one row. */
function goodStep(name: string, list: string): Data {
  if (name !== 'basic_information') {
    const row = GOOD[name]!
    return {
      [list]: [row, ...(name === 'referees' ? [{ ...row, name: 'Nimal Silva', email: 'nimal@example.lk' }] : [])],
    }
  }
  const { province, district } = named
  return {
    ...basicInformation({ photo, province, district }),
    citizenship: 'Citizen of Sri Lanka by Registration',
    other_citizenship: 'India',
    same_as_permanant_address: false,
    postal_address_no: '3',
    postal_address_street: 'Hill Street',
    postal_address_city: 'Kandy',
    postal_address_town: 'Kandy',
    postal_address_province: province,
    postal_address_district: district,
    links: [{ text: 'Portfolio', link: 'https://example.lk' }],
  }
}

/** What the newest case holds. */
async function newestCase(): Promise<unknown> {
  const newest = world.database.db.selectFrom('flow_case').select('data').orderBy('created_at', 'desc')
  return (await newest.executeTakeFirstOrThrow()).data
}

test.each(Object.entries(NAUGHTY))(
  '%s is kept as it is in the record, or refused by its field',
  async (_class, text) => {
    const path = `/api/records/${RECORD}`
    const stepOf = async (name: string) =>
      (await applicant.send('GET', path)).json().steps.find((one: any) => one.name === name)
    for (const { name, form } of real.ownRecords.get(RECORD)!.steps) {
      const schema = schemaOf(form)
      const good = goodStep(name, Object.keys(schema.properties!)[0]!)
      const { version } = await stepOf(name)
      const accepted = await sent(good, textsOf(schema, good), text, (data) => {
        const on = version === null ? {} : { version }
        return applicant.send('PUT', `${path}/steps/${name}`, { data, complete: true, ...on })
      })
      expect((await stepOf(name)).data).toEqual(accepted)
    }
  },
)

test.each(Object.entries(NAUGHTY))('%s in a form is kept as it is, or refused by its field', async (_class, text) => {
  for (const [form, goodOf] of Object.entries(FORMS)) {
    const takesFiles = JSON.stringify(schemaOf(form)).includes('"x-widget":"file"')
    const good = goodOf(named, takesFiles ? await uploadsTo(applicant, 'paper.pdf', aPdf()) : '')
    const accepted = await sent(good, textsOf(schemaOf(form), good), text, (data) =>
      applicant.send('POST', '/api/cases', { flow: flowOf(form).key, data }),
    )
    expect([form, await newestCase()]).toEqual([form, accepted])
  }
})

test.each(Object.entries(NAUGHTY))(
  '%s in a register is kept as it is, or refused by its field',
  async (_class, text) => {
    const { item } = real.registers.get('admissions/admission')!
    const number = 10 + Object.values(NAUGHTY).indexOf(text)
    const good = {
      number: `A/${number}`,
      name_with_initials: 'K. Perera',
      nic: `2006135000${number}`,
      email: 'kumari@example.lk',
      intake: named.entry.admitted,
      faculty: named.entry.faculty,
      programme: 'BPA in Dance',
      selected_by: 'Special intake',
      answer_by: day(20),
    }
    const path = '/api/registers/admissions/admission/items'
    let kept: unknown
    const accepted = await sent(good, textsOf(item, good), text, async (data) => {
      const answer = await applicant.send('POST', path, { data })
      kept = answer.json().data
      return answer
    })
    expect(kept).toEqual(accepted)
  },
)

test.each(Object.entries(NAUGHTY))(
  '%s in a public application is kept as it is, or refused by its field',
  async (_class, text) => {
    const good = anAptitudeApplication(exam)
    const password = 'Moonstone26'
    let made = 0
    const accepted = await sent(good, textsOf(schemaOf('aptitude-tests/application'), good), text, (data) => {
      made += 1
      const email = `n${Object.values(NAUGHTY).indexOf(text)}.${made}@example.lk`
      const account = { email, password, confirm_password: password }
      return writeAsStranger(world.own.app, '/api/public/applications', { flow: APTITUDE, data, account })
    })
    expect(await newestCase()).toEqual(accepted)
  },
)

test.each(Object.entries(NAUGHTY))(
  '%s in the form for an account is kept as it is, or refused by its field',
  async (_class, text) => {
    const email = `a${Object.values(NAUGHTY).indexOf(text)}@example.lk`
    const good = {
      email,
      first_name: 'Kumari',
      full_name: 'Kumari Perera',
      nic: '200613500001',
      mobile_no: '0771231231',
    }
    const accepted = await sent(good, textsOf(schemaOf('applicant-accounts/account'), good), text, (data) =>
      writeAsStranger(world.own.app, '/api/auth/accounts', data),
    )
    const { email: kept, first_name, full_name } = accepted
    // An account has its names without what is blank around them; a byte order mark is.
    const row = await world.database.db
      .selectFrom('register_item')
      .select('data')
      .where('register', '=', 'platform/temporary-employee')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.data).toMatchObject({
      email: kept,
      first_name: String(first_name).trim(),
      full_name: String(full_name).trim(),
    })
  },
)
