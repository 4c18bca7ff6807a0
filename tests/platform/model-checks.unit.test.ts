import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { artifact } from '../../api/platform/model/definitions/artifact.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { modelChecks } from '../../api/platform/model/bpmn/checking/checking.ts'
import { problemsOf } from '../../api/platform/model/bpmn/checking/repository-models.ts'
import { largeModel } from './fixtures/large-model.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const flow = library.flows.get('resource-reservation/resource-booking')!
const nobody = new Set<string>()
const drawn = (bpmn: string) => ({ ...flow, bpmn: artifact('bpmn', flow.bpmn.key, bpmn) })
const large = drawn(largeModel(flow.manifest.process, 500))

/** Turns of the event loop until something has happened. */
async function turnsUntil(happened: Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false]
  const mark = () => (done = true)
  happened.then(mark, mark)
  for (; !done; turns++) await new Promise((resolve) => setImmediate(resolve))
  return turns
}

test('a large model is checked in the background, with the result of the gate', async () => {
  const checks = modelChecks()
  // Started beforehand, so that only the check is counted.
  expect(await checks.problemsOf(flow, library)).toEqual([])
  const checked = checks.problemsOf(large, library)
  expect(await turnsUntil(checked)).toBeGreaterThan(100)
  expect(await checked).toEqual(await problemsOf(large, library))
})

test('the drawing is checked as well if the gate finds nothing', async () => {
  const checks = modelChecks()
  expect(await checks.modelProblems(flow, library, library.roles)).toEqual([])
  expect(await checks.modelProblems(large, library, library.roles)).toContainEqual(
    expect.objectContaining({ level: 'error', source: 'gate' }),
  )
})

test('a newer check of the same draft replaces one that still waits', async () => {
  const checks = modelChecks()
  const asked = (of: string) => checks.modelProblems(large, library, nobody, { of })
  const [first, second, others, third] = await Promise.allSettled([asked('a'), asked('a'), asked('b'), asked('a')])
  expect([first, others, third].map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'platform.check-overtaken' } })
})

test('a check that takes too long is ended and says so; waiting checks continue', async () => {
  const checks = modelChecks({ limit: 1 })
  const refused = { code: 'platform.check-too-long', values: { seconds: 0.001 } }
  await expect(checks.problemsOf(large, library)).rejects.toMatchObject(refused)
  await expect(checks.problemsOf(large, library)).rejects.toMatchObject(refused)
})

test('a crashing thread fails only its own check', async () => {
  const checks = modelChecks()
  const broken = checks.tables(undefined as unknown as string)
  const next = checks.problemsOf(flow, library)
  await expect(broken).rejects.toThrow('undefined')
  expect(await next).toEqual([])
})

test('a request that cannot be sent to the thread fails alone', async () => {
  const checks = modelChecks({ limit: 3_600_000 })
  const broken = checks.tables((() => 'a table') as unknown as string)
  const next = checks.problemsOf(flow, library)
  await expect(broken).rejects.toThrow('could not be cloned')
  expect(await next).toEqual([])
})
