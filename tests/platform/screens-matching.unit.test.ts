import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { mayOpen } from '../../forms/platform/may-open.ts'
import { placeholderScreens, type Placeholders } from '../../forms/platform/placeholders.ts'
import { matcher, type Screen } from '../../web/platform/kernel/screens/match.ts'
import { bare, lengthened, shortened } from '../../web/platform/kernel/screens/short-screen.ts'

const screen = (route: string): Screen => ({ route, page: 'front', title: route, guard: null, built: true })
const routes = [
  '/course/create',
  '/course/{id}',
  '/hod/year-renewals/',
  '/results',
  '/ma/view-year-renewal/{id}/{year_id}',
]
const match = matcher(routes.map(screen))
const routeOf = (path: string) => match(path)?.screen.route

describe('the matcher of screens', () => {
  test('distinguishes a path with a trailing slash from one without', () => {
    expect(routeOf('/hod/year-renewals/')).toBe('/hod/year-renewals/')
    expect(routeOf('/hod/year-renewals')).toBeUndefined()
    expect(routeOf('/results/')).toBeUndefined()
  })

  test('distinguishes capital letters from small ones', () => {
    expect(routeOf('/Results')).toBeUndefined()
  })

  test('prefers a literal segment over a parameter in the same place', () => {
    expect(routeOf('/course/create')).toBe('/course/create')
    expect(routeOf('/course/12')).toBe('/course/{id}')
  })

  test('returns the parameters, decoded, and leaves invalid encodings alone', () => {
    expect(match('/ma/view-year-renewal/a%2Fb/2026')?.params).toEqual({ id: 'a/b', year_id: '2026' })
    expect(match('/course/100%')?.params).toEqual({ id: '100%' })
  })

  test('leaves no parameter empty', () => {
    expect(routeOf('/course/')).toBeUndefined()
  })

  test('matches no other paths', () => {
    expect(routeOf('/course/1/2')).toBeUndefined()
    expect(routeOf('/nowhere')).toBeUndefined()
  })
})

describe('the pages that are not built', () => {
  const root = join(import.meta.dirname, '../..')
  const library = loadLibrary(root)
  const placeholders = JSON.parse(readFileSync(join(root, 'forms/platform/placeholders.json'), 'utf8')) as Placeholders
  const lines = Object.entries(placeholders).flatMap(([area, list]) => list.map((line) => ({ area, ...line })))
  // The screens as browsers get them: those of the areas, and the placeholders.
  const built = library.screens.filter((one) => one.built).map((one) => lengthened('x', shortened('x', one as Screen)))
  const inBrowser = matcher([...built, ...placeholderScreens(bare(placeholders))])

  test.each(lines)('$route is found by its address, shows its name, and is for its own audience', (line) => {
    const { route, guard, roles, title, area } = line
    const found = inBrowser(route.replaceAll(/\{\w+\}/g, '5'))!
    expect(found.screen).toEqual({
      route,
      page: 'not-built',
      title: expect.any(String),
      guard,
      ...(roles && { roles }),
      built: false,
    })
    expect(found.screen.title.startsWith(`${area}.screen.`)).toBe(true)
    expect(library.text(found.screen.title)).toBe(title.en)
    // The API, which lists a group's pages, finds it as the browser does.
    expect(library.screens.filter((one) => one.route === route)).toEqual([found.screen])
    const nobody = { seesAll: false, groups: [], grants: [] }
    const open = guard === null || guard === 'none' || guard === 'public'
    expect(mayOpen(nobody, found.screen)).toBe(open && !roles)
    expect(mayOpen({ ...nobody, seesAll: true }, found.screen)).toBe(true)
    if (!open)
      expect(
        mayOpen({ ...nobody, groups: [guard], grants: (roles ?? []).map((role) => ({ role })) }, found.screen),
      ).toBe(true)
    for (const role of roles ?? [])
      expect(mayOpen({ ...nobody, groups: open ? [] : [guard], grants: [{ role }] }, found.screen)).toBe(true)
  })

  test('have one line each, in no area that shows them itself', () => {
    expect(new Set(lines.map(({ route }) => route)).size).toBe(lines.length)
    const shown = new Set(built.map(({ route }) => route))
    expect(lines.filter(({ route }) => shown.has(route))).toEqual([])
    const text = readFileSync(join(root, 'forms/platform/placeholders.json'), 'utf8')
    expect(text.split('\n').filter((line) => line.includes('"route"'))).toHaveLength(lines.length)
  })
})
