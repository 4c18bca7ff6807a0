import { expect, jest, test } from '@jest/globals'
import { type Requests, killRandom } from './faults/kill-random.ts'
import { as } from './kit/people.ts'

/** Requests that are never accepted. */
const refused: Requests = {
  flow: 'no-area/no-flow',
  data: () => ({}),
  requesters: ['student.nuwan'],
  steps: () => [],
  ends: { confirmed: 'confirmed', rejected: 'rejected', withdrawn: undefined },
}

const run = (more: object = {}) => {
  const said: string[] = []
  const options = { requests: 10_000, seed: 1, everySeconds: 1, most: 0, clients: 2, patience: 0 }
  return { said, verdict: killRandom([refused], { ...options, say: (line) => said.push(line), ...more }) }
}

test('a run without progress is given up, and ends with a verdict', async () => {
  const { verdict } = run()
  const { asked, lost, stuck, doubled, problems } = await verdict
  expect(asked).toBeLessThan(20)
  expect({ lost, stuck, doubled }).toEqual({ lost: asked, stuck: 0, doubled: 0 })
  expect(problems).toContainEqual(expect.stringMatching(/^request 0: .*404/))
  expect(problems).toContainEqual(expect.stringMatching(/^given up after \d+ failures in a row/))
})

test('a run reports its progress at intervals, and what it looks at in the end', async () => {
  const { said, verdict } = run({ progressSeconds: 0.001 })
  const { asked } = await verdict
  const progress = said.filter((line) => line !== 'looking at the ends of 0 cases')
  expect(said).toHaveLength(progress.length + 1)
  expect(progress.length).toBeGreaterThan(0)
  const counts = progress.map((line) => {
    const found = /^\d+\.\d min: (\d+) of 10000 asked, 0 done, (\d+) problems, 0 kills$/.exec(line)
    return [line, ...(found?.slice(1).map(Number) ?? [])]
  })
  // The counts of every report are those of that moment.
  for (const [line, some, problems] of counts)
    expect([line, typeof some, typeof problems]).toEqual([line, 'number', 'number'])
  const sums = counts.map(([, some]) => Number(some))
  expect(sums).toEqual(sums.toSorted((a, b) => a - b))
  expect(sums.at(-1)).toBeLessThanOrEqual(asked)
})

test('a stopped run sends no more requests, and its verdict covers those sent', async () => {
  const stop = new AbortController()
  const { verdict } = run({ stop: stop.signal })
  stop.abort()
  const { asked, lost, problems } = await verdict
  expect(asked).toBeLessThanOrEqual(2)
  expect(lost).toBe(asked)
  expect(problems.filter((one) => /^(given up|interrupted)/.test(one))).toEqual([])
})

test('an interrupted run ends at once with a verdict on what is known', async () => {
  const stop = new AbortController()
  const { verdict } = run({ patience: 2, signal: stop.signal })
  stop.abort()
  const { problems, requests, lost, rest } = await verdict
  expect(lost).toBe(0)
  expect(problems).toEqual([expect.stringMatching(`^interrupted: \\d of ${requests} were asked`)])
  await rest
})

test('a client that acts for longer than a sign-in lasts signs in again', async () => {
  const person = await as('student.selvi')
  const sessions = async () => (await person.get('/api/me/sessions')).items as { id: string }[]
  const before = await sessions()
  expect(await sessions()).toHaveLength(before.length)
  const now = Date.now()
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 14 * 60_000)
  try {
    const later = await Promise.all([sessions(), sessions()])
    // Both acts share one new sign-in.
    expect(later.map(({ length }) => length)).toEqual([before.length + 1, before.length + 1])
  } finally {
    clock.mockRestore()
  }
})
