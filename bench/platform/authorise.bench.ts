import { Agent, request } from 'node:http'
import { PASSWORD, send } from '../../tests/platform/kit/people.ts'
import { stack } from '../../tests/platform/kit/stack.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

/** A list that is the same for everybody: its handler does not use the person. */
const ROUTE = '/api/public/registers/resource-reservation/resource/items?limit=20'
/** Several people, because requests per person and minute are limited. */
const PEOPLE = [
  ...['admin', 'registrar', 'finance', 'hod.music', 'hod.ballet', 'hod.drama', 'hod.painting', 'hod.sculpture'],
  ...['dean.music', 'dean.visual-arts', 'lecturer.perera', 'student.nuwan', 'student.selvi', 'student.kavindi'],
]
const CLIENTS = 8
const ROUNDS = sized(120, 2)
const SAMPLE_MS = 250
const WARM_UP = sized(3000, 50)

/**
 * Ours: a route with an access token, so that the signature is verified and the account, its session, its grants and
 * its permission groups are read before the handler runs. Baseline: the same route and answer without a token. Both
 * alternate in short rounds, because the machine's speed varies.
 */
const bench: Bench = {
  title: 'authorise: requests per second with the permission check, against the same route without it',
  async run(say) {
    const { url } = stack()
    const tokens = await Promise.all(PEOPLE.map(signIn))
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    let sent = 0
    /**
     * Sends for a time and returns the requests per second. Addresses and people alternate, because limits count both.
     */
    const load = async (checked: boolean, milliseconds: number): Promise<number> => {
      const began = performance.now()
      let answered = 0
      const client = async () => {
        while (performance.now() - began < milliseconds) {
          const n = sent++
          const address = `10.${(n >> 14) & 255}.${(n >> 6) & 255}.${n & 63}`
          await get(url + ROUTE, agent, {
            'x-forwarded-for': address,
            ...(checked ? { authorization: `Bearer ${tokens[n % tokens.length]}` } : {}),
          })
          answered += 1
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))
      return (answered * 1000) / (performance.now() - began)
    }
    await load(true, WARM_UP)
    await load(false, WARM_UP)
    const ratios: number[] = []
    const rates = { checked: 0, open: 0 }
    for (let round = 1; round <= ROUNDS; round += 1) {
      // The order alternates between rounds.
      const first = await load(round % 2 === 0, SAMPLE_MS)
      const second = await load(round % 2 !== 0, SAMPLE_MS)
      const [checked, open] = round % 2 === 0 ? [first, second] : [second, first]
      rates.checked += checked / ROUNDS
      rates.open += open / ROUNDS
      ratios.push(checked / open)
      if (round % 20 === 0) say(`after ${round} rounds: ${rounded(rates.checked / rates.open)}`)
    }
    agent.destroy()
    return {
      figures: {
        'with the check per second': Math.round(rates.checked),
        'without it per second': Math.round(rates.open),
        'with to without': rounded(rates.checked / rates.open),
        'median of the rounds': rounded(percentile(ratios, 0.5)),
      },
      promises: [{ figure: 'with to without', atLeast: 0.85 }],
    }
  },
}
export default bench

async function signIn(username: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
  const { status, body: tokens } = await send('POST', '/api/auth/token', { body })
  if (status !== 200) throw new Error(`${username} cannot sign in: ${status}`)
  return tokens.access_token
}

/** One request over a keep-alive connection; any status but 200 ends the measurement. */
function get(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}
