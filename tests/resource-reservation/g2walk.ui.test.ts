import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { appendFileSync } from 'node:fs'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())
const note = (text: string) => appendFileSync('/var/tmp/g2/walk.txt', `${text}\n`)

test('walk', async () => {
  const admin = await as('admin')
  const cases = await admin.get('/api/cases?flow=resource-reservation%2Fresource-booking&limit=20')
  const list = cases.items as { id: string }[]
  const confirmed = await admin.get('/api/cases?flow=resource-reservation%2Fresource-booking&status=confirmed_booking&limit=5').catch(() => ({ items: [] }))
  const theCase = (confirmed.items[0] ?? list[0])?.id
  const res = await admin.get('/api/registers/resource-reservation/resource/items?limit=3')
  const v: Visitor = await visitors.arrives()
  const settled = async () => {
    await v.page.waitForFunction(() => document.querySelector('main h1, main h2') && !document.querySelector('main [class*=skeleton]'))
    await v.page.waitForLoadState('networkidle')
  }
  const R = '/resource_reservation'
  await v.signsIn('admin', `${R}/all_requests`)
  for (const [name, path] of [
    ['all_requests', `${R}/all_requests`],
    ['all_resoures', `${R}/all_resoures`],
    ['bookings', `${R}/bookings`],
    ['available', `${R}/available`],
    ['new_resource', `${R}/new_resource`],
    ['resource_type', `${R}/resource_type`],
    ['movable_items', `${R}/movable_items`],
    ['view_booking', `${R}/view_booking`],
    ['single', `${R}/single_reservation/${theCase}`],
    ['reserved', `${R}/reserved_reservation/${theCase}`],
    ['timeline', `${R}/timeline`],
    ['overview', `${R}/overview`],
    ['resource', `/registers/resource-reservation/resource/${res.items[0].id}`],
    ['resource-change', `/registers/resource-reservation/resource/${res.items[0].id}?change`],
  ] as const) {
    try {
      await v.page.setViewportSize({ width: 1440, height: 900 })
      await v.goes(path)
      await settled()
      await v.page.screenshot({ path: `/var/tmp/g2/shots/w-${name}-1440.png`, fullPage: true })
      await v.page.setViewportSize({ width: NARROW, height: 740 })
      await settled()
      await v.page.screenshot({ path: `/var/tmp/g2/shots/w-${name}-360.png`, fullPage: true })
      const wide = await v.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (wide) note(`${name}: wide ${wide}`)
      await expectAccessible(v.page).catch((e) => note(`${name}: ${String(e.message).slice(0, 1500)}`))
    } catch (e) {
      note(`${name}: FAILED ${String(e)}`)
    }
  }
  note(`troubles ${JSON.stringify(v.troubles())}`)
  expect(1).toBe(1)
}, 500_000)
