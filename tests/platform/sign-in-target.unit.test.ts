import { expect, test } from '@jest/globals'
import { targetIn, withTarget } from '../../web/platform/kernel/session/target.ts'

const to = (target: string) => targetIn(`to=${encodeURIComponent(target)}`)

test.each([
  '//example.org',
  'https://example.org',
  '/\\example.org',
  '/\t/example.org',
  '/a\\b',
  'cases',
  '',
  'javascript:alert(1)',
])('signing in does not lead to %j', (target) => expect(to(target)).toBe('/dashboard'))

test('signing in does not lead to pages about signing in', () => {
  expect(to('/session/signin?to=/cases')).toBe('/dashboard')
})

test('signing in leads to one of our own pages with its whole address', () => {
  expect(to('/cases?search=drums&state=open')).toBe('/cases?search=drums&state=open')
})

test('an address about signing in carries its target on, and omits the front page', () => {
  expect(withTarget('/session/signup', '/dashboard')).toBe('/session/signup')
  const address = withTarget('/session/signup', '/all_resoures?book=1')
  expect(targetIn(address.split('?')[1]!)).toBe('/all_resoures?book=1')
})
