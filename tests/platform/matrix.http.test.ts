import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Door } from '../../api/platform/edge/server/server.ts'
import type { Caller } from './kit/app.ts'
import { type Admitted, expected, lists } from './matrix/expected.ts'
import { requests } from './matrix/requests.ts'
import { type Asker, type Place, type Things, type World, buildWorld, places } from './matrix/world.ts'

// Every route × every role that could matter × an object of the asker's own, of somebody in their units, and of
// somebody elsewhere.

let world: World
beforeAll(async () => {
  world = await buildWorld()
})
afterAll(() => world?.close())

/** Refused for who they are: not signed in, not allowed, or as if it did not exist. */
const REFUSED = [401, 403, 404]
/** Streams do not end; other tests cover them. */
const STREAMS = ['getEvents']

/** A line of the table, with its access rule. */
interface Line {
  name: string
  door: Door
  admitted: Admitted
}

async function ask(line: Line, who: Caller, things: Things) {
  const { door } = line
  const { params = {}, query, body, headers } = requests[line.name]?.(things) ?? {}
  const path = door.url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no-${name}`))
  const answer = await who.send(door.method as 'GET', query ? `${path}?${query}` : path, body, headers)
  return { status: answer.statusCode, text: answer.body }
}

function mayEnter(admitted: Admitted, role: string, place: Place): boolean {
  if (admitted === 'everybody' || admitted === 'signed-in') return true
  const roles = 'own' in admitted ? admitted[place] : admitted
  return roles === 'all' || roles.includes(role)
}

function lines(): Line[] {
  const doors = new Map(world.own.app.doors.map((door) => [door.operationId, door]))
  return Object.entries(expected)
    .map(([name, admitted]) => ({ name, admitted, door: doors.get(name.split(':')[0]!)! }))
    .filter(({ name }) => !STREAMS.includes(name))
}

test('every operation has a line in the table, and every line an operation', () => {
  const operations = Object.keys(expected).filter((name) => !name.includes(':'))
  expect(operations.toSorted()).toEqual(world.own.app.doors.map((door) => door.operationId).toSorted())
})

test('a visitor has access to public operations, and to no others', async () => {
  const wrong: string[] = []
  for (const line of lines()) {
    const { status } = await ask(line, world.visitor, world.askers[0]!.things.home)
    // For a visitor an object that is not public does not exist.
    const out = status === 401 || (line.door.rule === 'public' && status === 404)
    const right = line.admitted === 'everybody' ? !REFUSED.includes(status) && status < 500 : out
    if (!right) wrong.push(`${line.name}: ${status}`)
  }
  expect(wrong).toEqual([])
})

test('a signed-in person has access as the table says; refusals reveal nothing', async () => {
  const wrong: string[] = []
  for (const [n, line] of lines().entries())
    wrong.push(...(await eachOf(askersOf(line, n), (asker) => tryDoor(line, asker))))
  expect(summed(wrong)).toEqual([])
}, 600_000)

test('lists, searches and counts contain what somebody may see, and nothing else', async () => {
  const wrong: string[] = []
  for (const path of Object.keys(lists)) wrong.push(...(await eachOf(world.askers, (asker) => tryList(path, asker))))
  expect(summed(wrong)).toEqual([])
})

/**
 * All roles, or three where the role does not matter: none, ADMIN's, and another for each line in turn. Most of those
 * lines are a person's own account, with passwords to hash.
 */
function askersOf({ admitted }: Line, n: number): Asker[] {
  if (typeof admitted !== 'string') return world.askers
  const simple = world.askers.filter(({ role }) => role === '' || role === 'ADMIN')
  const others = world.askers.filter((asker) => !simple.includes(asker))
  return [...simple, others[n % others.length]!]
}

/** A few at a time: with all at once, a slow machine would refuse some after waiting for a connection. */
async function eachOf(askers: readonly Asker[], tries: (asker: Asker) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = []
  for (let at = 0; at < askers.length; at += AT_ONCE)
    wrong.push(...(await Promise.all(askers.slice(at, at + AT_ONCE).map(tries))).flat())
  return wrong
}
const AT_ONCE = 16

async function tryDoor(line: Line, asker: Asker): Promise<string[]> {
  const { name, admitted } = line
  const wrong: string[] = []
  // If it belongs to nobody in particular, once is enough.
  for (const place of typeof admitted === 'object' && 'own' in admitted ? places : (['own'] as const)) {
    if (typeof admitted === 'object' && 'own' in admitted && admitted[place] === 'untried') continue
    const { status, text } = await ask(line, asker, asker.things[place])
    // An empty answer to a read reveals nothing.
    const entered = !REFUSED.includes(status) && !(line.door.method === 'GET' && status === 204)
    const told = `${name}, ${place}: ${status}: ${asker.role || 'no role'}`
    if (status >= 500 || entered !== mayEnter(admitted, asker.role, place)) wrong.push(told)
    else if (!entered && text.includes(asker.things[place].marker)) wrong.push(`tells a secret: ${told}`)
  }
  return wrong
}

/** Looks for each place's marker in the whole list, in a search for it, and in the search's count. */
async function tryList(path: string, asker: Asker): Promise<string[]> {
  const { admitted, searched } = lists[path]!
  const wrong: string[] = []
  const from = path.includes('?') ? `${path}&` : `${path}?`
  const whole = await everyPage(`${from}limit=100`, asker)
  for (const place of places) {
    const { marker } = asker.things[place]
    const seen = [whole.includes(marker)]
    if (searched) {
      const found = (await asker.send('GET', `${from}limit=100&search=${marker}`)).json()
      seen.push((found.items?.length ?? 0) > 0, (found.count?.value ?? 0) > 0)
    }
    if (seen.some((one) => one !== mayEnter(admitted, asker.role, place)))
      wrong.push(`${path}, ${place}: ${seen.join(', ')}: ${asker.role || 'no role'}`)
  }
  return wrong
}

async function everyPage(path: string, asker: Asker): Promise<string> {
  let text = ''
  let next: string | null = ''
  do {
    const page = await asker.send('GET', next ? `${path}&cursor=${encodeURIComponent(next)}` : path)
    if (page.statusCode >= 500) throw new Error(`${path}: ${page.statusCode}`)
    text += page.body
    next = page.json().next
  } while (next)
  return text
}

/** One line for all roles with the same deviation. */
function summed(wrong: readonly string[]): string[] {
  const roles = new Map<string, string[]>()
  for (const one of wrong) {
    const at = one.lastIndexOf(': ')
    const key = one.slice(0, at)
    roles.set(key, [...(roles.get(key) ?? []), one.slice(at + 2)])
  }
  return [...roles].map(([key, who]) => `${key}: ${who.length > 8 ? `${who.length} roles` : who.join(', ')}`)
}
