import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { App } from '../../../api/platform/http/app.ts'
import { send } from './people.ts'

/** A challenge of the product, or of a test's own app. */
export async function challenge(app?: App, difficulty = 0): Promise<any> {
  const url = `/api/public/proof?difficulty=${difficulty}`
  return app ? (await app.inject({ url })).json() : (await send('GET', url)).body
}

/** The solution of a challenge as sent with a request. */
export async function solved(given: any): Promise<string> {
  const solution = await solveChallenge({ challenge: given, deriveKey })
  return Buffer.from(JSON.stringify({ challenge: given, solution })).toString('base64')
}

/** The header that a write without an account needs: a proof of work for one request. */
export async function proof(app?: App, difficulty?: number): Promise<{ 'x-proof': string }> {
  return { 'x-proof': await solved(await challenge(app, difficulty)) }
}

let strangers = 0

/** A write without an account, with a new proof, each from another address. */
export async function writeAsStranger(app: App, url: string, payload: object, headers: Record<string, string> = {}) {
  const remoteAddress = `10.0.${(strangers >> 8) & 255}.${strangers++ & 255}`
  return app.inject({ method: 'POST', url, payload, remoteAddress, headers: { ...(await proof(app)), ...headers } })
}
