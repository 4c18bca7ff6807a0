import { expect, test } from '@jest/globals'
import { decodeNic, longNic } from '../../forms/platform/nic.ts'

test('a number says when its holder was born, and their sex, in both of its forms', () => {
  expect(decodeNic('741234567V')).toEqual({ bornOn: '1974-05-02', sex: 'male' })
  expect(decodeNic(' 746234567v ')).toEqual({ bornOn: '1974-05-02', sex: 'female' })
  expect(decodeNic('197412304567')).toEqual({ bornOn: '1974-05-02', sex: 'male' })
  expect(decodeNic('200556101234')).toEqual({ bornOn: '2005-03-01', sex: 'female' })
})

test('every year counts as a leap year, so day 60 exists in leap years only', () => {
  expect(decodeNic('200406001234')?.bornOn).toBe('2004-02-29')
  expect(decodeNic('200506001234')).toBeUndefined()
  expect(decodeNic('200506101234')?.bornOn).toBe('2005-03-01')
  expect(decodeNic('200536601234')?.bornOn).toBe('2005-12-31')
})

test('a number whose day does not exist is nobody’s', () => {
  for (const nic of ['200500001234', '200536701234', '200550001234', '200586701234', 'not a number', '12'])
    expect(decodeNic(nic)).toBeUndefined()
})

test('the old and the new form of a number name one person', () => {
  expect(longNic('741234567v')).toBe('197412304567')
  expect(longNic('741234567X')).toBe('197412304567')
  expect(longNic('197412304567')).toBe('197412304567')
})
