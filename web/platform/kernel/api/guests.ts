import { prepareProof, proved } from '../session/proof.ts'
import { request } from '../client/client.ts'
import type { ConfirmCaseAsGuest, SubmitCaseAsGuest } from '../client/operations.generated.ts'

/** The person to book for, who has no account: a temporary one is created with the booking. */
export interface GuestAccount {
  salutation: string
  full_name: string
  email: string
  contact_no: string
  nic: string
  designation?: string
  employee_id?: string
}

/** The guest's case with its secret, which is returned only once. */
export type GuestCase = SubmitCaseAsGuest['answer']

/** Validates a guest's request without storing anything; throws the refusal. */
export async function checkAsGuest(flow: string, data: unknown, account: GuestAccount): Promise<void> {
  await proved((headers) => request('POST', '/api/public/bookings/check', { body: { flow, data, account }, headers }))
  // Submitting comes next and needs a proof of its own.
  prepareProof()
}

/** Creates a temporary account and a case, both or neither. Repeating the key returns the same case. */
export const submitAsGuest = (flow: string, data: unknown, account: GuestAccount, key: string) =>
  proved((headers) =>
    request<GuestCase>('POST', '/api/public/bookings', {
      body: { flow, data, account, understood: true },
      headers: { ...headers, 'idempotency-key': key },
    }),
  )

/** The confirmed case and the desks that have it. */
export type ConfirmedCase = ConfirmCaseAsGuest['answer']

/** Confirms the case; repeated, it returns the desks that have the case by then. */
export const confirmGuestCase = (token: string) =>
  request<ConfirmedCase>('POST', '/api/public/confirmations', { body: { token } })
