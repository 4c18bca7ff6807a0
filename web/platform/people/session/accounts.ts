import { request } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import type { FormRef } from '../../kernel/client/types.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { proved } from '../../kernel/session/proof.ts'

/** The forms by which people get an account. */
export type AccountFormName = 'account' | 'sign-up' | 'password' | 'forgot-password'

export const useAccountForm = (name: AccountFormName) =>
  useRead<FormRef>(`/api/public/forms/applicant-accounts/${name}`)

export interface NewAccount {
  id: string
  username: string
}

const post = <T>(path: string, body: FormValue) =>
  proved((headers) => request<T>('POST', `/api/auth/${path}`, { body, headers }))

/** Creates the account of an applicant or a booker; this browser may set its password for half an hour. */
export const createAccount = (data: FormValue) => post<NewAccount>('accounts', data)

/** Signs up with an email address and a password. */
export const register = (data: FormValue) => post<NewAccount>('register', data)

/** Requests an email with a link; the answer does not reveal whether the account exists. */
export const askForLink = (data: FormValue) => post<void>('forgot-password', data)

/** Sets a password: with the token from an email, or in the browser that has just created the account. */
export const setPassword = (data: { username: string; password: string; token?: string }) =>
  request<{ message: string }>('POST', '/api/auth/reset-password', { body: data })

export interface Link {
  purpose: string
  email: string
}

/** The account of a mailed link, without using the link up. */
export const lookAtLink = (token: string) => request<Link>('POST', '/api/auth/tokens/look', { body: { token } })

export const confirmEmail = (token: string) => request<void>('POST', '/api/auth/confirm-email', { body: { token } })
