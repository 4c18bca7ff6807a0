import type { FindBooker, FindMyselfAsBooker } from '../../platform/kernel/client/operations.generated.ts'
import { Problem, request, withQuery } from '../../platform/kernel/client/client.ts'
import { useRead } from '../../platform/kernel/api/read.ts'
import type { GuestAccount } from '../../platform/kernel/api/guests.ts'
import type { FormValue } from '../../platform/kernel/form/conditions.ts'

/** What the university knows of a person that a booking asks for. */
export type Booker = FindBooker['answer']

export type OwnBooker = NonNullable<FindMyselfAsBooker['answer']['entry']>

/** What one's own register entry says, if one has one; a visitor has none. */
export const useOwnBooker = (me: object | undefined): OwnBooker | undefined =>
  useRead<FindMyselfAsBooker['answer']>(me ? '/api/bookers/me' : null).data?.entry ?? undefined

/** Of oneself, or for staff who book on behalf of anybody; undefined where nobody is known or told of. */
export const findBooker = (by: { nic: string } | { employee_id: string }) =>
  request<Booker | undefined>('GET', withQuery('/api/bookers', by))

/** The account of somebody for whom staff book; made, and told to them by mail, if they have none. */
export async function accountFor(account: GuestAccount): Promise<string> {
  try {
    return (await request<{ accountId: string }>('POST', '/api/bookers', { body: account })).accountId
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map((each) => ({ ...each, field: `/account${each.field}` }))
    throw new Problem(error.status, { ...error.more, errors })
  }
}

/** The fields of the booking form that follow from what is known of a person. */
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
 * The fields that follow from one's own entry; the form writes titles with a dot, and not all of the register's. Nobody
 * has vouched for a temporary employee, whose booking is refused as one of a present member.
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
