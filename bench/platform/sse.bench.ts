import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { announce } from '../../api/platform/kernel/db/changed.ts'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { grantRole } from '../../api/platform/people/identity/accounts.ts'
import { hashPassword } from '../../api/platform/people/identity/password.ts'
import { PASSWORD, send } from '../../tests/platform/kit/people.ts'
import { until } from '../../tests/platform/kit/poll.ts'
import { anAccount } from '../../tests/platform/kit/rows.ts'
import { pidOf, stack } from '../../tests/platform/kit/stack.ts'
import type { Bench } from '../main.ts'
import { percentile, rounded, sized } from './results.ts'

const FEW = sized(10, 2)
const MANY = sized(1000, 4)
/** Most streams of one person. */
const STREAMS_PER_PERSON = 8
const EVENTS = sized(40, 2)
/** A role that only the listeners hold: a change of its tasks concerns all of them. */
const ROLE = 'Bench Listener'

/** An open stream, as a browser has it. */
interface Listener {
  /** Resolves with the time of the next hint. */
  next(): Promise<number>
  close(): void
}

/**
 * A change that concerns all listeners, from just before its notification until each has the hint: with ten listeners,
 * and with a thousand. And the API's memory for each of the thousand.
 */
const bench: Bench = {
  title: 'sse: from a change to the hint at each of 1,000 listeners, against 10; memory of each',
  async run(say) {
    const database = connect(stack().databaseUrl, { name: 'sse-bench', max: 4 })
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
    const listeners: Listener[] = []
    try {
      const tokens = await people(database, Math.ceil(MANY / STREAMS_PER_PERSON))
      const open = async (count: number) => {
        while (listeners.length < count)
          listeners.push(
            await listen(agent, tokens[Math.floor(listeners.length / STREAMS_PER_PERSON)]!, listeners.length),
          )
      }
      await open(FEW)
      await heard(database, listeners, 10)
      const few = await heard(database, listeners, EVENTS)
      const before = await memoryOfApi()
      await open(MANY)
      await heard(database, listeners, 3)
      const after = await memoryOfApi()
      say(`${MANY} streams are open; the API has ${Math.round(after / 2 ** 20)} MiB`)
      const many = await heard(database, listeners, EVENTS)
      const figures = {
        [`p50 ms, ${FEW} listeners`]: rounded(percentile(few, 0.5)),
        [`p95 ms, ${FEW} listeners`]: rounded(percentile(few, 0.95)),
        [`p50 ms, ${MANY} listeners`]: rounded(percentile(many, 0.5)),
        [`p95 ms, ${MANY} listeners`]: rounded(percentile(many, 0.95)),
        'KiB per listener': rounded((after - before) / 1024 / (MANY - FEW)),
      }
      return {
        figures,
        promises: [
          { figure: `p95 ms, ${MANY} listeners`, atMost: 500 },
          { figure: 'KiB per listener', atMost: 128 },
        ],
      }
    } finally {
      for (const one of listeners) one.close()
      agent.destroy()
      await database.close()
    }
  },
}
export default bench

/** Signs in a number of people with the role; returns their tokens. */
async function people({ db }: Database, count: number): Promise<string[]> {
  const passwordHash = await hashPassword(PASSWORD)
  const tokens: string[] = []
  for (let n = 0; n < count; n += 1) {
    const username = `sse-${n}`
    await grantRole(db, await anAccount(db, { username, passwordHash }), { role: ROLE })
    const body = new URLSearchParams({ grant_type: 'password', username, password: PASSWORD })
    const answer = await send('POST', '/api/auth/token', { body, headers: { 'x-forwarded-for': addressOf(n) } })
    if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.status}`)
    tokens.push(answer.body.access_token)
  }
  return tokens
}

/** Every person has a different address. */
const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`

async function listen(agent: Agent, token: string, n: number): Promise<Listener> {
  let woken = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': addressOf(n) }
  const asked = request(`${stack().url}/api/events`, { agent, headers })
  const answer = await new Promise<IncomingMessage>((done, failed) => {
    asked.once('response', done).once('error', failed).end()
  })
  if (answer.statusCode !== 200) throw new Error(`a stream was refused: ${answer.statusCode}`)
  answer.on('data', (chunk: Buffer) => {
    if (chunk.includes('"inbox":true')) woken.resolve(performance.now())
  })
  answer.on('error', (error) => woken.reject(error))
  return {
    next() {
      woken = Promise.withResolvers()
      return woken.promise
    },
    close() {
      answer.removeAllListeners('error').on('error', () => undefined)
      asked.destroy()
    },
  }
}

/** Milliseconds until each listener has each of a number of sequential changes. */
async function heard({ db }: Database, listeners: readonly Listener[], events: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < events; n += 1) {
    const all = listeners.map((one) => one.next())
    const began = performance.now()
    await announce(db, { principals: [ROLE], cases: [], tasks: [] })
    times.push(...(await Promise.all(all)).map((at) => at - began))
  }
  return times
}

/** Resident memory of the idle API in bytes. */
async function memoryOfApi(): Promise<number> {
  const now = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pidOf('api')}/status`, 'utf8'))![1]) * 1024
  let last = now()
  await until(
    'the API rests',
    async () => {
      const [before, present] = [last, now()]
      last = present
      return Math.abs(present - before) < 2 ** 20
    },
    { everyMilliseconds: sized(2000, 200) },
  )
  return last
}
