import { prepareProof, proved } from '../session/proof.ts'
import { request } from '../client/client.ts'
import type { SubmitCaseAsGuest } from '../client/operations.generated.ts'

/** Of whom a booking is made when they have no account: one comes into being with it. */
export interface GuestAccount {
  salutation: string
  full_name: string
  email: string
  contact_no: string
  nic: string
  designation?: string
  employee_id?: string
}

/** What a guest is told once; the secret is not shown again. */
export type GuestCase = SubmitCaseAsGuest['answer']

/** Throws why the same would be refused; makes nothing. */
export async function checkAsGuest(flow: string, data: unknown, account: GuestAccount): Promise<void> {
  await proved((headers) => request('POST', '/api/public/bookings/check', { body: { flow, data, account }, headers }))
  // It will be sent next, which wants a proof of its own.
  prepareProof()
}

/** Makes a temporary account and begins a case with it, both or neither. The same key sent again is the same case. */
export const submitAsGuest = (flow: string, data: unknown, account: GuestAccount, key: string) =>
  proved((headers) =>
    request<GuestCase>('POST', '/api/public/bookings', {
      body: { flow, data, account, understood: true },
      headers: { ...headers, 'idempotency-key': key },
    }),
  )

/** Confirms a guest's case with the token of the mailed link. */
export const confirmGuestCase = (token: string) =>
  request<{ reference: string }>('POST', '/api/public/confirmations', { body: { token } })
