import type { FindBooker, FindMyselfAsBooker } from '../../platform/kernel/client/operations.generated.ts'
import { Problem, request, withQuery } from '../../platform/kernel/client/client.ts'
import { useRead } from '../../platform/kernel/api/read.ts'
import type { GuestAccount } from '../../platform/kernel/api/guests.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'

/** What the university knows about a person, for a booking. */
export type Booker = FindBooker['answer']

export type OwnBooker = NonNullable<FindMyselfAsBooker['answer']['entry']>

/** The reader's own register entry, if there is one; visitors have none. */
export const useOwnBooker = (me: object | undefined): OwnBooker | undefined =>
  useRead<FindMyselfAsBooker['answer']>(me ? '/api/bookers/me' : null).data?.entry ?? undefined

/** Finds a person for staff who book on their behalf, or the reader; undefined if unknown or not visible. */
export const findBooker = (by: { nic: string } | { employee_id: string }) =>
  request<Booker | undefined>('GET', withQuery('/api/bookers', by))

/** The account of a person that staff book for; created, and announced by email, if they have none. */
export async function accountFor(account: GuestAccount): Promise<string> {
  try {
    return (await request<{ accountId: string }>('POST', '/api/bookers', { body: account })).accountId
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map((each) => ({ ...each, field: `/account${each.field}` }))
    throw new Problem(error.status, { ...error.more, errors })
  }
}

/** The booking form's fields from a known person. */
export function fieldsOfBooker(booker: Booker): FormValue {
  const { name, email, contact_no, designation, reg_no, employee_id, associated_as } = booker
  const fields: FormValue = {
    poc_name: name,
    poc_email: email,
    poc_contact_no: contact_no,
    poc_designation: designation,
    reg_no,
    employee_id,
    ...(associated_as ? { association_to_uni: 'current', associated_as } : {}),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
}

/**
 * The booking form's fields from the reader's own entry. The form writes salutations with a dot, and lacks some of the
 * register's. Temporary employees get no association: nobody has vouched for them, and a booking as a present member
 * would be refused.
 */
export function fieldsOfOneself(own: OwnBooker, salutations: readonly unknown[]): FormValue {
  const { association_to_uni, associated_as, ...fields } = fieldsOfBooker(own)
  const association = associated_as === 'Temporary Employee' ? {} : { association_to_uni, associated_as }
  const salutation = `${own.salutation}.`
  return {
    ...fields,
    ...association,
    ...(own.nic && { poc_nic: own.nic }),
    ...(salutations.includes(salutation) && { salutation }),
  }
}
