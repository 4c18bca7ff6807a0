import { expect, test } from '@jest/globals'
import { join } from 'node:path'
import { ageOn } from '../../forms/platform/age.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { effectiveAnswers } from '../../forms/platform/answers.ts'
import { basicInformation } from './kit/own-record.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))

const ID = 'c7d792c3-956c-5eb9-9c53-013a15218ce2'
const REFEREE = {
  name: 'Sunil Fernando',
  designation: 'Professor',
  address: 'Colombo',
  email: 'sunil@example.lk',
  contact_no: '0112903903',
}
const basic = { ...basicInformation({ photo: ID, province: ID, district: ID }), same_as_permanant_address: false }
const postal = Object.entries(basic).flatMap(([name, value]) =>
  name.startsWith('permanent_') ? [[name.replace('permanent', 'postal'), value]] : [],
)

/** Good answers of each step of the record. */
const right: Record<string, Record<string, unknown>> = {
  'basic-information': { ...basic, ...Object.fromEntries(postal) },
  qualifications: {
    qualifications: [{ kind: 'Diploma', name: 'Sitar', institute: 'Academy', effective_date: '2018-05-14' }],
  },
  'working-experience': { positions: [{ institution: 'Academy', designation: 'Teacher', from: '2018-05-14' }] },
  'creative-works': { works: [{ title: 'Dawn', kind: 'Performance', year: 2019 }] },
  research: { publications: [{ title: 'Ragas', authors: 'K. Perera', published_in: 'Journal', year: 2019 }] },
  awards: { awards: [{ title: 'Festival', given_by: 'Academy', year: 2019 }] },
  referees: { referees: [REFEREE, { ...REFEREE, name: 'Nimal Silva' }] },
}

/** The messages of a step for these answers, by field. */
function told(step: string, answers: object): Record<string, string> {
  const { schema } = library.forms.get(`applicant-accounts/${step}`)!
  const found = checkForm(schema, effectiveAnswers(schema, answers))
  return Object.fromEntries(found.map(({ field, code, values }) => [field, library.text(code, values ?? {}, 'en')]))
}

const REQUIRED = 'This Field is required!'
const NO_NUMBERS = 'This Field Do Not Accept Numbers!'
const NIC = 'Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)'
const MOBILE = 'Please enter valid mobile number E.g.(0771231231)'
const EMAIL = 'Email is not valid'
const LINK = 'Please add both display text and link to proceed'
const BY_REGISTRATION = 'Citizen of Sri Lanka by Registration'

const places = ['no', 'street', 'city', 'town', 'province', 'district']
const addresses = ['permanent', 'postal'].flatMap((kind) => places.map((place) => `${kind}_address_${place}`))
const required = [...addresses, 'date_of_birth', 'citizenship', 'applicant_photo', 'email', 'age']

test.each([
  ...['name_with_initials', 'full_name', 'first_name'].flatMap((name) => [
    [name, undefined, REQUIRED],
    [name, 'Kumari 2', NO_NUMBERS],
  ]),
  ...['middle_name', 'sur_name', 'other_name'].map((name) => [name, 'Perera3', NO_NUMBERS]),
  ...required.map((name) => [name, undefined, REQUIRED]),
  ['gender', undefined, 'Please select an option.'],
  ['age', 'ten', 'This Field Only Accept Numbers!'],
  ['age', '1000', 'At most 3 characters'],
  ['date_of_birth', '2999-01-01', 'The date of birth cannot be in the future'],
  ['nic', undefined, NIC],
  ['nic', '99123456V', NIC],
  ['mobile_no', undefined, MOBILE],
  ['mobile_no', '771231231', MOBILE],
  ['contact_no', '077-1231231', MOBILE],
  ['email', 'kumari', EMAIL],
])('Basic Information, %s: %p', (name, value, message) => {
  expect(told('basic-information', { ...right['basic-information'], [name as string]: value })).toEqual({
    [`/${name}`]: message,
  })
})

test.each([
  ['basic-information', { citizenship: BY_REGISTRATION }, '/other_citizenship', REQUIRED],
  ['basic-information', { links: [{ text: 'Portfolio' }] }, '/links/0/link', LINK],
  ['basic-information', { links: [{ link: 'https://example.lk' }] }, '/links/0/text', LINK],
  ['qualifications', { qualifications: [] }, '/qualifications', 'Add at least one qualification'],
  ['referees', { referees: [REFEREE] }, '/referees', 'Name two or three referees'],
])('%s with %p', (step, more, field, message) => {
  expect(told(step, { ...right[step], ...more })).toEqual({ [field]: message })
})

test.each(Object.keys(right))('%s accepts good answers', (step) => {
  expect(told(step, right[step]!)).toEqual({})
})

test('an age follows from the date of birth, and changes on the birthday', () => {
  expect(['2026-05-13', '2026-05-14', '2026-12-01'].map((today) => ageOn(today, '1999-05-14'))).toEqual([26, 27, 27])
  expect(['2027-01-01', '1890-01-01', '', undefined, '14/05/1999'].map((birth) => ageOn('2026-05-14', birth))).toEqual(
    Array(5).fill(undefined),
  )
})
