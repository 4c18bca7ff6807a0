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
  for (const [n, line] of lines().entries()) wrong.push(...(await tryLine(line, n)))
  expect(summed(wrong)).toEqual([])
}, 600_000)

test('lists, searches and counts contain what somebody may see, and nothing else', async () => {
  const wrong: string[] = []
  for (const path of Object.keys(lists)) wrong.push(...(await eachOf(world.askers, (asker) => tryList(path, asker))))
  expect(summed(wrong)).toEqual([])
})

/** The operations on runs. They belong to no unit: who may do something holds the role in none either. */
const RUNS = /^(?:get|list|export|print|sign|number)Run|RunLine$/

/** The roles that see everything; they do so by rules of their own. */
const OVERSEERS = ['ADMIN', 'SA']

/**
 * Rights only add up. Where everybody gets in, three try: no role, ADMIN's, and another for each line in turn. Elsewhere
 * each role that is let in tries alone, and all others at once, held by one person: if that one is refused, so is each.
 * Overseers, no role, and two others in turn try alone in any case.
 */
async function tryLine(line: Line, n: number): Promise<string[]> {
  const { admitted } = line
  const byPlace = typeof admitted === 'object' && 'own' in admitted
  const wrong: string[] = []
  // If it belongs to nobody in particular, once is enough.
  for (const place of byPlace ? places : (['own'] as const)) {
    const letIn = byPlace ? admitted[place] : admitted
    if (letIn === 'untried') continue
    const tries = (asker: Asker) => tryDoor(line, place, asker)
    const simple = world.askers.filter(({ role }) => role === '' || OVERSEERS.includes(role))
    const held = world.askers.filter((asker) => !simple.includes(asker))
    const universal = RUNS.test(line.name) ? world.universal : []
    const others = [...universal, ...held.filter(({ role }) => !universal.some((one) => one.role === role))]
    if (typeof letIn === 'string') {
      wrong.push(...(await eachOf([...simple, others[n % others.length]!], tries)))
      continue
    }
    const refused = others.filter(({ role }) => !letIn.includes(role))
    const some = [0, 1].map((more) => refused[(2 * n + more) % refused.length]!)
    const alone = others.filter((asker) => letIn.includes(asker.role) || universal.includes(asker))
    wrong.push(...(await eachOf([...simple, ...alone, ...some], tries)))
    const together = await tries(await world.holding(refused.map(({ role }) => role)))
    if (together.length > 0) wrong.push(...together, ...(await eachOf(refused, tries)))
  }
  return wrong
}

/** A few at a time: with all at once, a slow machine would refuse some after waiting for a connection. */
async function eachOf(askers: readonly Asker[], tries: (asker: Asker) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = []
  for (let at = 0; at < askers.length; at += AT_ONCE)
    wrong.push(...(await Promise.all(askers.slice(at, at + AT_ONCE).map(tries))).flat())
  return wrong
}
const AT_ONCE = 16

async function tryDoor(line: Line, place: Place, asker: Asker): Promise<string[]> {
  const { name, admitted, door } = line
  const { status, text } = await ask(line, asker, asker.things[place])
  // An empty answer to a read reveals nothing.
  const entered = !REFUSED.includes(status) && !(door.method === 'GET' && status === 204)
  const told = `${name}, ${place}: ${status}: ${asker.role || 'no role'}`
  if (status >= 500 || entered !== mayEnter(admitted, asker.role, place)) return [told]
  return !entered && text.includes(asker.things[place].marker) ? [`tells a secret: ${told}`] : []
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
