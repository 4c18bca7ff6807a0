import { expect, test } from '@jest/globals'
import { eventTrail } from '../../api/platform/work/feed/trail.ts'

test('the feed looks back a little each time, a minute once a second, and at everything once a minute', () => {
  let now = 1_000_000
  const trail = eventTrail(() => now)
  const looks: [number, string][] = []
  for (let second = 0; second <= 125; second += 1) {
    now = 1_000_000 + second * 1_000
    trail.remember(String(second))
    looks.push([second, trail.lowWater()])
    now += 100
    looks.push([second + 0.1, trail.lowWater()])
  }
  const at = (second: number) => looks.find(([when]) => when === second)?.[1]
  expect([at(0), at(60), at(120)]).toEqual(['0', '0', '0'])
  expect([at(5.1), at(65.1), at(125.1)]).toEqual(['0', '5', '65'])
  expect([at(5), at(65), at(125)]).toEqual(['3', '63', '123'])
})
