import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { effectiveAnswers } from '../../forms/platform/answers.ts'
import { known } from '../../api/platform/kernel/known.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))

/** The messages of a form for these answers, by field. */
function told(form: string, answers: object): Record<string, string> {
  const { schema } = known(library.forms.get(`aptitude-tests/${form}`), form)
  const found = checkForm(schema, effectiveAnswers(schema, answers))
  return Object.fromEntries(found.map(({ field, code, values }) => [field, library.text(code, values ?? {}, 'en')]))
}

const music = { programme: 'BPA in Western Music', music_subject: 'Western Music', grade: 'S' }
const dance = { programme: 'BPA in Dance', grade: 'A' }
const painting = { programme: 'BVA in Painting', grade: 'B' }
const sinhala = { subject: 'Sinhala', grade: 'S' }
const geography = { subject: 'Geography', grade: 'C' }
const good = {
  test: 'c7d792c3-956c-5eb9-9c53-013a15218ce2',
  full_name: 'කුමාරි පෙරේරා',
  nic: '200612301234',
  mobile_no: '0771231231',
  index_no: '1234567',
  programmes: [music],
  other_subjects: [sinhala, geography],
  general_english: 'W',
  common_general_test: 0,
  declaration: true,
}
const wrong = (more: object) => told('application', { ...good, ...more })

test('a complete application passes, with one, two or three degree programs', () => {
  expect(wrong({})).toEqual({})
  expect(wrong({ programmes: [music, dance], other_subjects: [sinhala] })).toEqual({})
  expect(wrong({ programmes: [music, dance, painting], other_subjects: [] })).toEqual({})
})

test('there are exactly three A/L subjects in total', () => {
  const three = { '/other_subjects': 'Must enter 3 A/L subjects.' }
  expect(wrong({ other_subjects: [sinhala] })).toEqual(three)
  expect(wrong({ other_subjects: undefined })).toEqual(three)
  expect(wrong({ programmes: [music, dance], other_subjects: [sinhala, geography] })).toEqual(three)
  expect(wrong({ programmes: [music, dance], other_subjects: [] })).toEqual(three)
  // With three degree programs, other subjects are not asked for, and do not count.
  expect(wrong({ programmes: [music, dance, painting], other_subjects: [sinhala] })).toEqual({})
  expect(wrong({ programmes: [music, dance, painting, dance] })).toHaveProperty('/programmes')
})

test('grades are A, B, C and S; W can be chosen for a degree program, and is then refused', () => {
  const low = 'You should have minimum S pass to be eligible to apply.'
  expect(wrong({ programmes: [{ ...music, grade: 'W' }] })).toEqual({ '/programmes/0/grade': low })
  expect(wrong({ other_subjects: [{ ...sinhala, grade: 'W' }, geography] })).toEqual({
    '/other_subjects/0/grade': low,
  })
  expect(wrong({ other_subjects: [{ subject: 'Sinhala' }, { grade: 'A' }] })).toEqual({
    '/other_subjects/0/grade': low,
    '/other_subjects/1/subject': 'This field is required',
  })
})

test('Music needs one of its three subjects', () => {
  const missing = { '/programmes/0/music_subject': 'This field is required' }
  expect(wrong({ programmes: [{ programme: 'BPA in Western Music', grade: 'A' }] })).toEqual(missing)
  expect(wrong({ other_subjects: [{ subject: 'music', grade: 'A' }, geography] })).toEqual({
    '/other_subjects/0/music_subject': 'This field is required',
  })
  expect(wrong({ programmes: [{ ...music, music_subject: 'Jazz' }] })).toHaveProperty('/programmes/0/music_subject')
})

test('each field has the message of the sources', () => {
  const nic = 'Please enter a valid NIC Number(Eg:991234567V or 991234567v or 199981234567)'
  const marks = 'Please enter valid Number; Maximum marks are 100'
  expect(wrong({ full_name: 'Kumar1', nic: '12', mobile_no: '771231231', index_no: '123456' })).toEqual({
    '/full_name': 'Please Enter a valid name',
    '/nic': nic,
    '/mobile_no': 'Please enter valid mobile number E.g.(0771231231)',
    '/index_no': 'Please enter valid Index Number',
  })
  expect(wrong({ common_general_test: 101 })).toEqual({ '/common_general_test': marks })
  expect(wrong({ common_general_test: -1 })).toEqual({ '/common_general_test': marks })
  expect(wrong({ common_general_test: undefined })).toEqual({ '/common_general_test': marks })
  expect(wrong({ general_english: undefined })).toHaveProperty('/general_english')
  expect(wrong({ declaration: false })).toEqual({ '/declaration': 'Please confirm the declaration' })
})

test('the account needs a valid email, a good password, and the same password again', () => {
  const account = { email: 'kumari@example.lk', password: 'Prakriya2026', confirm_password: 'Prakriya2026' }
  const bad = (more: object) => told('applicant-account', { ...account, ...more })
  expect(bad({})).toEqual({})
  expect(bad({ email: 'kumari' })).toEqual({ '/email': 'Please enter valid email' })
  expect(bad({ confirm_password: 'Prakriya2027' })).toEqual({ '/confirm_password': 'Password Mismatch' })
  expect(bad({ password: 'prakriya', confirm_password: 'prakriya' })).toEqual({
    '/password':
      'Please enter a valid password (at least 8 characters, containing at least one uppercase letter, one lowercase letter, and one digit)',
  })
})
