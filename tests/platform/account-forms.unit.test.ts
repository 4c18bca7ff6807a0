import { describe, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { languages, loadLibrary } from '../../api/platform/model/library/library.ts'
import { checkForm, validatorModule } from '../../api/platform/model/forms/check.ts'
import type { FieldSchema } from '../../api/platform/model/definitions/register.ts'
import { expectGoodPassword } from '../../api/platform/people/identity/password.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const schemaOf = (form: string) => library.forms.get(`applicant-accounts/${form}`)!.schema

const right = {
  account: {
    email: 'kumari@example.lk',
    first_name: 'Kumari',
    full_name: 'Kumari Perera',
    nic: '991234567V',
    mobile_no: '0771231231',
  },
  'temporary-account': {
    email: 'kumari@example.lk',
    salutation: 'Ms',
    full_name: 'Kumari Perera',
    nic: '199981234567',
    contact_no: '0771231231',
  },
  'sign-up': { email: 'kumari@example.lk', password: 'Anicca Dukkha 3' },
  password: { username: 'kumari@example.lk', password: 'Anicca Dukkha 3' },
  'forgot-password': { email: 'kumari@example.lk' },
}
type Name = keyof typeof right

/** The check as the browser runs it: the compiled module. */
async function inBrowser(form: Name): Promise<(data: unknown) => { field: string; code: string }[]> {
  const source = `data:text/javascript,${encodeURIComponent(validatorModule(schemaOf(form)))}`
  return (await import(source)).check
}

const REQUIRED = 'This field is required'
const REQUIRED_NAME = 'This Field is required!'
const NO_NUMBERS = 'This Field Do Not Accept Numbers!'
const NIC = 'Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)'
const MOBILE = 'Please enter valid mobile number E.g.(0771231231)'
const EMAIL = 'Email is not valid'
const PASSWORD =
  'Please enter a valid password (at least 8 characters, containing at least one uppercase letter, one lowercase letter, and one digit)'

describe.each([
  ['account', 'email', undefined, REQUIRED],
  ['account', 'email', '', REQUIRED],
  ['account', 'email', 'kumari', EMAIL],
  ['account', 'email', 'kumari@example', EMAIL],
  ['account', 'first_name', undefined, REQUIRED_NAME],
  ['account', 'first_name', '  ', REQUIRED_NAME],
  ['account', 'first_name', 'Kumari 2', NO_NUMBERS],
  ['account', 'first_name', 'කුමාරි ෨', NO_NUMBERS],
  ['account', 'sur_name', 'Perera3', NO_NUMBERS],
  ['account', 'full_name', undefined, REQUIRED_NAME],
  ['account', 'full_name', 'Kumari 3 Perera', NO_NUMBERS],
  ['account', 'name_with_initials', 'K2', NO_NUMBERS],
  ['account', 'nic', undefined, NIC],
  ['account', 'nic', '99123456V', NIC],
  ['account', 'nic', '991234567A', NIC],
  ['account', 'nic', '1999812345678', NIC],
  ['account', 'mobile_no', undefined, MOBILE],
  ['account', 'mobile_no', '771231231', MOBILE],
  ['account', 'mobile_no', '07712312311', MOBILE],
  ['account', 'mobile_no', '077-1231231', MOBILE],
  ['temporary-account', 'salutation', undefined, REQUIRED],
  ['temporary-account', 'full_name', 'K9', NO_NUMBERS],
  ['temporary-account', 'nic', '1', NIC],
  ['temporary-account', 'contact_no', '12', MOBILE],
  ['sign-up', 'email', undefined, REQUIRED],
  ['sign-up', 'email', '@', EMAIL],
  ['sign-up', 'password', undefined, REQUIRED],
  ['sign-up', 'password', '', REQUIRED],
  ['sign-up', 'password', 'anicca1', PASSWORD],
  ['password', 'username', undefined, REQUIRED],
  ['password', 'password', 'Ab1defg', PASSWORD],
  ['password', 'password', 'abcdefg1', PASSWORD],
  ['password', 'password', 'ABCDEFG1', PASSWORD],
  ['password', 'password', 'Abcdefgh', PASSWORD],
  ['password', 'password', `Aa1${'x'.repeat(198)}`, 'At most 200 characters'],
  ['forgot-password', 'email', undefined, REQUIRED],
  ['forgot-password', 'email', 'no', EMAIL],
] as [Name, string, string | undefined, string][])('%s, %s: %p', (form, field, value, message) => {
  const data = { ...right[form], [field]: value }
  if (value === undefined) delete data[field as keyof typeof data]

  test(`is refused with “${message}”, in the browser as in the API`, async () => {
    const errors = checkForm(schemaOf(form), data)
    expect(errors.map((error) => [error.field, library.text(error.code, error.values)])).toEqual([
      [`/${field}`, message],
    ])
    expect((await inBrowser(form))(data)).toEqual(errors)
    for (const language of languages) expect(library.texts[language][errors[0]!.code]).toBeDefined()
  })
})

test.each(Object.keys(right) as Name[])('the form %s accepts valid values, and no other field', async (form) => {
  expect(checkForm(schemaOf(form), right[form])).toEqual([])
  expect((await inBrowser(form))(right[form])).toEqual([])
  expect(checkForm(schemaOf(form), { ...right[form], role: 'ADMIN' })).toMatchObject([{ field: '/role' }])
})

describe('one rule for every NIC: nine digits with x, X, v or V, or twelve digits', () => {
  const schemas = [
    ...[...library.forms].map(([key, { schema }]) => [key, schema] as const),
    ...[...library.registers].map(([key, { item }]) => [key, item] as const),
  ]
  const fields = schemas.flatMap(([key, schema]) =>
    Object.entries((schema as FieldSchema).properties ?? {})
      .filter(([name]) => /(^|_)nic$/.test(name))
      .map(([name, field]) => ({ key, name, field })),
  )

  test('applies in every form and register that asks for one', () => {
    expect(fields.map(({ key, name }) => `${key} ${name}`).toSorted()).toEqual([
      'admissions/admission nic',
      'applicant-accounts/account nic',
      'applicant-accounts/basic-information nic',
      'applicant-accounts/temporary-account nic',
      'aptitude-tests/application nic',
      'hostel/visit nic',
      'platform/employee nic',
      'platform/student nic',
      'platform/temporary-employee nic',
      'resource-reservation/booking-request associated_nic',
      'resource-reservation/booking-request poc_nic',
    ])
  })

  test.each(fields)('$key $name', ({ field, name }) => {
    const schema = { properties: { [name]: field } }
    const wrong = (nic: string) => checkForm(schema, { [name]: nic }).length > 0
    const good = ['991234567x', '991234567X', '991234567v', '991234567V', '199981234567', '812345678901']
    expect(good.filter(wrong)).toEqual([])
    const bad = ['', '99123456V', '991234567A', '1999812345678', '991234567 V', ' 991234567V', '٩٩١٢٣٤٥٦٧V']
    expect(bad.filter(wrong)).toEqual(bad)
  })

  test('is defined once', () => {
    const rule = /\{9\}\)?\(?\[[vVxX]|\[12\]\[0-9\]\{11\}/
    const root = join(import.meta.dirname, '../..')
    const written = ['api', 'forms', 'web', 'workers', 'processes'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|tsx|json)$/.test(file) && !/^(dist|node_modules)\b/.test(file))
        // A migration stays as it was when it ran.
        .filter((file) => !file.includes('/migrations/'))
        .filter((file) => rule.test(readFileSync(join(root, folder, file), 'utf8')))
        .map((file) => `${folder}/${file}`),
    )
    expect(written).toEqual(['forms/platform/nic.ts'])
  })
})

test('texts about accounts exist in all three languages', () => {
  const mails = ['set-password', 'reset-password', 'confirm-email', 'password-changed'].flatMap((mail) => [
    `platform.mail.${mail}-subject`,
    `platform.mail.${mail}-body`,
  ])
  const others = ['password-rule', 'password-common', 'password-personal', 'password-created', 'password-reset']
  const words = [
    'email-valid',
    'email-taken',
    'email-invalid',
    'link-spent',
    'proof-wanted',
    'proof-refused',
    ...others,
  ]
  const missing = languages.flatMap((language) =>
    [...mails, ...words.map((word) => `platform.${word}`)].filter((key) => library.texts[language][key] === undefined),
  )
  expect(missing).toEqual([])
  // Each mail names its link in every language.
  for (const language of languages)
    for (const key of mails.filter((mail) => mail.endsWith('-body')))
      expect(library.texts[language][key]).toContain('{{link}}')
})

describe('a new password', () => {
  const about = ['kumari.perera@example.lk', 'Kumari Perera']
  const codeOf = (password: string) => {
    try {
      expectGoodPassword(password, about)
      return undefined
    } catch (error) {
      return (error as BusinessError).fields[0]!.code
    }
  }

  test.each([
    ['Ab1', 'platform.password-rule'],
    ['Password1', 'platform.password-common'],
    ['Qwerty123', 'platform.password-common'],
    // A common password does not become a good one by an added year.
    ['Sunshine2026!', 'platform.password-common'],
    // Compatibility forms are equivalent to the characters they stand for.
    ['Ｐassword1', 'platform.password-common'],
    ['KumariPerera1', 'platform.password-personal'],
    ['Perera.2026', 'platform.password-personal'],
    ['Kumari.perera@example.lk1', 'platform.password-personal'],
    [`Aa1${'x'.repeat(198)}`, 'platform.check-maxLength'],
  ])('is not %s', (password, code) => {
    expect(codeOf(password)).toBe(code)
  })

  test.each(['Anicca Dukkha 3', 'Kumari likes 9 drums', 'සිංහල Aa1 කවි'])('may be %s', (password) => {
    expect(codeOf(password)).toBeUndefined()
  })
})
