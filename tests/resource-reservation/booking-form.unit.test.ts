import { describe, expect, test } from '@jest/globals'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import type { FormSchema } from '../../web/platform/kernel/client/types.ts'
import { shownFields } from '../../web/platform/kernel/form/conditions.ts'
import approval from '../../forms/resource-reservation/booking-approval.form.json' with { type: 'json' }
import resource from '../../forms/resource-reservation/resource.register.json' with { type: 'json' }
import request from '../../forms/resource-reservation/booking-request.form.json' with { type: 'json' }
import texts from '../../forms/resource-reservation/texts.en.json' with { type: 'json' }
import platformTexts from '../../forms/platform/texts.en.json' with { type: 'json' }

const words: Record<string, string> = { ...platformTexts, ...texts }
const REQUIRED = 'This field is required'

const student = {
  resource: '4b3f6a52-4a52-5b0e-9d0c-7d3a3c1e6a10',
  from: '2026-05-14T18:00:00+05:30',
  until: '2026-05-14T22:00:00+05:30',
  event: 'Evening of Kandyan drums',
  event_organized_by: 'Drumming Circle',
  event_details: 'A concert of the second year.',
  salutation: 'Mr.',
  poc_name: 'Nuwan Jayawardena',
  poc_contact_no: '0771231231',
  poc_email: 'nuwan@example.org',
  poc_nic: '200012345678',
  association_to_uni: 'current',
  associated_as: 'Undergraduate Student',
  reg_no: 'FM/2024/017',
  team_participants: 24,
}

/** The errors of the student's booking after these changes (undefined removes a field), by field. */
function wrong(changes: Record<string, unknown>): Record<string, string> {
  const data = Object.fromEntries(Object.entries({ ...student, ...changes }).filter(([, value]) => value !== undefined))
  return Object.fromEntries(checkForm(request, data).map(({ field, code }) => [field, words[code] ?? code]))
}

describe('the booking form', () => {
  test('accepts a complete booking', () => {
    expect(wrong({})).toEqual({})
  })

  test.each([
    'resource',
    'from',
    'until',
    'event',
    'event_organized_by',
    'event_details',
    'salutation',
    'poc_name',
    'poc_contact_no',
    'poc_email',
    'poc_nic',
    'association_to_uni',
    'team_participants',
  ])('requires %s', (field) => {
    expect(wrong({ [field]: undefined })).toMatchObject({ [`/${field}`]: REQUIRED })
  })

  test.each(['event', 'event_organized_by', 'event_details', 'poc_name'])('does not accept an empty %s', (field) => {
    expect(wrong({ [field]: '' })).toEqual({ [`/${field}`]: REQUIRED })
  })

  test.each([
    ['poc_nic', '12345678V', 'Invalid NIC'],
    ['poc_nic', '123456789a', 'Invalid NIC'],
    ['poc_nic', '12345678901', 'Invalid NIC'],
    ['poc_email', 'nuwan@', 'Invalid email address'],
    ['poc_contact_no', '077123123', 'Invalid contact number'],
    ['poc_contact_no', '077-1231231', 'Invalid contact number'],
    ['team_participants', 0, 'Please enter an amount greater than 0'],
  ])('does not accept %s %p', (field, value, message) => {
    expect(wrong({ [field]: value })).toEqual({ [`/${field}`]: message })
  })

  test.each(['123456789x', '123456789X', '123456789v', '123456789V', '012345678901'])(
    'accepts the NIC %s',
    (poc_nic) => {
      expect(wrong({ poc_nic })).toEqual({})
    },
  )

  test('lets former members give their Student No, and requires it of none', () => {
    const reg_no = (association_to_uni: string) =>
      shownFields(request as unknown as FormSchema, { association_to_uni }).find(({ name }) => name === 'reg_no')
        ?.required
    expect(['past', 'current', 'not_associated'].map(reg_no)).toEqual([false, undefined, undefined])
    const past = { association_to_uni: 'past', associated_as: undefined, poc_designation: 'Director' }
    expect([wrong(past), wrong({ ...past, reg_no: undefined })]).toEqual([{}, {}])
  })

  test('asks for the kind of membership of present members only', () => {
    const answer = { associated_as: undefined, poc_designation: 'Director' }
    expect(wrong(answer)).toEqual({ '/associated_as': REQUIRED })
    expect(wrong({ ...answer, association_to_uni: 'not_associated' })).toEqual({})
    expect(wrong({ ...answer, association_to_uni: 'past' })).toEqual({})
  })

  test('asks a student for the Student No and others for the designation', () => {
    expect(wrong({ reg_no: undefined })).toEqual({ '/reg_no': REQUIRED })
    expect(wrong({ associated_as: 'Academic Employee', reg_no: undefined })).toEqual({ '/poc_designation': REQUIRED })
  })

  test('asks for Sponsor Details where there are sponsors', () => {
    expect(wrong({ is_sponsors: true })).toEqual({ '/sponsor_details': REQUIRED })
    expect(wrong({ is_sponsors: false })).toEqual({})
  })

  test('does not accept an empty vehicle before the next', () => {
    expect(wrong({ vehicles: ['WP CAB-1234', ''] })).toEqual({ '/vehicles/1': 'Please fill the current field first.' })
  })

  test('does not accept a negative quantity', () => {
    const rows = [{ resource_item_id: 'piano', required_quantity: -1 }]
    expect(wrong({ resource_booking_items: rows })).toEqual({
      '/resource_booking_items/0/required_quantity': 'Please enter 0 or more',
    })
  })

  test('accepts no unknown field', () => {
    expect(Object.keys(wrong({ departmentId: '12,ADMIN' }))).toEqual(['/departmentId'])
  })
})

test('a rejection needs a reason, an approval does not', () => {
  expect(checkForm(approval, { outcome: 'approve' })).toEqual([])
  expect(checkForm(approval, { outcome: 'reject' })).toEqual([{ field: '/reason', code: 'platform.field-required' }])
  expect(checkForm(approval, { outcome: 'reject', reason: 'The hall is closed for repairs' })).toEqual([])
})

test('opening and closing periods of a resource end after they begin', () => {
  const times = {
    opening_hours: [
      { day: 'monday', from: '18:00', until: '08:00' },
      { day: 'tuesday', from: '08:00', until: '24:00' },
    ],
    blackouts: [
      // The same moment in two notations.
      { from: '2026-05-14T09:00:00+05:30', until: '2026-05-14T03:30:00Z', reason: 'Repairs' },
      { from: '2026-05-14T09:00:00+05:30', until: '2026-05-14T03:31:00Z', reason: 'Repairs' },
    ],
  }
  const found = checkForm(resource.item, times).filter(({ field }) => /^.(opening|black)/.test(field))
  expect(found.map(({ field, code }) => [field, words[code]])).toEqual([
    ['/opening_hours/0/until', 'The end must be later than the start'],
    ['/blackouts/0/until', 'The end must be later than the start'],
  ])
})
