import { describe, expect, test } from '@jest/globals'
import { menuRules } from '../../web/platform/kernel/screens/menu-rules.ts'

describe('the menu entry for applications', () => {
  test('is hidden from somebody with more than five roles', () => {
    expect(menuRules.application(['HOD', 'Dean', 'MA', 'AR', 'Registrar', 'Lecturer'])).toBe(false)
  })

  test('is for people with five, and counts a role held in two places once', () => {
    expect(menuRules.application(['HOD', 'Dean', 'MA', 'AR', 'Registrar'])).toBe(true)
    expect(menuRules.application(['HOD', 'HOD', 'Dean', 'MA', 'AR', 'Registrar'])).toBe(true)
    expect(menuRules.application([])).toBe(true)
  })
})

describe('the menu entry for the convocation', () => {
  test('is hidden from staff, from students without a year, and from other years', () => {
    expect(menuRules.convocation([])).toBe(false)
    expect(menuRules.convocation(['Senior Lecturer 4'])).toBe(false)
    expect(menuRules.convocation(['Undergraduate Student'])).toBe(false)
    expect(menuRules.convocation(['Undergraduate Student 2023', '2045 Student'])).toBe(false)
  })

  test('is for students whose year ends in 4, however the role is written', () => {
    expect(menuRules.convocation(['Undergraduate Student 2024'])).toBe(true)
    expect(menuRules.convocation(['2014 intake'])).toBe(true)
    expect(menuRules.convocation(['HOD', 'Year 4 student'])).toBe(true)
  })
})

test('requests of employees are for people in the register of employees, whatever their roles', () => {
  expect(menuRules.employee(['Lecturer'], 'platform/employee')).toBe(true)
  expect(menuRules.employee(['ADMIN', 'HOD'])).toBe(false)
  expect(menuRules.employee(['Undergraduate Student'], 'platform/student')).toBe(false)
})

test('the team is for heads, substitutes are for staff, and neither is for students', () => {
  const offered = (roles: string[]) => [menuRules.leads(roles), menuRules.staff(roles)]
  for (const head of ['HOD', 'Dean', 'Division Head', 'Unit Head', 'VPA TV Director', 'ADMIN', 'SA'])
    expect({ head, offered: offered([head]) }).toEqual({ head, offered: [true, true] })
  expect(offered(['Lecturer', 'MA'])).toEqual([false, true])
  expect(offered(['Undergraduate Student', 'Undergraduate Student 2024'])).toEqual([false, false])
  expect(offered([])).toEqual([false, false])
})
