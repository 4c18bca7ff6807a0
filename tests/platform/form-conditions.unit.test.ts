import { describe, expect, test } from '@jest/globals'
import type { FormSchema } from '../../web/platform/api/types.ts'
import { fits, sendable, shownFields, startingValue } from '../../web/platform/form/conditions.ts'
import { kindOf } from '../../web/platform/form/widget.ts'

const text: FormSchema = { type: 'string', title: 'A', minLength: 1 }
const schema: FormSchema = {
  required: ['kind'],
  'x-order': ['kind', 'as', 'number', 'note', 'cars', 'sponsored'],
  properties: {
    number: { ...text, 'x-shown': 'when-required' },
    kind: { type: 'string' },
    as: { ...text, 'x-shown': 'when-required' },
    note: text,
    cars: { type: 'array', items: text },
    sponsored: { type: 'boolean', default: false },
  },
  allOf: [
    {
      if: { properties: { kind: { const: 'current' } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['as'] },
    },
    {
      if: { properties: { as: { pattern: '[Ss]tudent$' } }, required: ['as'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['number'] },
    },
  ],
}
const names = (value: object) => shownFields(schema, { ...value }).map(({ name }) => name)

describe('the fields of a form', () => {
  test('come in the order that the form names', () => {
    expect(names({})).toEqual(['kind', 'note', 'cars', 'sponsored'])
  })

  test('appear when a condition demands them, and are marked as required then', () => {
    const shown = shownFields(schema, { kind: 'current', as: 'Undergraduate Student' })
    expect(shown.filter(({ required }) => required).map(({ name }) => name)).toEqual(['kind', 'as', 'number'])
  })

  test('are shown while the form fits the schema that they name', () => {
    const shown = { properties: { kind: { enum: ['past'] } }, required: ['kind'] }
    const asks: FormSchema = { properties: { kind: { type: 'string' }, since: { ...text, 'x-shown': shown } } }
    const fields = (value: object) => shownFields(asks, { ...value }).map(({ name }) => name)
    expect([fields({}), fields({ kind: 'past' })]).toEqual([['kind'], ['kind', 'since']])
  })

  test('are sent without what a changed answer has hidden, also what only the hidden field had brought in', () => {
    const value = { kind: 'past', as: 'Undergraduate Student', number: '7', note: 'kept' }
    expect(sendable(schema, value)).toEqual({ kind: 'past', note: 'kept' })
  })

  test('are sent trimmed, and blanks are not sent at all', () => {
    expect(sendable(schema, { kind: ' past ', note: '  ', cars: ['', ' AB-1 '] })).toEqual({
      kind: 'past',
      cars: ['AB-1'],
    })
  })

  test('are sent as they were typed where they are passwords, in which a blank may be meant', () => {
    const secret: FormSchema = { properties: { word: { ...text, 'x-widget': 'password' } } }
    expect(sendable(secret, { word: ' two words ' })).toEqual({ word: ' two words ' })
  })

  test('begin with their defaults', () => {
    expect(startingValue(schema)).toEqual({ sponsored: false })
  })

  test('of another part of the form stay as they are', () => {
    expect(sendable(schema, { elsewhere: 'x' })).toEqual({ elsewhere: 'x' })
  })
})

describe('a condition', () => {
  test('that names a field does not hold while the field is missing', () => {
    const condition: FormSchema = { properties: { outcome: { const: 'reject' } }, required: ['outcome'] }
    expect(fits(condition, {})).toBe(false)
    expect(fits(condition, { outcome: 'reject' })).toBe(true)
  })

  test('may be turned round, joined and bounded', () => {
    expect(fits({ not: { const: 1 } }, 1)).toBe(false)
    expect(fits({ anyOf: [{ const: 1 }, { const: 2 }] }, 2)).toBe(true)
    expect(fits({ minimum: 3 }, 2)).toBe(false)
  })
})

describe('the widget of a field', () => {
  test.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', 'x-widget': 'textarea' }, 'textarea'],
    [{ type: 'integer', 'x-unit': 'LKR cents' }, 'money'],
    [{ type: 'string', format: 'date-time' }, 'moment'],
    [{ type: 'string', 'x-register': 'platform/faculty' }, 'register'],
    [{ enum: ['a', 'b'] }, 'radio'],
    [{ oneOf: ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ const: value })) }, 'select'],
    [{ type: 'array', items: { type: 'string', 'x-widget': 'file' } }, 'file'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
  ] as [FormSchema, string][])('of %j is %s', (field, kind) => {
    expect(kindOf(field)).toBe(kind)
  })
})
