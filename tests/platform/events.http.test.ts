import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { announce } from '../../api/platform/kernel/db/changed.ts'
import { tokenKeys } from '../../api/platform/people/identity/token-keys.ts'
import { vault } from '../../api/platform/kernel/keys.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { until } from './kit/poll.ts'

let database: TestDatabase
let own: TestApp
let base: string
let [nuwan, head]: Caller[] = []
const seenByHead = new Set<string>()
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database, {
    visible: async (person, { cases, tasks }) =>
      person.username === 'head'
        ? { cases: cases.filter((id) => seenByHead.has(id)), tasks }
        : { cases: [], tasks: [] },
  })
  base = await own.app.listen({ host: '127.0.0.1', port: 0 })
  nuwan = await own.person('nuwan')
  head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: '12' } })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** An open stream and the hints received so far. */
async function stream(who: Caller) {
  const leaving = new AbortController()
  const response = await fetch(`${base}/api/events`, {
    headers: { authorization: `Bearer ${who.token}` },
    signal: leaving.signal,
  })
  let text = ''
  let ended = false
  const reading = (async () => {
    for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
    ended = true
  })().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
  return {
    status: response.status,
    hints: () => [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!)),
    ended: () => ended,
    async leave() {
      leaving.abort()
      await reading
    },
  }
}

test('a hint goes to the people concerned, with the cases that they may see', async () => {
  const [his, hers] = [await stream(nuwan!), await stream(head!)]
  expect([his.status, hers.status]).toEqual([200, 200])
  await until('both are listening', async () => own.hub.size() === 2)
  seenByHead.add('case-1')
  await announce(database.db, { principals: ['HOD@department:12'], cases: ['case-1', 'case-2'], tasks: [] })
  await until('the hints are there', async () => hers.hints().length > 1)
  await announce(database.db, { principals: [`user:${nuwan!.id}`], cases: [], tasks: [] })
  await until('his hint is there', async () => his.hints().length > 0)
  expect(hers.hints()).toEqual([
    { inbox: true, cases: [], tasks: [], me: false },
    { inbox: false, cases: ['case-1'], tasks: [], me: false },
  ])
  expect(his.hints()).toEqual([{ inbox: true, cases: [], tasks: [], me: false }])
  await Promise.all([his.leave(), hers.leave()])
  await until('nobody listens', async () => own.hub.size() === 0)
})

test('more than one notification can carry tells everybody to refresh', async () => {
  const his = await stream(nuwan!)
  await until('he listens', async () => own.hub.size() === 1)
  const principals = Array.from({ length: 900 }, (_, n) => `Lecturer@department:${n}`)
  await announce(database.db, { principals, cases: [], tasks: [] })
  await until('the hint is there', async () => his.hints().length > 0)
  expect(his.hints()).toEqual([{ inbox: true, cases: [], tasks: [], me: true }])
  await his.leave()
})

test('a change of rights is sent at once, and ends the hints of what was lost', async () => {
  // An administrator has to remain.
  await own.person('admin', { role: 'ADMIN' })
  const [his, hers] = [await stream(nuwan!), await stream(head!)]
  await until('both are listening', async () => own.hub.size() === 2)
  await database.db
    .updateTable('role_grant')
    .set({ ends_at: sql`now()` })
    .where('account_id', '=', head!.id)
    .execute()
  await announce(database.db, { principals: [], cases: [], tasks: [], people: [head!.id] })
  await until('she knows', async () => hers.hints().length > 0)
  await announce(database.db, { principals: ['HOD@department:12', `user:${nuwan!.id}`], cases: [], tasks: [] })
  await until('he knows', async () => his.hints().length > 0)
  expect(hers.hints()).toEqual([{ inbox: true, cases: [], tasks: [], me: true }])
  expect(his.hints()).toEqual([{ inbox: true, cases: [], tasks: [], me: false }])

  await database.db.updateTable('account').set({ active: false }).where('id', '=', head!.id).execute()
  await announce(database.db, { principals: [], cases: [], tasks: [], people: ['*'] })
  await until('her stream has ended', async () => hers.ended())
  await until('he looks again', async () => his.hints().length > 1)
  expect(his.ended()).toBe(false)
  await his.leave()
})

test('a broken connection to PostgreSQL is restored, and everybody refreshes', async () => {
  const his = await stream(nuwan!)
  await until('he listens', async () => own.hub.size() === 1)
  await database.owner.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'prakriya-api-events' and datname = current_database()`,
  )
  await until('the hint is there', async () => his.hints().length > 0)
  await announce(database.db, { principals: [`user:${nuwan!.id}`], cases: [], tasks: [] })
  await until('hints come again', async () => his.hints().length > 1)
  await his.leave()
})

test('the number of streams per person is limited', async () => {
  const open = await Promise.all(Array.from({ length: 8 }, () => stream(nuwan!)))
  const more = await fetch(`${base}/api/events`, { headers: { authorization: `Bearer ${nuwan!.token}` } })
  expect(more.status).toBe(429)
  await Promise.all(open.map((one) => one.leave()))
})

test('a stream ends with its access token, and when the API stops', async () => {
  const tokens = tokenKeys({ db: database.db, vault: vault('only for tests, and long enough for it') })
  const other = await testApp(database, { tokens })
  const address = await other.app.listen({ host: '127.0.0.1', port: 0 })
  const { payload: claims } = other.app.jwt.decode<{ payload: { sid: string } }>(nuwan!.token)!
  const { id: kid, privatePem: key } = await tokens.signing()
  const short = other.app.jwt.sign({ sub: nuwan!.id, sid: claims.sid } as never, { expiresIn: '1s', kid, key })
  const response = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${short}` } })
  expect(await response.text()).toContain('welcome') // the text is complete only when the stream has ended
  const long = await fetch(`${address}/api/events`, { headers: { authorization: `Bearer ${nuwan!.token}` } })
  const [text] = await Promise.all([long.text(), other.close()])
  expect(text).toContain('welcome')
})
