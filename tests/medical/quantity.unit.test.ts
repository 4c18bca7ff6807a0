import { expect, test } from '@jest/globals'
import { unitsOf } from '../../api/medical/quantity.ts'
import { firstExpiredFirst } from '../../api/platform/records/stock/first-expired-first.ts'

test('a quantity is dose × times a day × days in whole units, and what is given once is one dose', () => {
  const of = (dose: string, timesADay: number, days: number, once = false) => unitsOf({ dose, timesADay, days, once })
  expect([of('1', 2, 5), of('2', 4, 3), of('1/2', 3, 5), of('1', 0.5, 5), of('4', 1, 30, true)]).toEqual([
    10, 24, 8, 3, 4,
  ])
  // 1/2 every other day for four days is one tablet, and not two because of a rounding.
  expect(of('1/2', 0.5, 4)).toBe(1)
})

test('what expires first is taken first, of the last day it is usable too, and of nothing that has expired', () => {
  const batches = [
    { id: 'late', expiresOn: '2027-06-01', free: 50 },
    { id: 'today', expiresOn: '2026-11-28', free: 4 },
    { id: 'expired', expiresOn: '2026-11-27', free: 90 },
    { id: 'empty', expiresOn: '2026-12-01', free: 0 },
    { id: 'soon', expiresOn: '2026-12-10', free: 6 },
  ]
  const of = (units: number) => firstExpiredFirst(batches, units, '2026-11-28')
  expect(of(12)).toEqual({
    taken: [
      { batch: 'today', units: 4 },
      { batch: 'soon', units: 6 },
      { batch: 'late', units: 2 },
    ],
  })
  expect(of(61)).toEqual({ left: 60 })
})

test('in 100,000 random operations no batch falls below zero, sums agree, and what expires first goes first', () => {
  // A generator of its own, so that a failure can be repeated.
  let seed = 20261128
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const days = Array.from({ length: 300 }, (_, at) => new Date(Date.UTC(2026, 0, at - 5)).toISOString().slice(0, 10))
  const dayOf = (number: number) => days[number + 6]!
  const batches = new Map<string, { id: string; expiresOn: string; free: number }>()
  const moved = new Map<string, number>()
  const move = (id: string, units: number) => {
    const batch = batches.get(id)!
    batch.free += units
    moved.set(id, (moved.get(id) ?? 0) + units)
  }
  let issued = 0
  for (let step = 0; step < 100_000; step += 1) {
    const now = Math.floor(step / 500)
    if (batches.size < 8 || random(10) === 0) {
      const id = `b${step}`
      batches.set(id, { id, expiresOn: dayOf(now + random(40) - 3), free: 0 })
      move(id, random(60))
    } else if (random(8) === 0) {
      const all = [...batches.values()]
      const one = all[random(all.length)]!
      move(one.id, random(one.free + 20) - one.free)
    } else {
      const present = [...batches.values()]
      const wanted = 1 + random(80)
      const usable = present.filter(({ expiresOn }) => expiresOn >= dayOf(now))
      const sum = usable.reduce((total, { free }) => total + free, 0)
      const found = firstExpiredFirst(present, wanted, dayOf(now))
      if ('left' in found) {
        if (sum >= wanted || found.left !== sum) throw new Error(`step ${step}: refused ${wanted} of ${sum}`)
        continue
      }
      for (const { batch, units } of found.taken) move(batch, -units)
      const last = batches.get(found.taken.at(-1)!.batch)!
      const earlier = usable.find(({ expiresOn, free }) => expiresOn < last.expiresOn && free > 0)
      if (earlier) throw new Error(`step ${step}: ${earlier.id} expires first`)
      if (found.taken.reduce((total, { units }) => total + units, 0) !== wanted) throw new Error(`step ${step}`)
      issued += 1
    }
    if (step % 20 !== 0) continue
    for (const [id, { free }] of batches) {
      if (free < 0 || free !== moved.get(id)) throw new Error(`step ${step}: ${id} holds ${free}`)
      // What is empty or long expired is forgotten, so that the test stays quick.
      if (batches.size > 20 && free === 0) batches.delete(id)
    }
    while (batches.size > 24) batches.delete([...batches.keys()][0]!)
  }
  expect(issued).toBeGreaterThan(10_000)
})
