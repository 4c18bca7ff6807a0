import { expect, test } from '@jest/globals'
import { BusinessError } from '../../api/platform/errors.ts'
import { signInGuard } from '../../api/platform/identity/sign-in-guard.ts'

const wrong = () => Promise.reject(new BusinessError('platform.sign-in-refused'))

test('guesses at one name that come all at once count as if they had come one by one', async () => {
  const guard = signInGuard()
  const guesses = Array.from({ length: 30 }, () => guard('10.0.0.1', 'nimal', wrong))
  const codes = (await Promise.allSettled(guesses)).map((one) => one.status === 'rejected' && one.reason.code)
  expect(codes.filter((code) => code === 'platform.sign-in-refused')).toHaveLength(10)
  expect(codes.filter((code) => code === 'platform.sign-in-slowed')).toHaveLength(20)
})

test('any number of right passwords at once are let in', async () => {
  const guard = signInGuard()
  const entries = Array.from({ length: 30 }, () => guard('10.0.0.1', 'nimal', () => Promise.resolve('in')))
  expect(new Set(await Promise.all(entries))).toEqual(new Set(['in']))
})
