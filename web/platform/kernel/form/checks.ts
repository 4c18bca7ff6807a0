import { request, withQuery } from '../client/client.ts'

/** What the server has found of one field's value, and says of it. */
export interface Finding {
  value: unknown
  state: 'asking' | 'good' | 'bad'
  message: string
}

/** Whether an address may become an account's: the one question that tells strangers that an address is known, so it costs them a proof. */
async function emailFree(email: unknown): Promise<{ valid: boolean; message: string }> {
  const { prepareProof, proved } = await import('../session/proof.ts')
  const path = withQuery('/api/auth/email', { email: String(email) })
  try {
    return await proved((headers) => request('GET', path, { headers }))
  } finally {
    // The form will be sent next, which wants a proof of its own.
    prepareProof()
  }
}

/** What forms may name in `x-check`. */
export const checks: Readonly<Record<string, typeof emailFree>> = { 'email-free': emailFree }
