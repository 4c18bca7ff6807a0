import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'
import { checksInTurn, hostileHere } from './hostile.ts'

const ONE = '/api/studio/models/resignation'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors.close())

const declares = 'cannot be read: it contains a DOCTYPE or another declaration'
const instructs = 'cannot be read: it contains a processing instruction, or is not XML 1.0 in UTF-8'
const foreign = 'cannot be read: it is not a BPMN model'
const many = 'cannot be read: it has more than 20000 elements'
const large = 'is larger than 1 MiB, so it is not read.'

/** Files that are not accepted, so that nothing replaces the draft: the message, and its place. */
const notTaken: Readonly<Record<string, string>> = {
  'a DOCTYPE that reads a file': declares,
  'a DOCTYPE that multiplies itself': declares,
  'a parameter entity': declares,
  'a DOCTYPE in small letters': declares,
  'another encoding, which another parser would read differently':
    'cannot be read: the encoding UTF-7 is not read; save it in UTF-8',
  'a processing instruction': instructs,
  'XML 1.1': instructs,
  'UTF-16 in words': 'cannot be read: the encoding UTF-16 is not read; save it in UTF-8',
  'an entity that nobody declares': 'cannot be read: unknown entity &x;',
  'a character that does not exist': 'cannot be read: unknown entity &#x110000;',
  'one id twice, so that two readers could take different elements':
    'cannot be read. userTask_approve: the id is used twice',
  'an attribute twice': 'cannot be read. Line 1: attribute <name> already defined',
  'an end that closes something else': 'cannot be read. Line 1: closing tag mismatch',
  'a prefix that nobody declares': 'cannot be read. Line 1: missing namespace on <evil:process>',
  'nothing at all': 'cannot be read. Line 1: missing start tag',
  words: 'cannot be read. Line 1: missing start tag',
  'a page of the web': foreign,
  'a drawing that runs scripts': foreign,
  'a decision table instead': foreign,
  'a model of 5,000 tasks': many,
  '45,000 flows': many,
  'a model of 30 MiB': large,
  'a tag of one mebibyte': large,
  'a label of one mebibyte': large,
  'letters of many bytes beyond one mebibyte': large,
}

/** Messages that differ from the API's, because the import checks the parsed document instead of the file. */
const otherwise: Readonly<Record<string, { element?: string; reason: RegExp }>> = {
  'elements nested without end': { reason: /^a model has exactly one process$/ },
  'elements nested to the limit and beyond': { reason: /^a model has exactly one process$/ },
  'two roots': { reason: /^a model has exactly one process$/ },
  '20,000 prefixes, copied by each element below': {
    element: 'resignation',
    reason: /^it begins with exactly one start event$/,
  },
  'an attribute twice, under two prefixes': {
    element: 'userTask_approve',
    reason: /^Offered to: what was asked for is corrected by the requester$/,
  },
  'a decision of another deployment': { reason: /there is no decision rate/ },
}

/**
 * From these the import removes and lists the refused part, asks which part to take, or cannot draw them:
 * `studio-import.unit` tests each cause. `gate.unit` tests the gate's messages.
 */
const leftOut = new Set([
  'an extension of the older vocabulary, which the engine also knows',
  'a class on an element that the diagram does not show',
  'a second process',
  'elements nested without end',
  'two roots',
  '20,000 prefixes, copied by each element below',
  '1,001 flows',
  'elements nested to the limit and beyond',
  'implementation on a desk',
  'an import of another file',
  'an interface with an operation of a class',
])

/** The name of an element in a file; undefined without a plain name: then its kind, or its parent, is shown. */
function labelIn(bpmn: string, id: string): string | undefined {
  const [tag = ''] = new RegExp(`<[^<>]*\\sid="${id}"[^<>]*>`).exec(bpmn) ?? []
  return /\sname="([^"&]+)"/.exec(tag)?.[1]?.trim() || undefined
}

test('the import refuses every hostile file, and says where in it and why in plain words', async () => {
  const owner = await as('owner.flows')
  await owner.send('DELETE', `${ONE}/draft`)
  await owner.ok('POST', `${ONE}/draft`, {})
  const at = await visitors.arrives()
  const { page } = at
  const check = await checksInTurn()
  const unlike: unknown[] = []
  await page.route(`**${ONE}/check`, async (route) => {
    const { status, body } = await check(route.request().postDataJSON())
    await route.fulfill({ status, json: body })
  })
  await at.signsIn('owner.flows', '/studio/resignation/draft')
  await reads(page, 'No problems')
  await page.getByRole('button', { name: 'File' }).click()
  await page.getByText('Import a model…').click()
  const dialog = page.getByRole('dialog')
  const replace = dialog.getByRole('button', { name: 'Replace the draft' })
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  for (const [index, { name, bpmn, element, reason }] of hostileHere.entries()) {
    // Its name distinguishes the answer from that for the previous file.
    const file = `hostile-${index}.bpmn`
    writeFileSync(join(folder, file), bpmn)
    await dialog.locator('input[type=file]').setInputFiles(join(folder, file))
    const answer = dialog.locator('[role=alert], [role=status]').filter({ hasText: file })
    // All owners may have asked as often as they may in a minute.
    await answer.waitFor({ timeout: 80_000 })
    const seen = await answer.evaluate((shown) => ({
      words: shown.textContent,
      problems: [...shown.querySelectorAll('[data-level=error]')].map((line) =>
        ['strong', 'span'].map((part) => line.querySelector(part)!.textContent),
      ),
    }))
    if (leftOut.has(name)) {
      if (seen.words === file) unlike.push({ name, words: seen.words })
      continue
    }
    const refusal = notTaken[name]
    if (refusal !== undefined) {
      const [words, disabled] = [seen.words, await replace.isDisabled()]
      if (words !== `${file} ${refusal}` || !disabled) unlike.push({ name, refusal, words, disabled })
    } else {
      const told = { element, reason, ...otherwise[name] }
      const place = told.element === 'definitions' ? 'The model as a whole' : labelIn(bpmn, told.element)
      const found = seen.problems.filter(([, why]) => new RegExp(told.reason).test(why ?? ''))
      if (!found.some(([where]) => where === place || (place === undefined && where !== '')))
        unlike.push({ name, place, reason: String(told.reason), problems: seen.problems })
    }
  }
  expect(unlike).toEqual([])
  rmSync(folder, { recursive: true })
  await owner.send('DELETE', `${ONE}/draft`)
}, 300_000)
