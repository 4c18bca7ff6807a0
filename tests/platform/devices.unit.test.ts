import { expect, test } from '@jest/globals'
import { deviceOf } from '../../web/platform/people/account/device.ts'

test('an unknown device has no name, and a client that is no browser is named by its first word', () => {
  expect(deviceOf(null)).toBeUndefined()
  expect(deviceOf('  ')).toBeUndefined()
  expect(deviceOf('curl/8.5.0')).toEqual({ program: 'curl' })
  expect(deviceOf('node')).toEqual({ program: 'node' })
})

test('a browser has its common name, though each claims to be several', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const known = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0`]:
      'Edge Windows',
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/147.0.0.0 Safari/537.36`]: 'Chrome Linux',
    [`Mozilla/5.0 (Linux; Android 15; SM-S928B) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`]:
      'Samsung Internet Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1':
      'Safari iPhone',
  }
  for (const [said, name] of Object.entries(known)) expect(Object.values(deviceOf(said)!).join(' ')).toBe(name)
})
