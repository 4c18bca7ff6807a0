import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Messages of the sources that no story reads in English, as they are written there, by the form or page that shows them. */
const WORDS: [area: string, key: string, words: string][] = [
  ['applicant-accounts', 'step.basic_information.saved', 'Basic Information Saved Successfully!'],
  ['applicant-accounts', 'file-too-large', 'file size too lage'],
  ['applicant-accounts', 'too-many-files', 'Too many files added'],
  ['courses-public', 'file-too-large', 'file size too large'],
  ['courses-public', 'too-many-files', 'Too many files added'],
  ['aptitude-tests', 'application.closed', 'Registration Closed'],
  ['aptitude-tests', 'application.no-data', 'Error! No Data'],
]

test.each(WORDS)('%s says %s as the source does', (area, key, words) => {
  const found = ['texts.en.json', 'texts.staff.en.json'].map((file) => {
    const texts = JSON.parse(readFileSync(join(import.meta.dirname, `../../forms/${area}/${file}`), 'utf8'))
    return (texts as Record<string, string>)[`${area}.${key}`]
  })
  expect(found).toContain(words)
})
