import { describe, expect, test } from '@jest/globals'
import { kindOf } from '../../api/platform/features/access/people.ts'
import {
  grantable,
  mayChangeAccount,
  mayGrant,
  overseen,
  scopeOfRole,
} from '../../api/platform/people/access/rights.ts'
import { type Scope, type Unit, unitsOf } from '../../api/platform/people/access/units.ts'
import { type Person, personOf } from '../../api/platform/people/persons/person.ts'

/** `faculty:music` and the like, as scopes and as existing units. */
const at = (name: string): Scope => ({ kind: name.split(':')[0]!, id: name.split(':')[1]! })
const unit = (name: string, above?: string, more: Partial<Unit> = {}): Unit => ({
  ...at(name),
  name,
  code: name,
  active: true,
  above: above ? at(above) : null,
  role: null,
  head: false,
  ...more,
})
const units = unitsOf([
  unit('faculty:music'),
  unit('faculty:arts'),
  unit('department:western', 'faculty:music'),
  unit('department:painting', 'faculty:arts'),
  unit('unit:studio', 'department:western'),
  unit('division:it'),
  unit('unit:tv', 'division:it'),
  unit('post:director', 'unit:tv', { role: 'VPA TV Director', head: true }),
  unit('post:old', 'unit:tv', { role: 'Librarian', head: true, active: false }),
])

const holding = (...grants: string[]): Person =>
  personOf(
    { id: 'me', username: 'me', name: 'Me', email: 'me@example.lk', post: null },
    grants.map((grant) => {
      const [role, scope] = grant.split('@') as [string, string?]
      return { role, scopeKind: scope ? at(scope).kind : null, scopeId: scope ? at(scope).id : null }
    }),
    {},
  )

describe('one unit lies within another', () => {
  test.each([
    ['department:western', 'faculty:music', true],
    ['unit:studio', 'faculty:music', true],
    ['unit:studio', 'department:western', true],
    ['post:director', 'division:it', true],
    ['faculty:music', 'faculty:music', true],
    ['faculty:music', 'department:western', false],
    ['department:painting', 'faculty:music', false],
    ['unit:tv', 'faculty:music', false],
    ['unit:unknown', 'division:it', false],
  ])('%s within %s: %s', (inner, outer, answer) => {
    expect(units.within(at(inner), at(outer))).toBe(answer)
  })

  test('everything is within the university, and the university is within nothing', () => {
    expect(units.within(at('unit:tv'), null)).toBe(true)
    expect(units.within(null, at('faculty:music'))).toBe(false)
  })

  test('a cycle of units does no harm', () => {
    const round = unitsOf([unit('unit:a', 'department:b'), unit('department:b', 'unit:a')])
    expect(round.within(at('unit:a'), at('faculty:x'))).toBe(false)
  })
})

describe('granting', () => {
  test.each<[holds: string, role: string, where: string | null, answer: boolean]>([
    ['ADMIN', 'Registrar', null, true],
    ['ADMIN', 'HOD', 'department:painting', true],
    ['SA', 'Registrar', null, false],
    ['SA', 'SA', null, true],
    ['Registrar', 'Registrar', null, true],
    ['Registrar', 'HOD', 'department:painting', false],
    ['HOD@department:western', 'HOD', 'department:western', true],
    ['HOD@department:western', 'HOD', 'unit:studio', true],
    ['HOD@department:western', 'HOD', 'department:painting', false],
    ['HOD@department:western', 'HOD', 'faculty:music', false],
    ['HOD@department:western', 'HOD', null, false],
    ['HOD@department:western', 'Dean', 'department:western', false],
    ['Dean@faculty:music', 'Dean', 'department:western', true],
    ['ADMIN@department:western', 'Dean', 'department:western', false],
    ['Lecturer', 'ADMIN', null, false],
  ])('%s grants %s at %s: %s', (holds, role, where, answer) => {
    expect(mayGrant(holding(holds), role, where === null ? null : at(where), units)).toBe(answer)
  })

  test('is offered role by role, with the units in use', () => {
    expect(grantable(holding('HOD@department:western', 'Registrar'), ['HOD', 'Registrar', 'Dean'], units)).toEqual([
      { role: 'HOD', anywhere: false, scopes: [units.find(at('department:western')), units.find(at('unit:studio'))] },
      { role: 'Registrar', anywhere: true, scopes: [] },
    ])
    expect(grantable(holding('ADMIN'), ['HOD', 'Dean'], units).map(({ anywhere }) => anywhere)).toEqual([true, true])
  })

  test('needs a unit for MA and AR, and none for ADMIN and SA', () => {
    expect(['MA', 'AR', 'ADMIN', 'SA', 'HOD'].map(scopeOfRole)).toEqual([
      'always',
      'always',
      'never',
      'never',
      'either',
    ])
  })
})

test('people administration covers the people of your own units', () => {
  const openers = ['HOD', 'Registrar']
  expect(overseen(holding('HOD@department:western', 'Lecturer@department:painting'), openers, units)).toEqual([
    'western',
    'studio',
  ])
  expect(overseen(holding('Registrar'), openers, units)).toBe('everybody')
  expect(overseen(holding('SA'), openers, units)).toBe('everybody')
  expect(overseen(holding('Lecturer'), openers, units)).toEqual([])
})

test('ADMIN can change any account, SA those whose roles SA could give', () => {
  const other = (...roles: string[]) => roles.map((role) => ({ role, scope: null }))
  const painter = [{ role: 'SA', scope: at('department:painting') }]
  expect(mayChangeAccount(holding('Registrar'), other(), units)).toBe(false)
  expect(mayChangeAccount(holding('Registrar'), other('Registrar'), units)).toBe(false)
  expect(mayChangeAccount(holding('SA'), other(), units)).toBe(true)
  expect(mayChangeAccount(holding('SA'), [...other('SA'), ...painter], units)).toBe(true)
  expect(mayChangeAccount(holding('SA'), other('SA', 'HOD'), units)).toBe(false)
  expect(mayChangeAccount(holding('SA', 'HOD@department:western'), other('HOD'), units)).toBe(false)
  expect(mayChangeAccount(holding('SA'), other('ADMIN'), units)).toBe(false)
  expect(mayChangeAccount(holding('ADMIN'), other('ADMIN', 'Vice Chancellor'), units)).toBe(true)
})

describe('substitutes for vacant posts', () => {
  test.each([
    ['MA@unit:studio', ['Unit Head@unit:studio', 'HOD@department:western', 'Dean@faculty:music', 'Registrar']],
    ['MA@department:western', ['HOD@department:western', 'Dean@faculty:music', 'Registrar', 'Vice Chancellor']],
    ['HOD@department:western', ['Dean@faculty:music', 'Registrar', 'Vice Chancellor', 'ADMIN']],
    ['Dean@faculty:music', ['Registrar', 'Vice Chancellor', 'ADMIN']],
    ['MA@unit:tv', ['VPA TV Director@unit:tv', 'Unit Head@unit:tv', 'Division Head@division:it', 'Registrar']],
    ['Finance MA', ['Registrar', 'Vice Chancellor', 'ADMIN']],
    ['Vice Chancellor', ['ADMIN']],
    ['HOD@department:none', []],
  ])('for %s: %s', (principal, first) => {
    expect(units.standIns(principal).slice(0, first.length || undefined)).toEqual(first)
  })
})

test('a role that ends in student makes a student, another one staff', () => {
  const grants = (...roles: string[]) => roles.map((role) => ({ role, kind: null, id: null }))
  expect(kindOf({ register: null, grants: grants('Post Graduate Student') })).toBe('student')
  expect(kindOf({ register: null, grants: grants('Post Graduate Student', 'Lecturer') })).toBe('staff')
  expect(kindOf({ register: 'platform/employee', grants: grants() })).toBe('staff')
  expect(kindOf({ register: 'platform/temporary-employee', grants: grants() })).toBe('temporary')
  expect(kindOf({ register: null, grants: grants() })).toBe('other')
})
