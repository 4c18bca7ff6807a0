import { Problem } from '../../platform/kernel/client/client.ts'
import type { GuestAccount } from '../../platform/kernel/api/guests.ts'
import type { FormRef, FormSchema, Me } from '../../platform/kernel/client/types.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import { optionsOf } from '../../platform/kernel/form/widget.ts'
import { isBlank } from '../../platform/kernel/record/fields.ts'
import { fieldsOfOneself, type OwnBooker } from './bookers.ts'
import { isKeyOf } from '../../platform/kernel/keys.ts'

/** How long a toast is shown while booking, in seconds. */
export const shownFor = 5

/** The form fields of the first two steps. */
const askedBefore: readonly string[] = ['resource', 'from', 'until', 'resource_booking_items']

/** Fields that choosing the slot answers; their errors are shown there. */
const ofSlot = ['/resource', '/from', '/until']

/** The event step's part of the booking form; the check of the whole form applies to the shown fields. */
export function eventForm(form: FormRef): FormRef {
  const { schema } = form
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !askedBefore.includes(name))
  return {
    ...form,
    schema: {
      ...schema,
      properties: Object.fromEntries(rest),
      required: (schema.required ?? []).filter((name) => !askedBefore.includes(name)),
    },
  }
}

/** The server's refusal of the slot itself, if any. */
export function slotRefusal({ code, errors, detail }: Problem): string | undefined {
  const found = errors.find(({ field }) => ofSlot.includes(inBooking(field)))
  return found?.message ?? (code === 'resource-reservation.slot-taken' ? detail : undefined)
}

/** The form's values from the signed-in person. */
export function ownFields({ name, email, grants }: Me, entry: OwnBooker | undefined, schema: FormSchema): FormValue {
  const kinds = optionsOf(schema.properties?.['associated_as'] ?? {}) ?? []
  const student = kinds.find(
    ({ value }) => /student$/i.test(String(value)) && grants.some(({ role }) => role === value),
  )
  const association = student ? { association_to_uni: 'current', associated_as: student.value } : {}
  const salutations = (optionsOf(schema.properties?.['salutation'] ?? {}) ?? []).map(({ value }) => value)
  return { poc_name: name, poc_email: email, ...(entry && fieldsOfOneself(entry, salutations)), ...association }
}

export const mayBookFor = ({ seesAll, groups }: Me) => seesAll || groups.includes('ResourceReservationViews')

type AccountTexts = Record<keyof GuestAccount, string>

/** Guest account field → form field. */
const accountFields: AccountTexts = {
  salutation: 'salutation',
  full_name: 'poc_name',
  email: 'poc_email',
  contact_no: 'poc_contact_no',
  nic: 'poc_nic',
  designation: 'poc_designation',
  employee_id: 'employee_id',
}

export function accountOf(body: FormValue): GuestAccount {
  const given = Object.entries(accountFields).filter(([, field]) => !isBlank(body[field]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form requires these texts, but for the last two
  const account = Object.fromEntries(given.map(([name, field]) => [name, body[field]])) as AccountTexts
  // Accounts write salutations without a dot.
  return { ...account, salutation: account.salutation.replace(/\.$/, '') }
}

/** The pointer in the booking form for a field that the server names. */
export function inBooking(field: string): string {
  const [, part, name = ''] = field.split('/')
  if (part === 'account') return `/${isKeyOf(accountFields, name) ? accountFields[name] : name}`
  return field.replace(/^\/data(?=\/)/, '')
}
