import { expect, test } from '@jest/globals'
import { inBatches } from '../../api/platform/kernel/in-batches.ts'

test('calls while a batch runs share the next one, and each gets the error of its own batch', async () => {
  const batches: (readonly number[])[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const call = inBatches<number>((batch) => {
    batches.push(batch)
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  })
  const first = call(1)
  // The first batch begins in the next turn.
  await Promise.resolve()
  const others = Promise.allSettled([call(2), call(3)])
  expect(batches).toEqual([[1]])
  ends[0]!.reject(new Error('the connection broke'))
  await expect(first).rejects.toThrow('the connection broke')
  // The second begins although the first has failed.
  await Promise.resolve()
  expect(batches).toEqual([[1], [2, 3]])
  ends[1]!.resolve()
  expect((await others).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})
