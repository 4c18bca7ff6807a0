import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { effectiveAnswers, fits, formState } from '../../forms/platform/answers.ts'
import type { FormSchema } from '../../web/platform/kernel/client/types.ts'
import { sendable, shownFields, startingValue } from '../../web/platform/kernel/form/conditions.ts'
import { kindOf } from '../../web/platform/kernel/form/widget.ts'
import { deskOf } from '../../web/platform/work/case/outcomes.ts'

const { forms } = loadLibrary(join(import.meta.dirname, '../..'))

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
  test('come in the order of the form', () => {
    expect(names({})).toEqual(['kind', 'note', 'cars', 'sponsored'])
  })

  test('appear when a condition requires them, and are marked as required then', () => {
    const shown = shownFields(schema, { kind: 'current', as: 'Undergraduate Student' })
    expect(shown.filter(({ required }) => required).map(({ name }) => name)).toEqual(['kind', 'as', 'number'])
  })

  test('are shown while the form fits the schema that they name', () => {
    const shown = { properties: { kind: { enum: ['past'] } }, required: ['kind'] }
    const asks: FormSchema = { properties: { kind: { type: 'string' }, since: { ...text, 'x-shown': shown } } }
    const fields = (value: object) => shownFields(asks, { ...value }).map(({ name }) => name)
    expect([fields({}), fields({ kind: 'past' })]).toEqual([['kind'], ['kind', 'since']])
  })

  test('are sent without what a changed answer has hidden, or what only a hidden field had required', () => {
    const value = { kind: 'past', as: 'Undergraduate Student', number: '7', note: 'kept' }
    expect(sendable(schema, value)).toEqual({ kind: 'past', note: 'kept' })
  })

  test('are sent trimmed, and blank ones are not sent', () => {
    expect(sendable(schema, { kind: ' past ', note: '  ', cars: ['', ' AB-1 '] })).toEqual({
      kind: 'past',
      cars: ['AB-1'],
    })
  })

  test('are sent untrimmed if they are passwords', () => {
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

describe('a hidden answer', () => {
  const booking = forms.get('resource-reservation/booking-request')!.schema as FormSchema
  const before = { association_to_uni: 'current', associated_as: 'Undergraduate Student', reg_no: 'FM/2024/017' }
  const after = { ...before, association_to_uni: 'not_associated', poc_designation: 'Director' }

  test('requires nothing: people who are not associated are asked for a designation and no student number', () => {
    const shown = shownFields(booking, after)
    expect(shown.find(({ name }) => name === 'poc_designation')?.required).toBe(true)
    expect(shown.map(({ name }) => name)).not.toContain('reg_no')
  })

  test('removes an answer that is shown again without it', () => {
    const kept = { association_to_uni: 'not_associated', poc_designation: 'Director' }
    expect([sendable(booking, after), effectiveAnswers(booking, after)]).toEqual([kept, kept])
  })

  test('does not count in the rows of a list either, each by its own answers', () => {
    const rows: FormSchema = { properties: { rows: { type: 'array', items: schema } } }
    const [hidden, shown] = [
      { kind: 'past', as: 'Student' },
      { kind: 'current', as: 'Lecturer' },
    ]
    expect(effectiveAnswers(rows, { rows: [hidden, shown] })).toEqual({ rows: [{ kind: 'past' }, shown] })
  })

  test('counts if no page asks for it and a program sends it', () => {
    const asked: FormSchema = { properties: { number: { ...text, 'x-shown': 'never' } } }
    expect([shownFields(asked, { number: '7' }), effectiveAnswers(asked, { number: '7' })]).toEqual([
      [],
      { number: '7' },
    ])
  })
})

describe('generated conditions', () => {
  const values = ['a', 'b', 3]
  const value = fc.constantFrom(...values)

  /** A rule for one value. */
  const rule: fc.Arbitrary<FormSchema> = fc.oneof(
    value.map((one) => ({ const: one })),
    fc.uniqueArray(value, { minLength: 1 }).map((some) => ({ enum: some })),
    fc.constantFrom<FormSchema>(
      { pattern: '^a' },
      { type: 'string' },
      { minimum: 3 },
      { exclusiveMinimum: 3 },
      { maxLength: 0 },
      { not: { const: 'a' } },
      { oneOf: [{ const: 'a' }, { type: 'string' }] },
    ),
  )
  /** A condition on some of these fields. */
  const condition = (among: readonly string[]): fc.Arbitrary<FormSchema> => {
    const name = fc.constantFrom(...among)
    const plain = fc.record({ properties: fc.dictionary(name, rule, { minKeys: 1 }), required: fc.uniqueArray(name) })
    return fc.oneof(
      plain,
      plain.map((one) => ({ not: one })),
      fc.tuple(plain, plain).map((some) => ({ anyOf: some })),
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      fc.tuple(plain, plain, plain).map(([one, two, three]) => ({ if: one, then: two, else: three })),
      plain.map(({ required }) => ({ dependentRequired: { [among[0]!]: required } })),
    )
  }
  const fields = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

  /** A form in which every field depends only on earlier ones, in an unrelated display order. */
  const aForm: fc.Arbitrary<FormSchema> = fc
    .tuple(
      ...fields.slice(1).map((name, before) =>
        fc.record({
          name: fc.constant(name),
          shown: fc.constantFrom('condition', 'when-required', undefined),
          when: condition(fields.slice(0, before + 1)),
          otherwise: fc.boolean(),
        }),
      ),
      fc.shuffledSubarray(fields, { minLength: fields.length }),
    )
    .map((parts) => {
      const order = parts.at(-1) as string[]
      const asked = parts.slice(0, -1) as { name: string; shown?: string; when: FormSchema; otherwise: boolean }[]
      const hint = ({ shown, when }: (typeof asked)[number]) => (shown === 'condition' ? when : shown)
      const properties = new Map<string, FormSchema>(
        asked.map((one) => [one.name, one.shown === undefined ? {} : { 'x-shown': hint(one) }]),
      )
      return {
        properties: Object.fromEntries(order.map((name) => [name, properties.get(name) ?? {}])),
        allOf: asked.map(({ name, when, otherwise }) => ({
          if: when,
          [otherwise ? 'else' : 'then']: { required: [name] },
        })),
      }
    })
  const answers = fc.dictionary(fc.constantFrom(...fields), value)

  test('agree with the check of the whole form', () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    fc.assert(
      fc.property(condition(fields), answers, (rules, given) => {
        expect(fits(rules, given)).toBe(ajv.compile(rules)(given))
      }),
      { numRuns: 300 },
    )
  })

  test('leave exactly the answers shown by the remaining ones', () => {
    fc.assert(
      fc.property(aForm, answers, (form, given) => {
        const { data, shown, required } = formState(form, given)
        expect(data).toEqual(Object.fromEntries(Object.entries(given).filter(([name]) => shown.has(name))))
        expect(formState(form, data)).toEqual({ data, shown, required })
        expect(new Set(shownFields(form, given).map(({ name }) => name))).toEqual(shown)
        expect(sendable(form, given)).toEqual(data)
      }),
      { numRuns: 300 },
    )
  })

  test('that form a cycle leave nothing that they hide', () => {
    const on = (name: string, when: FormSchema): FormSchema => ({
      'x-shown': { properties: { [name]: when }, required: [name] },
    })
    const circle: FormSchema = {
      properties: { first: on('second', {}), second: { 'x-shown': { not: { required: ['first'] } } } },
    }
    const { data, shown } = formState(circle, { first: 'a', second: 'b' })
    expect(Object.keys(data).filter((name) => !shown.has(name))).toEqual([])
  })
})

describe.each([...forms].map(([key, form]) => ({ key, schema: form.schema as FormSchema })))('$key', (form) => {
  /** An answer that a person, or a program, may send for a field. */
  const answered = (field: FormSchema): fc.Arbitrary<unknown> => {
    const known = [...(field.oneOf ?? []).map((each) => each.const), ...(field.enum ?? [])]
    return known.length > 0 ? fc.constantFrom(...known) : fc.constantFrom('a', true)
  }

  test('accepts every shown answer and no hidden one, whatever was answered before', () => {
    const given = fc.record(
      Object.fromEntries(Object.entries(form.schema.properties ?? {}).map(([name, field]) => [name, answered(field)])),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(given, (all) => {
        const { data, shown } = formState(form.schema, all)
        const never = (name: string) => form.schema.properties![name]!['x-shown'] === 'never'
        const mirrored = Object.values(form.schema.properties!).flatMap((field) => Object.keys(field['x-same'] ?? {}))
        const made = (name: string) =>
          form.schema.properties![name]!['x-sum'] ??
          form.schema.properties![name]!['x-plus'] ??
          form.schema.properties![name]!['x-words'] ??
          mirrored.includes(name)
        const right = Object.keys(all).filter((name) => (shown.has(name) || never(name)) && !made(name))
        expect(Object.keys(data)).toEqual(expect.arrayContaining(right))
        expect(formState(form.schema, data).shown).toEqual(shown)
        expect(Object.keys(data).filter((name) => !shown.has(name) && !never(name))).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('hides at a desk what the chosen outcome does not ask for', () => {
    const { outcomes } = deskOf(form.schema)
    const governed = outcomes.flatMap(({ asks }) => asks)
    const shown = outcomes.map(({ value, asks }) => ({
      value,
      others: [...formState(form.schema, { outcome: value }).shown].filter(
        (one) => governed.includes(one) && !asks.includes(one),
      ),
    }))
    expect(shown).toEqual(outcomes.map(({ value }) => ({ value, others: [] })))
  })

  test('requires by a condition every field that can be required', () => {
    const demanded = JSON.stringify([
      form.schema.allOf,
      form.schema.then,
      form.schema.else,
      form.schema['dependentRequired'],
    ])
    const waiting = Object.entries(form.schema.properties ?? {}).filter(([, one]) => one['x-shown'] === 'when-required')
    expect(waiting.filter(([name]) => !demanded.includes(`"${name}"`))).toEqual([])
  })
})

describe('a condition', () => {
  test('that names a field is false while the field is missing', () => {
    const condition: FormSchema = { properties: { outcome: { const: 'reject' } }, required: ['outcome'] }
    expect(fits(condition, {})).toBe(false)
    expect(fits(condition, { outcome: 'reject' })).toBe(true)
  })

  test('may be negated, combined and bounded', () => {
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
