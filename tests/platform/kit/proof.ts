import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { App } from '../../../api/platform/http/app.ts'
import { send } from './people.ts'

/** The challenge that the product, or an app of the test's own, gives out. */
export async function challenge(app?: App, difficulty = 0): Promise<any> {
  const url = `/api/public/proof?difficulty=${difficulty}`
  return app ? (await app.inject({ url })).json() : (await send('GET', url)).body
}

/** The solution of a challenge as it goes along with a request. */
export async function solved(given: any): Promise<string> {
  const solution = await solveChallenge({ challenge: given, deriveKey })
  return Buffer.from(JSON.stringify({ challenge: given, solution })).toString('base64')
}

/** The header that a stranger's write needs: a proof of work, good for one request. */
export async function proof(app?: App, difficulty?: number): Promise<{ 'x-proof': string }> {
  return { 'x-proof': await solved(await challenge(app, difficulty)) }
}

let strangers = 0

/** The write of somebody who has not signed in, with a proof that was just made, each from another address. */
export async function writeAsStranger(app: App, url: string, payload: object, headers: Record<string, string> = {}) {
  const remoteAddress = `10.0.${(strangers >> 8) & 255}.${strangers++ & 255}`
  return app.inject({ method: 'POST', url, payload, remoteAddress, headers: { ...(await proof(app)), ...headers } })
}
