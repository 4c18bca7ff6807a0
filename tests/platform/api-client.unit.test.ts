import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { request, setAccess } from '../../web/platform/kernel/client/client.ts'

const real = globalThis.fetch
/** Requests, as `GET Bearer stale`. */
let asked: string[] = []
let renewed: string | undefined
beforeEach(() => {
  asked = []
  renewed = 'fresh'
  setAccess({ token: async () => 'stale', renew: async () => renewed })
  // A public route: it refuses nobody, and shows more to people it knows.
  globalThis.fetch = async (_path, { method, headers } = {}) => {
    const token = (headers as Record<string, string>)['authorization']
    asked.push(`${method} ${token}`)
    const known = token === 'Bearer fresh'
    return Response.json(known ? 'all of it' : 'some of it', {
      headers: known ? {} : { 'www-authenticate': 'Bearer error="invalid_token"' },
    })
  }
})
afterEach(() => {
  globalThis.fetch = real
  setAccess({ token: async () => undefined, renew: async () => undefined })
})

test('what was read as a visitor because the token had expired is read again with a new one', async () => {
  expect(await request('GET', '/api/public/anything')).toBe('all of it')
  expect(asked).toEqual(['GET Bearer stale', 'GET Bearer fresh'])
})

test('it stays the visitor’s view if the session is over, and nothing is written twice', async () => {
  expect(await request('POST', '/api/public/anything', { body: {} })).toBe('some of it')
  renewed = undefined
  expect(await request('GET', '/api/public/anything')).toBe('some of it')
  expect(asked).toEqual(['POST Bearer stale', 'GET Bearer stale'])
})
