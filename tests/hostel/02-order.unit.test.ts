import { expect, test } from '@jest/globals'
import { type Bed, type Candidate, bedsInOrder } from '../../api/hostel/rooms.ts'

const aCandidate = (reference: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ reference, student: `of ${reference}`, list: 1, special: false, points: 50, km: 100, year: 2 },
  ...more,
})

const aBed = (roomNumber: string, bed: number, more: Partial<Bed> = {}): Bed => ({
  ...{ hostel: 'h', hostelCode: 'H', room: roomNumber, roomNumber, floor: 1, bed, accessible: false, year: null },
  ...more,
})

const placesOf = (candidates: Candidate[], beds: Bed[]) =>
  Object.fromEntries([...bedsInOrder(candidates, beds)].map(([who, { roomNumber, bed }]) => [who, [roomNumber, bed]]))

test('points come first, then the distance, then the number of the application', () => {
  const candidates = [
    aCandidate('4'),
    aCandidate('3'),
    aCandidate('2', { km: 200 }),
    aCandidate('1', { points: 40, km: 400 }),
    aCandidate('5', { points: 60, km: 30 }),
  ]
  const beds = [aBed('A', 1), aBed('A', 2), aBed('B', 1), aBed('B', 2)]
  expect(placesOf(candidates, beds)).toEqual({ 5: ['A', 1], 2: ['A', 2], 3: ['B', 1], 4: ['B', 2] })
})

test('an accepted disability comes before all points, and gets an accessible room or none', () => {
  const special = aCandidate('9', { special: true, points: 10 })
  const beds = [aBed('A', 1), aBed('W', 1, { accessible: true })]
  expect(placesOf([aCandidate('1'), aCandidate('2'), special], beds)).toEqual({ 9: ['W', 1], 1: ['A', 1] })
  expect(placesOf([special], [aBed('A', 1)])).toEqual({})
})

test('a room for one year takes students of that year only, and they get it first', () => {
  const beds = [aBed('A', 1), aBed('F', 1, { year: 1, floor: 3 })]
  expect(placesOf([aCandidate('1', { year: 1 }), aCandidate('2')], beds)).toEqual({ 1: ['F', 1], 2: ['A', 1] })
  expect(placesOf([aCandidate('2')], beds.slice(1))).toEqual({})
})

test('who is given their bed first makes no difference', () => {
  const candidates = Array.from({ length: 12 }, (_, at) =>
    aCandidate(`${at}`, { special: at % 5 === 0, points: (at * 7) % 40, year: (at % 4) + 1 }),
  )
  const beds = ['A', 'B', 'W'].flatMap((room) =>
    [1, 2, 3].map((bed) => aBed(room, bed, { accessible: room === 'W', year: room === 'B' ? 1 : null })),
  )
  const atOnce = bedsInOrder(candidates, beds)
  const left = { candidates: candidates.toReversed(), beds: [...beds] }
  for (const { reference } of candidates.toReversed()) {
    const bed = bedsInOrder(left.candidates, left.beds).get(reference)
    expect(bed).toEqual(atOnce.get(reference))
    if (!bed) continue
    left.candidates = left.candidates.filter((one) => one.reference !== reference)
    left.beds = left.beds.filter((one) => one !== bed)
  }
})

test('of intakes whose stays overlap, the one that closed first comes first, whatever the points', () => {
  const later = aCandidate('1', { list: 2, points: 100, special: true })
  const beds = [aBed('A', 1, { accessible: true }), aBed('A', 2)]
  expect(placesOf([later, aCandidate('2', { points: 10 })], beds)).toEqual({ 2: ['A', 2], 1: ['A', 1] })
  expect(placesOf([later, aCandidate('2', { points: 10 })], [aBed('A', 1)])).toEqual({ 2: ['A', 1] })
})

test('a student who is in two lists gets one bed, of the first list that has one', () => {
  const twice = { student: 'one' }
  const candidates = [
    aCandidate('3', { ...twice, list: 2, points: 90 }),
    aCandidate('1', twice),
    aCandidate('2', { list: 2, points: 10 }),
  ]
  expect(placesOf(candidates, [aBed('A', 1), aBed('A', 2)])).toEqual({ 1: ['A', 1], 2: ['A', 2] })
  // Without a bed that suits them in the first list, they are in the second one.
  const special = candidates.map((one) => (one.reference === '1' ? { ...one, special: true } : one))
  expect(placesOf(special, [aBed('A', 1)])).toEqual({ 3: ['A', 1] })
})
