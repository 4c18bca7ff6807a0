import { describe, expect, test } from '@jest/globals'
import { matcher, type Screen } from '../../web/platform/router/match.ts'

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
  test('tells a path with a trailing slash from one without', () => {
    expect(routeOf('/hod/year-renewals/')).toBe('/hod/year-renewals/')
    expect(routeOf('/hod/year-renewals')).toBeUndefined()
    expect(routeOf('/results/')).toBeUndefined()
  })

  test('tells capital letters from small ones', () => {
    expect(routeOf('/Results')).toBeUndefined()
  })

  test('prefers a word that stands in a route over a hole in the same place', () => {
    expect(routeOf('/course/create')).toBe('/course/create')
    expect(routeOf('/course/12')).toBe('/course/{id}')
  })

  test('gives what stands in the holes, decoded, and leaves alone what is not an encoding', () => {
    expect(match('/ma/view-year-renewal/a%2Fb/2026')?.params).toEqual({ id: 'a/b', year_id: '2026' })
    expect(match('/course/100%')?.params).toEqual({ id: '100%' })
  })

  test('leaves no hole empty', () => {
    expect(routeOf('/course/')).toBeUndefined()
  })

  test('knows nothing of other paths', () => {
    expect(routeOf('/course/1/2')).toBeUndefined()
    expect(routeOf('/nowhere')).toBeUndefined()
  })
})
