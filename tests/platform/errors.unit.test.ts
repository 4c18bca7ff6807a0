import { expect, test } from '@jest/globals'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'

const root = join(import.meta.dirname, '../..')
const library = loadLibrary(root)
const sources = ['api', 'workers'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8')),
)
const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1]!))),
]

test('every error that is thrown is in the catalogue, with a status', () => {
  const thrown = found(/new BusinessError\(\s*'([^']+)'/g)
  expect(thrown.length).toBeGreaterThan(30)
  expect(thrown.filter((code) => !library.errors.has(code))).toEqual([])
})

test('every error of the catalogue has a text, and a status that fits its cause', () => {
  const errors = [...library.errors]
  expect(errors.filter(([code]) => !library.texts.en[code]).map(([code]) => code)).toEqual([])
  expect(errors.filter(([, { status }]) => !(status >= 400 && status < 600))).toEqual([])
})

test('every error of the catalogue is thrown somewhere', () => {
  const all = sources.join('\n')
  const words = new Set([...all.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map((match) => match[1]))
  const declared = JSON.stringify([
    ...[...library.flows.values()].map(({ manifest }) => manifest),
    ...[...library.registers.values()].map(({ item, selections }) => ({ item, selections })),
  ])
  expect([...library.errors.keys()].filter((code) => !words.has(code) && !declared.includes(`"${code}"`))).toEqual([])
})

test('every message of a field has a text', () => {
  const codes = found(/code: '([a-z-]+\.[a-z-]+)'/g)
  expect(codes.filter((code) => !library.texts.en[code])).toEqual([])
  // The JSON Schema keywords that forms and routes use.
  const rules = new Set<string>()
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, value] of Object.entries(schema)) {
      rules.add(name)
      walk(value)
    }
  }
  for (const { schema } of library.forms.values()) walk(schema)
  for (const { item } of library.registers.values()) walk(item)
  const checks = [
    'type',
    'enum',
    'const',
    'oneOf',
    'anyOf',
    'not',
    'pattern',
    'format',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
    'additionalProperties',
    'x-after',
    'x-not-before',
    'x-at-most',
    'x-row',
    'x-least',
    'x-most-days',
    'x-most-days-ago',
    'x-most-days-ahead',
  ]
  expect(checks.filter((rule) => rules.has(rule) && !library.texts.en[`platform.check-${rule}`])).toEqual([])
})
