import { request, withQuery } from '../client/client.ts'

/** The server's finding about one field's value. */
export interface Finding {
  value: unknown
  state: 'asking' | 'good' | 'bad'
  message: string
}

/**
 * Whether an email address is free for an account. Only this check reveals to strangers that an address is known, so it
 * requires a proof of work.
 */
async function emailFree(email: unknown): Promise<{ valid: boolean; message: string }> {
  const { prepareProof, proved } = await import('../session/proof.ts')
  const path = withQuery('/api/auth/email', { email: String(email) })
  try {
    return await proved((headers) => request('GET', path, { headers }))
  } finally {
    // Submitting comes next and needs a proof of its own.
    prepareProof()
  }
}

/** The checks that forms may name in `x-check`. */
export const checks: Readonly<Record<string, typeof emailFree>> = { 'email-free': emailFree }
