import { expect, test } from '@jest/globals'
import { as, send } from './kit/people.ts'
import { stack } from './kit/stack.ts'

const page = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const { status, headers: given, body } = await send('GET', path, { headers })
  expect({ path, status, type: given.get('content-type') }).toEqual({
    path,
    status: 200,
    type: 'text/html; charset=utf-8',
  })
  return body
}
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found)
const titleOf = (html: string) => all(html, /<title>([^<]*)<\/title>/g)
const descriptionOf = (html: string) => all(html, /<meta name="description" content="([^"]*)"/g)
const hidden = (html: string) => html.includes('<meta name="robots" content="noindex" />')

test('a public page says what it is before any script runs, in the language that is asked for or preferred', async () => {
  const { url } = stack()
  const html = await page('/all_resoures')
  expect({ title: titleOf(html), hidden: hidden(html), language: all(html, /<html lang="(\w+)">/g) }).toEqual({
    title: ['Resources Available for Reservation · Prakriya'],
    hidden: false,
    language: ['en'],
  })
  expect(all(html, /<link rel="(?:canonical|alternate)"([^>]*)>/g)).toEqual([
    ` href="${url}/all_resoures" /`,
    ` hreflang="en" href="${url}/all_resoures" /`,
    ` hreflang="si" href="${url}/all_resoures?hl=si" /`,
    ` hreflang="ta" href="${url}/all_resoures?hl=ta" /`,
    ` hreflang="x-default" href="${url}/all_resoures" /`,
  ])
  const asked = await page('/all_resoures?hl=si')
  const preferred = await page('/all_resoures', { 'accept-language': 'si-LK,si;q=0.9,en;q=0.8' })
  for (const one of [asked, preferred]) {
    expect(one).toContain('<html lang="si">')
    expect(descriptionOf(one)[0]).toMatch(/[඀-෿]/)
  }
  expect(asked).toContain(`<link rel="canonical" href="${url}/all_resoures?hl=si" />`)
})

test('the first page names the university, also to readers without scripts', async () => {
  for (const path of ['/', '/public/home']) {
    const html = await page(path)
    expect(titleOf(html)).toEqual(['University of Visual and Performing Arts · Prakriya'])
    const [data] = all(html, /<script type="application\/ld\+json">([^<]*)<\/script>/g)
    expect(JSON.parse(data!)).toMatchObject({ '@type': 'CollegeOrUniversity', url: stack().url })
    expect(html).toMatch(/<noscript><h1>University of Visual and Performing Arts · Prakriya<\/h1>/)
  }
})

test('the page of a public entry has its title; what is not public, or behind the sign-in, is not told', async () => {
  const admin = await as('admin')
  const { items } = await admin.get('/api/public/registers/resource-reservation/resource/items?limit=1')
  const html = await page(`/resource_calendar/${items[0].id}`)
  expect({ title: titleOf(html), hidden: hidden(html) }).toEqual({
    title: [`${items[0].title} · Prakriya`],
    hidden: false,
  })
  const { items: graduates } = await admin.get('/api/registers/students/graduate/items?limit=1')
  for (const path of [
    '/resource_calendar/00000000-0000-7000-8000-000000000000',
    '/resource_calendar/everything',
    `/public/graduates/${graduates[0].id}`,
    '/answer/a-secret-of-somebody',
    '/inbox',
    '/no/such/page',
  ])
    expect({ path, hidden: hidden(await page(path)) }).toEqual({ path, hidden: true })
  expect(titleOf(await page('/inbox'))).toEqual(['Prakriya'])
  expect(await page(`/public/graduates/${graduates[0].id}`)).not.toContain(graduates[0].title)
})

test('an address cannot put its own words into the head', async () => {
  const html = await page(`/answer/${encodeURIComponent('"><script>alert(1)</script>')}?hl=%22%3E%3Cscript%3E`)
  expect(html).not.toContain('alert(1)')
  for (const odd of ['//[', '/%', '/all_resoures?%']) expect((await send('GET', odd)).status).toBeLessThan(500)
  expect(html).toContain('<html lang="en">')
})

test('search engines find a site map of all public pages and entries, and no page of a person', async () => {
  const { url } = stack()
  const { body: robots } = await send('GET', '/robots.txt')
  expect(robots.split('\n')).toEqual([
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /public/graduates',
    `Sitemap: ${url}/sitemap.xml`,
    '',
  ])
  const { body: map, headers } = await send('GET', '/sitemap.xml')
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
  const found = all(map, /<loc>([^<]*)<\/loc>/g)
  const { items } = await (await as('admin')).get('/api/public/registers/recruitment/vacancy/items?limit=100')
  expect(found).toEqual(
    expect.arrayContaining([
      `${url}/public/home`,
      `${url}/all_resoures`,
      ...items.map(({ id }: { id: string }) => `${url}/jobvacancy/${id}`),
    ]),
  )
  expect(items.length).toBeGreaterThan(0)
  expect(found.filter((one) => /session|graduates|inbox|\{/.test(one!))).toEqual([])
})
