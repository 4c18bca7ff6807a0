import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import type { Result, Scenario } from '../../api/platform/model/definitions/scenario.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { over } from '../platform/kit/scenario-runs.ts'
import { SUBMISSION, desks } from './scholarship.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const MODEL = '/api/studio/models/scholarship-submission'
const [table] = library.flows.get(SUBMISSION)!.dmn
const STATUS = 'Pending for Student Selection'

/** A row above the others, by what it asks of faculty, year and district. */
const row = (misses: string, faculty: string, year: string, district: string) =>
  `<rule id="rule_${misses}"><description>Only for some</description>${Object.entries({
    type: '',
    income: '',
    results: '',
    faculty,
    year,
    district,
  })
    .map(
      ([name, says]) =>
        `<inputEntry id="${misses}_${name}" expressionLanguage="feel"><text>${says}</text></inputEntry>`,
    )
    .join(
      '',
    )}<outputEntry id="${misses}_criteria" expressionLanguage="feel"><text>"${misses}"</text></outputEntry></rule>`

const rows = [
  row('faculty', 'not("Faculty of Music")', '', ''),
  row('year', '"Faculty of Music"', '&lt; 2', ''),
  row('district', '', '', '"Kandy","Galle"'),
].join('')

const aScenario = (name: string, start: Scenario['start'], desk: string): Scenario => ({
  name,
  start: {
    ...{ byBatch: false, scholarshipType: 'Other', familyIncome: 240_000, results: 3.2, selectionEnds: '+P90D' },
    ...start,
  },
  steps: [],
  expect: { statuses: { status: [STATUS] }, at: [desk] },
})

const fits = { studentFaculty: 'Faculty of Music', studentYear: 2, studentDistrict: 'Colombo' }

const made: string[] = []
afterAll(async () => {
  const owner = await as('owner.flows')
  for (const id of made) await owner.send('DELETE', `${MODEL}/scenarios/${id}`)
  await owner.send('DELETE', `${MODEL}/draft`)
})

test('rows by faculty, year and district lead to the check; what is not known matches none', async () => {
  const owner = await as('owner.flows')
  const { revision } = await owner.ok('POST', `${MODEL}/draft`, {})
  const content = table!.content.replace('<rule ', `${rows}<rule `)
  await owner.ok('PUT', `${MODEL}/draft`, { revision, dmn: [{ key: table!.key, content }] })
  for (const one of [
    aScenario('Another faculty', { ...fits, studentFaculty: 'Faculty of Visual Arts' }, desks.checkResults),
    aScenario('The first year', { ...fits, studentYear: 1 }, desks.checkResults),
    aScenario('One of two districts', { ...fits, studentDistrict: 'Galle' }, desks.checkResults),
    aScenario('All criteria met', fits, desks.select),
    aScenario('Year and district are not known', { ...fits, studentYear: null, studentDistrict: null }, desks.select),
  ])
    made.push((await owner.ok('POST', `${MODEL}/scenarios`, one)).id)
  // Another run of this flow may be under way.
  const runId = await until('the run begins', async () => {
    const { body } = await owner.send('POST', `${MODEL}/scenarios/run`, { ids: made, draft: true })
    return body.runId as string | undefined
  })
  const { results } = await over(owner, runId, MODEL)
  expect((results as Result[]).filter(({ passed }) => !passed)).toEqual([])
  expect(results).toHaveLength(5)
}, 180_000)
