import type { PublicKeyCredentialCreationOptionsJSON as CreationOptions } from '@simplewebauthn/browser'
import { mutate } from 'swr'
import { rereadMe } from '../session/session.ts'
import { request, send } from '../client/client.ts'
import type {
  AddPasskey,
  BeginPasskey,
  BeginTotp,
  ListMyPasskeys,
  ListMySessions,
  RenewRecoveryCodes,
} from '../client/operations.generated.ts'
import { useRead } from './read.ts'
import type { FileName, Me } from '../client/types.ts'

/** One session of the reader. */
export type OwnSession = ListMySessions['answer']['items'][number]
export type Passkey = ListMyPasskeys['answer']['items'][number]
export type TotpSecret = BeginTotp['answer']

/** The options are for the browser's WebAuthn API; our API passes them on unchanged. */
type PasskeyToMake = BeginPasskey['answer'] & { options: CreationOptions }

const sessions = '/api/me/sessions'
const passkeys = '/api/me/passkeys'

/** The reader's account as it is now. */
export const readMe = () => request<Me>('GET', '/api/me')

export const useSessions = () => useRead<{ items: OwnSession[] }>(sessions)
export const usePasskeys = () => useRead<{ items: Passkey[] }>(passkeys)

/** Changes the reader's own account, and reads the account again. */
async function change<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await request<T>(method, path, body === undefined ? {} : { body })
  await rereadMe()
  return answer
}

export const changeMe = (fields: { mails?: Partial<Me['mails']> }) => change<void>('PATCH', '/api/me', fields)

/** Requests another name; it takes effect once somebody else has confirmed it. */
export const askForName = (name: string) => change<void>('POST', '/api/me/name-changes', { name })
export const takeBackName = (id: string) => change<void>('DELETE', `/api/me/name-changes/${id}`)

/** Replaces the photo. */
export async function putPhoto(file: File): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  const { id } = await request<FileName>('POST', '/api/files', { body })
  await change('PUT', '/api/me/photo', { file: id })
}

export const removePhoto = () => change<void>('PUT', '/api/me/photo', { file: null })

/** Changes the password; every other session of the reader ends. */
export async function changePassword(current: string, password: string): Promise<void> {
  await change('POST', '/api/me/password', { current, password })
  await mutate(sessions)
}

export const confirmEmailAgain = () => request<void>('POST', '/api/me/confirm-email')

export async function endSession(id: string): Promise<void> {
  await request('DELETE', `${sessions}/${encodeURIComponent(id)}`)
  await mutate(sessions)
}

export async function endOtherSessions(): Promise<void> {
  await request('POST', `${sessions}/end-others`)
  await mutate(sessions)
}

export const beginTotp = (password: string) => request<TotpSecret>('POST', '/api/me/totp', { body: { password } })
export const confirmTotp = (code: string) =>
  change<RenewRecoveryCodes['answer']>('POST', '/api/me/totp/confirm', { code })
export const removeTotp = (password: string) => change<void>('DELETE', '/api/me/totp', { password })
export const newRecoveryCodes = (password: string) =>
  change<RenewRecoveryCodes['answer']>('POST', '/api/me/recovery-codes', { password })

/**
 * Creates a passkey on the device and saves it under a name; returns recovery codes if it is the first second factor.
 */
export async function addPasskey(name: string, password: string): Promise<string[] | null> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { challenge, options } = await request<PasskeyToMake>('POST', `${passkeys}/options`, { body: { password } })
  const response = await startRegistration({ optionsJSON: options })
  const { recoveryCodes } = await change<AddPasskey['answer']>('POST', passkeys, { challenge, name, response })
  await mutate(passkeys)
  return recoveryCodes
}

export async function removePasskey(id: string, password: string): Promise<void> {
  await change('DELETE', `${passkeys}/${encodeURIComponent(id)}`, { password })
  await mutate(passkeys)
}

/** All data stored about the reader, as a file. */
export async function ownData(): Promise<{ name: string; content: Blob }> {
  const response = await send('GET', '/api/me/data')
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { name: decodeURIComponent(name ?? 'prakriya.json'), content: await response.blob() }
}
