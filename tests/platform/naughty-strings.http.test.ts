import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadRules } from '../../api/platform/model/deployed/rules.ts'
import type { FieldSchema } from '../../api/platform/model/definitions/register.ts'
import { deployRepositoryModels } from '../../api/platform/model/deployed/deployment.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { caseServices } from './kit/case-services.ts'
import { agreeingEngine } from './kit/agreeing-engine.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { day } from './kit/days.ts'
import { writeAsStranger } from './kit/proof.ts'
import { anItem } from './kit/rows.ts'

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

const log = pino({ level: 'silent' })
const APTITUDE = 'aptitude-tests/aptitude-application'
const RECORD = 'applicant-accounts/applicant'
const ROOT = join(import.meta.dirname, '../..')
const real = loadLibrary(ROOT)
let database: TestDatabase
let own: TestApp
let applicant: Caller
let exam: string
beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  const library = { ...real, flows: new Map([[APTITUDE, real.flows.get(APTITUDE)!]]) }
  const agreeing = agreeingEngine([]).engine
  const engine = {
    ...agreeing,
    deploy: async () => [
      {
        id: 'aptitude:1',
        key: 'aptitude-application',
        version: 1,
        deploymentId: 'd',
        resource: 'aptitude-application.bpmn',
      },
    ],
  }
  const { definitions, cases } = caseServices({ db, library, engine, rules: await loadRules(ROOT, [APTITUDE]) })
  await deployRepositoryModels({ db, engine, library, log, gate: async () => undefined })
  own = await testApp(database, { library, definitions, cases })
  applicant = await own.person('applicant', { role: 'Temporary Employee' })
  const data = {
    academic_year: '2031/2032',
    start_date: day(-5),
    end_date: day(5),
    programmes: [{ name: 'BPA in Dance' }],
  }
  exam = await anItem(db, 'aptitude-tests/aptitude-test', { data })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** Names of the plain text fields of a form. */
const textsOf = ({ properties = {} }: FieldSchema): string[] =>
  Object.entries(properties)
    .filter(
      ([, field]) => field.type === 'string' && !field.enum && !field['x-register'] && field['x-widget'] !== 'file',
    )
    .map(([name]) => name)

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
    const tried = {
      ...good,
      ...Object.fromEntries(fields.filter((name) => !bad.has(name)).map((name) => [name, text])),
    }
    const answer = await send(tried)
    if (answer.statusCode < 300) return tried
    const { status, errors } = answer.json()
    expect(answer.json()).toMatchObject({ errors: expect.arrayContaining([expect.anything()]) })
    expect(status).toBeLessThan(500)
    for (const { field, message } of errors) {
      expect(message).toMatch(/\S/)
      const name = fields.find((one) => field.split('/').includes(one))
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

test.each(Object.entries(NAUGHTY))(
  '%s is kept as it is in the record, or refused by its field',
  async (_class, text) => {
    const steps = real.ownRecords.get(RECORD)!.steps.filter(({ name }) => name !== 'basic_information')
    for (const { name, form } of steps) {
      const [list, rows] = Object.entries(real.forms.get(form)!.schema.properties!)[0]!
      const good = GOOD[name]!
      const path = `/api/records/${RECORD}`
      const versionOf = async () => {
        const { steps: begun } = (await applicant.send('GET', path)).json()
        return begun.find((one: any) => one.name === name)
      }
      const { version } = await versionOf()
      const accepted = await sent(good, textsOf(rows.items!), text, (row) => {
        const data = { [list]: [row, ...(name === 'referees' ? [good] : [])] }
        const on = version === null ? {} : { version }
        return applicant.send('PUT', `${path}/steps/${name}`, { data, complete: true, ...on })
      })
      const { data } = await versionOf()
      expect(data[list][0]).toEqual(accepted)
    }
  },
)

test.each(Object.entries(NAUGHTY))(
  '%s in a public application is kept as it is, or refused by its field',
  async (_class, text) => {
    const { schema } = real.forms.get('aptitude-tests/application')!
    const good = {
      test: exam,
      full_name: 'Kumari Perera',
      nic: '200613500001',
      mobile_no: '0771231231',
      index_no: '3012499',
      programmes: [{ programme: 'BPA in Dance', grade: 'B' }],
      general_english: 'C',
      common_general_test: 61,
      declaration: true,
    }
    const password = 'Moonstone26'
    let made = 0
    const apply = (data: Data, subject: string) => {
      made += 1
      const account = {
        email: `n${Object.values(NAUGHTY).indexOf(text)}.${made}@example.lk`,
        password,
        confirm_password: password,
      }
      const other_subjects = [subject, 'Geography'].map((one) => ({ subject: one, grade: 'A' }))
      return writeAsStranger(own.app, '/api/public/applications', {
        flow: APTITUDE,
        data: { ...data, other_subjects },
        account,
      })
    }
    const accepted = await sent(
      { ...good, subject: 'Sinhala' },
      [...textsOf(schema).filter((name) => name !== 'test'), 'subject'],
      text,
      ({ subject, ...data }) => apply(data, String(subject)),
    )
    const row = await database.db
      .selectFrom('flow_case')
      .select('data')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const { subject, ...rest } = accepted
    expect(row.data).toMatchObject({
      ...rest,
      other_subjects: [
        { subject, grade: 'A' },
        { subject: 'Geography', grade: 'A' },
      ],
    })
  },
)

test.each(Object.entries(NAUGHTY))(
  '%s in the form for an account is kept as it is, or refused by its field',
  async (_class, text) => {
    const { schema } = real.forms.get('applicant-accounts/account')!
    const email = `a${Object.values(NAUGHTY).indexOf(text)}@example.lk`
    const good = {
      email,
      first_name: 'Kumari',
      full_name: 'Kumari Perera',
      nic: '200613500001',
      mobile_no: '0771231231',
    }
    const fields = textsOf(schema).filter((name) => schema.properties![name]!['x-shown'] !== 'never')
    const accepted = await sent(good, fields, text, (data) => writeAsStranger(own.app, '/api/auth/accounts', data))
    const { email: kept, first_name, full_name } = accepted
    // An account has its names without what is blank around them; a byte order mark is.
    const row = await database.db
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
