import { expect, test } from '@jest/globals'
import { freeNumbers, placesOf } from '../../api/students/subject-seats.ts'

const taken = (...numbers: number[]) => numbers.map((number) => ({ number }))

test('a place is free only while fewer are taken than there are, also after the limit was lowered', () => {
  expect(freeNumbers(3, taken(2))).toEqual([1, 3])
  expect(freeNumbers(3, taken(1, 2, 3))).toEqual([])
  // Five were taken when the limit fell to three; one of them is given back.
  expect(freeNumbers(3, taken(1, 2, 4, 5))).toEqual([])
  expect(freeNumbers(3, taken(4, 5))).toEqual([1])
})

test('of two limits of one subject the smaller counts', () => {
  expect(
    placesOf([
      { subject: 'a', places: 3 },
      { subject: 'a', places: 2 },
    ]).get('a'),
  ).toBe(2)
  expect(placesOf().size).toBe(0)
})
