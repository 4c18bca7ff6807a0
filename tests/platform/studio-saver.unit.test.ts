import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { draftSaver } from '../../web/platform/features/studio/saver.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A saver whose saves finish when the test says so. */
function aSaver() {
  const sent: { revision: number; bpmn: string | undefined; answer: PromiseWithResolvers<void> }[] = []
  const told: string[] = []
  const saver = draftSaver({
    revision: 1,
    tell: ({ state }) => void told.push(state),
    async save(revision, { bpmn }) {
      const answer = Promise.withResolvers<void>()
      sent.push({ revision, bpmn, answer })
      await answer.promise
      return { revision: revision + 1, savedAt: 'now' }
    },
  })
  return { saver, sent, told, draws: (bpmn: string) => saver.change(async () => ({ bpmn })) }
}

/** Lets pending promises continue. */
const settle = () => jest.advanceTimersByTimeAsync(0)
const refusal = (status: number) => Object.assign(new Error('refused'), { status, code: 'tests.refused' })

test('deploying waits for the last change, even if it is being sent and another save is under way', async () => {
  const { saver, sent, draws } = aSaver()
  draws('first')
  await jest.advanceTimersByTimeAsync(2_000)
  draws('last')
  await jest.advanceTimersByTimeAsync(2_000)
  const flushed: boolean[] = []
  const flushing = saver.flush().then((passed) => flushed.push(passed))
  await settle()
  expect(sent.map(({ bpmn }) => bpmn)).toEqual(['first'])
  sent[0]!.answer.resolve()
  await settle()
  expect(sent.map(({ bpmn, revision }) => [bpmn, revision])).toEqual([
    ['first', 1],
    ['last', 2],
  ])
  expect(flushed).toEqual([])
  sent[1]!.answer.resolve()
  await flushing
  expect([flushed, saver.revision()]).toEqual([[true], 3])
})

test('transient failures are retried with the current drawing; permanent ones are not', async () => {
  for (const status of [0, 401, 408, 429, 503]) {
    const { sent, told, draws } = aSaver()
    draws('kept')
    await jest.advanceTimersByTimeAsync(2_000)
    sent[0]!.answer.reject(refusal(status))
    await settle()
    expect(told.at(-1)).toBe('failed')
    await jest.advanceTimersByTimeAsync(6_000)
    expect(sent.map(({ bpmn }) => bpmn)).toEqual(['kept', 'kept'])
  }
  for (const status of [403, 404, 409, 413, 422]) {
    const { saver, sent, told, draws } = aSaver()
    draws('lost')
    await jest.advanceTimersByTimeAsync(2_000)
    sent[0]!.answer.reject(refusal(status))
    await jest.advanceTimersByTimeAsync(10_000)
    expect([told.at(-1), sent.length, await saver.flush()]).toEqual(['refused', 1, false])
  }
})
