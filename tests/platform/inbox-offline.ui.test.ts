import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { aBooking, aRoom, BOOKING, type Hall } from '../resource-reservation/booking.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { as, send } from './kit/people.ts'
import { until } from './kit/poll.ts'

const HEAD = 'hod.western-music'

let visitors: Visitors
let reader: Visitor
let room: Hall

beforeAll(async () => {
  room = await aRoom()
  const student = await as('student.nuwan')
  const booking = await student.submit(BOOKING, aBooking(room, { event: 'Evening of ragas' }))
  await (await as(HEAD)).task(booking)
  visitors = await openBrowser()
  reader = await visitors.arrives({ width: NARROW })
})

afterAll(() => visitors?.close())

/** The data stored on this device, by cache name. */
const kept = ({ page }: Visitor): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const stores = await caches.keys()
    const paths = async (name: string) =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    return Object.fromEntries(await Promise.all(stores.map(async (name) => [name, await paths(name)] as const)))
  })

test('the app can be installed: it has a manifest, and icons of the sizes it names', async () => {
  const manifest = (await send('GET', '/app.webmanifest')).body
  const { start_url: start, display, icons } = typeof manifest === 'string' ? JSON.parse(manifest) : manifest
  expect({ start, display }).toEqual({ start: '/inbox', display: 'standalone' })
  await reader.opens('/session/signin')
  const sizes = await reader.page.evaluate(async (all: { src: string; sizes: string; type: string }[]) => {
    const drawn = all.filter(({ type }) => type === 'image/png')
    return Promise.all(
      drawn.map(async ({ src, sizes: size }) => {
        const { width, height } = await createImageBitmap(await (await fetch(src)).blob())
        return { src, size, drawn: `${width}x${height}` }
      }),
    )
  }, icons)
  expect(sizes.length).toBe(3)
  expect(sizes.filter(({ size, drawn }) => size !== drawn)).toEqual([])
  const session = await reader.page.context().newCDPSession(reader.page)
  expect((await session.send('Page.getAppManifest')).errors).toEqual([])
  expect(reader.troubles()).toEqual([])
})

test('the last list can be read offline, says how old it is, and updates by itself', async () => {
  const { page } = reader
  await reader.signsIn(HEAD, '/inbox')
  const row = page.getByRole('link', { name: new RegExp(`${room.title}.*Evening of ragas`) })
  await row.waitFor()
  await until('the app and the list are kept', async () => {
    const { 'prakriya.app': app = [], 'prakriya.seen': seen = [] } = await kept(reader)
    return app.includes('/') && app.length > 10 && seen.length === 1
  })
  expect(reader.troubles()).toEqual([])

  await page.context().setOffline(true)
  await page.reload()
  await reads(page, /^Offline, as of \w{3} \d+ \w+ \d{4}, \d\d:\d\d\.$/)
  await reads(page, new RegExp(`${room.title}.*Evening of ragas`))
  expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
  await reader.picture('inbox-offline')
  await expectAccessible(page)

  await page.context().setOffline(false)
  await row.waitFor()
  // Failed requests are expected offline.
  expect(reader.troubles().filter((each) => !/ERR_INTERNET_DISCONNECTED/.test(each))).toEqual([])
})

test('signing out leaves nothing of it on the device', async () => {
  const { page } = reader
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL('**/session/signin*')
  // The content of the caches: opening one that is being deleted would create it again, empty.
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await until('nothing is kept', async () => {
    expect([...Object.values(await kept(reader)).flat(), await workers()]).toEqual([0])
    return true
  })
  await page.context().setOffline(true)
  await expect(page.goto('/inbox')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
})
